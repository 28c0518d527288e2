"""Robust training: what is moved and where to, that nothing else changes, and the same bits resumed and in lockstep."""

from argparse import Namespace

import attacked_digits
import digits
import numpy as np
import pytest
import strict_device
import tolerances

from stages import stores
from stages.arrays import to_host
from stages.attack.attack_network import attack_images
from stages.attack.sensitivity_attack import look_around
from stages.attack.victim import Victim
from stages.errors import UserError
from stages.model.ball import lengths
from stages.model.least_perturbations import least_perturbations
from stages.model.network import Network
from stages.train import robust, train_network
from stages.train.robust import Adversary
from stages.train.training import Training

RADIUS = 0.4
ROBUST = {"radius": RADIUS, "steps": 1, "from_batch": 2, "share": 0.5}
MODELS = ["sgd_ce_relu", "sgd_l2_tanh", "ncg_ce_relu", "ncg_l2_tanh", "ncg-sobolev_ce_tanh"]
CLASSES = attacked_digits.CLASSES


def batch(network, count=60):
    """Return states (pixel, sample) and labels of digits, of which a trained network reads some and misreads others."""
    images, labels = attacked_digits.digits(count)
    return network.columns(images), labels.copy()


def moved(network, steps=1, share=1.0, radius=RADIUS, count=60):
    """Return (states before, states after, labels, what was recorded)."""
    before, labels = batch(network, count)
    after, given = before.copy(), labels.copy()
    adversary = Adversary(network, CLASSES, count, radius=radius, steps=steps, from_batch=0, share=share)
    recorded = adversary.move(after, given, 0)
    np.testing.assert_array_equal(given, labels)
    return before, after, labels, recorded


def data(train=80, test=40):
    (train_image, train_label), (test_image, test_label) = digits.blobs(train, seed=1), digits.blobs(test, seed=2)
    return {"train_image": train_image, "train_label": train_label, "test_image": test_image, "test_label": test_label}


def settings_of(model, **changes):
    return digits.train_settings(model, trainer={"robust": ROBUST | changes})


# --- the moved images -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("activation", ["relu", "tanh"])
@pytest.mark.parametrize("radius", [0.05, 0.4, 2.0])
@pytest.mark.parametrize("steps", [1, 3])
def test_moved_images_are_valid_and_in_the_ball(activation, radius, steps):
    before, after, _, recorded = moved(attacked_digits.network(activation), steps, radius=radius)
    norm = np.linalg.norm(after.astype("float64") - before.astype("float64"), axis=0)
    assert (norm <= radius).all()
    assert after.min() >= 0
    assert after.max() <= 1
    assert recorded["moved"] == np.count_nonzero(norm) > 0
    np.testing.assert_allclose(recorded["moved_norm"], norm[norm > 0].mean(), **tolerances.SINGLE_PRECISION)


@pytest.mark.parametrize("activation", ["relu", "tanh"])
def test_the_move_has_the_direction_of_the_attacks_first_step_and_ends_at_the_boundary_or_the_ball(
    activation, monkeypatch
):
    monkeypatch.setattr(robust, "RIVALS", CLASSES - 1)  # the attack looks at all classes
    network, radius = attacked_digits.network(activation, "float64"), 0.25
    before, after, labels, _ = moved(network, radius=radius)
    victim = Victim(network, CLASSES)
    read, direction = look_around(victim, before, labels, 1.0)
    # The label's margin over each class, and how fast it shrinks along the direction, by a central difference.
    here, ε = np.arange(len(labels)), 1e-6
    ahead, behind, z = (victim.scores(before + shift * direction) for shift in (ε, -ε, 0.0))
    margin, speed = z[labels, here] - z, ((ahead - ahead[labels, here]) - (behind - behind[labels, here])) / (2 * ε)
    distance = np.where(speed > 1e-6, margin / np.where(speed > 1e-6, speed, 1.0), np.inf)
    distance[labels, here] = np.inf
    expected = before + distance.min(axis=0).clip(0, radius) * direction
    correct = read == labels
    assert 0 < correct.sum() < len(labels)
    assert 0 < (distance.min(axis=0) < radius)[correct].sum() < correct.sum()  # some end at the boundary
    np.testing.assert_allclose(after[:, correct], expected.clip(0, 1)[:, correct], **tolerances.ATTACKED_PIXELS)
    np.testing.assert_array_equal(after[:, ~correct], before[:, ~correct])


@pytest.mark.parametrize("activation", ["relu", "tanh"])
@pytest.mark.parametrize("rivals", [1, 4, CLASSES - 1, CLASSES])
def test_the_move_goes_to_the_nearest_of_the_rivals(activation, rivals, monkeypatch):
    """By the rows of all classes, of which those of the rivals are looked at."""
    monkeypatch.setattr(robust, "RIVALS", rivals)
    network, radius = attacked_digits.network(activation, "float64"), 0.25
    before, after, labels, _ = moved(network, radius=radius)
    victim, here = Victim(network, CLASSES), np.arange(len(labels))
    z = victim.read_out(victim.solve(before))
    units, length = least_perturbations(victim.class_rows(), z, labels, 1.0)
    z[labels, here] = -np.inf
    np.put_along_axis(length, np.argsort(-z, axis=0, kind="stable")[rivals:], np.inf, axis=0)
    nearest = length.argmin(axis=0)
    expected = before + length[nearest, here].clip(0, radius) * units[:, nearest, here]
    np.testing.assert_allclose(after, expected.clip(0, 1), **tolerances.ATTACKED_PIXELS)


@pytest.mark.parametrize("activation", ["relu", "tanh"])
def test_a_step_brings_the_nearest_class_closer(activation):
    """By the scores themselves, whatever the direction was computed from: the margin of the label shrinks."""
    network = attacked_digits.network(activation, "float64")
    before, after, labels, _ = moved(network, radius=0.05)
    victim, here = Victim(network, CLASSES), np.arange(len(labels))

    def margins(x):
        z = victim.scores(x).copy()
        own = z[labels, here]
        z[labels, here] = -np.inf
        return own - z

    changed = (after != before).any(axis=0)
    assert (margins(after) < margins(before)).any(axis=0)[changed].all()
    assert (margins(after).min(axis=0) < margins(before).min(axis=0))[changed].mean() > 0.9


def test_several_steps_lead_closer_to_the_boundary():
    """Each looks anew: the curvature of the scores and the pixels that were clipped are made good."""
    network, here = attacked_digits.network("tanh", "float64"), np.arange(60)
    margins = []
    for steps in (1, 4):
        _, after, labels, _ = moved(network, steps, radius=3.0)
        z = Victim(network, CLASSES).scores(after)
        own = z[labels, here]
        z[labels, here] = -np.inf
        margins.append((own - z.max(axis=0)).clip(0, None).mean())
    assert margins[1] < 0.2 * margins[0]


def test_each_step_starts_where_the_last_one_ended():
    """In a ball too large to matter, two steps are one after another."""
    network = attacked_digits.network("tanh", "float64")
    _, both, labels, _ = moved(network, steps=2, radius=7.0)
    _, one_by_one, _, _ = moved(network, steps=1, radius=7.0)
    once = one_by_one.copy()
    Adversary(network, CLASSES, 60, radius=7.0, steps=1, from_batch=0, share=1.0).move(one_by_one, labels, 0)
    assert (one_by_one != once).any()
    np.testing.assert_array_equal(both, one_by_one)


@pytest.mark.parametrize(("share", "count"), [(0.5, 30), (0.25, 15), (0.05, 3), (1.0, 60)])
def test_a_share_of_the_batch_is_moved_and_the_rest_stays_to_the_bit(share, count):
    before, after, _, recorded = moved(attacked_digits.network(), share=share)
    np.testing.assert_array_equal(after[:, count:], before[:, count:])
    assert 0 < recorded["moved"] == (after != before).any(axis=0).sum() <= count


@pytest.mark.parametrize("model", MODELS)
def test_before_from_batch_it_is_the_plain_training(model):
    settings = settings_of(model, from_batch=10**6)
    robustly, plainly = Training(settings, [0], data(), np), Training(digits.train_settings(model), [0], data(), np)
    for training in (robustly, plainly):
        training.run()
    np.testing.assert_array_equal(robustly.network.parameters, plainly.network.parameters)
    assert not np.any(robustly.history["moved"])
    assert set(robustly.history) - set(plainly.history) == set(robust.PER_BATCH)


def test_the_first_batch_that_is_moved_is_from_batch():
    training = Training(settings_of("ncg_l2_tanh", from_batch=5), [0], data(), np)
    training.run()
    found = np.array(training.history["moved"])
    assert found.shape == (8,)  # two epochs of four batches of 20
    assert not found[:5].any()
    assert found[5:].all()
    assert (found <= 10).all()
    norms = np.array(training.history["moved_norm"])
    assert not norms[:5].any()
    assert ((norms[5:] > 0) & (norms[5:] <= RADIUS)).all()


def test_the_iterations_see_the_moved_images_and_the_labels_as_they_were(monkeypatch):
    training = Training(settings_of("ncg_ce_relu", from_batch=0, share=1.0), [0], data(), np)
    seen, train = [], training.trainer.train_on_batch
    monkeypatch.setattr(training.trainer, "train_on_batch", lambda x0, y, n: seen.append((x0, y)) or train(x0, y, n))
    training.run()
    order = training._batches(0)
    for number in range(training.per_epoch):
        x0, y = seen[number]
        images, labels = training.digits["train_image"][order[number]], training.labels[order[number]]
        np.testing.assert_array_equal(y.argmax(axis=0), labels)
        norm = lengths(x0 - images.T)
        assert np.count_nonzero(norm) == training.history["moved"][number]
        np.testing.assert_array_equal(training.digits["train_image"], data()["train_image"])  # the originals stay


# --- lockstep, resumed, on a device -----------------------------------------------------------------------------------


def train(folder, settings, runs, name="run"):
    outs = [str(folder / f"{name}{run}.zarr") for run in runs]
    options = Namespace(settings=settings, digits=str(folder / "digits.zarr"), runs=list(runs), out=outs)
    train_network.main(Namespace(**vars(options), checkpoint_minutes=0.0, device="cpu"))
    return [stores.manifest_path(out).read_bytes() for out in outs]


@pytest.mark.parametrize("steps", [1, 2])
@pytest.mark.parametrize("model", MODELS)
def test_runs_in_lockstep_write_the_stores_they_would_write_alone(tmp_path, model, steps):
    digits.write_digits(tmp_path / "digits.zarr", train=100)
    settings = settings_of(model, steps=steps)
    together = train(tmp_path, settings, range(3), "together")
    for run in (0, 2):
        assert train(tmp_path, settings, [run], "alone") == [together[run]]


def test_moves_in_lockstep_have_the_same_bits_at_the_papers_width():
    """Sizes at which BLAS takes its blocked paths."""
    rng = np.random.default_rng(3)
    W, b = rng.normal(0, 0.05, (3, 2, 196, 196)).astype("float32"), rng.normal(0, 0.05, (3, 2, 196)).astype("float32")
    x, labels = rng.random((2, 196, 100)).astype("float32"), rng.integers(0, 10, (2, 100))
    activation = attacked_digits.network().activation
    together = x.copy()
    both = Adversary(Network(W, b, 3.0, activation), 10, 100, radius=0.5, steps=2, from_batch=0, share=0.7)
    recorded = both.move(together, labels, 0)
    for run in range(2):
        network, alone = Network(W[:, run], b[:, run], 3.0, activation), x[run].copy()
        found = Adversary(network, 10, 100, radius=0.5, steps=2, from_batch=0, share=0.7).move(alone, labels[run], 0)
        np.testing.assert_array_equal(together[run], alone)
        for name in robust.PER_BATCH:
            assert recorded[name][run] == found[name]
    assert (recorded["moved"] > 0).all()


def test_convolutional_networks_too(tmp_path):
    """Their states have more neurons than the images have pixels, and their scores are projections."""
    digits.write_digits(tmp_path / "digits.zarr", train=100)
    settings = settings_of("ncg_l2_tanh", steps=2)
    settings["network"]["layer"] = {"kind": "convolution", "channels": 3, "kernel": 3}
    together = train(tmp_path, settings, range(2), "together")
    assert train(tmp_path, settings, [1], "alone") == [together[1]]
    store = stores.read(tmp_path / "together1.zarr")
    assert (store["moved"][2:] > 0).all()
    assert ((store["moved_norm"][2:] > 0) & (store["moved_norm"][2:] <= RADIUS)).all()


@pytest.mark.parametrize("model", ["sgd_ce_relu", "ncg_l2_tanh", "ncg-sobolev_ce_tanh"])
@pytest.mark.parametrize("runs", [[0], [0, 1]])
def test_a_resumed_training_ends_with_the_same_bits(model, runs):
    settings = settings_of(model)
    whole = Training(settings, runs, data(), np)
    whole.run()

    class Memory:
        """A checkpoint that keeps the state after so many batches."""

        saved = None

        def load(self):
            return self.saved

        def save(self, arrays):
            if int(arrays["batches_done"]) == self.stop:
                self.saved = arrays
                raise KeyboardInterrupt

    for stop in (1, 3, 6):
        checkpoint = Memory()
        checkpoint.stop = stop
        with pytest.raises(KeyboardInterrupt):
            Training(settings, runs, data(), np).run(checkpoint, 0.0)
        checkpoint.stop = -1
        resumed = Training(settings, runs, data(), np)
        resumed.run(checkpoint, 0.0)
        np.testing.assert_array_equal(resumed.network.parameters, whole.network.parameters)
        for name in set(whole.history) - {"seconds"}:
            np.testing.assert_array_equal(np.array(resumed.history[name]), np.array(whole.history[name]), err_msg=name)


@pytest.mark.parametrize("runs", [[0], [0, 1]])
@pytest.mark.parametrize("model", ["ncg_ce_relu", "sgd_l2_tanh", "ncg-sobolev_l2_tanh"])
def test_a_training_on_the_device_gives_numpys_numbers(model, runs):
    settings = settings_of(model, steps=2)
    settings["network"]["precision"] = "float64"
    here, there = (Training(settings, runs, data(), xp) for xp in (np, strict_device))
    here.run()
    strict_device.transfers.reset()
    there.run()
    np.testing.assert_allclose(to_host(there.network.parameters), here.network.parameters, **tolerances.FEW_ITERATIONS)
    for name in robust.PER_BATCH:
        found = np.array(there.history[name])
        np.testing.assert_allclose(found, np.array(here.history[name]), **tolerances.FEW_ITERATIONS)


def test_a_move_takes_scalars_from_the_device_and_nothing_else():
    network = attacked_digits.network()
    W, b = strict_device.asarray(network.W), strict_device.asarray(network.b)
    x, labels = (strict_device.asarray(array) for array in batch(network))
    adversary = Adversary(
        Network(W, b, network.interval, network.activation), 10, 60, radius=0.4, steps=2, from_batch=0, share=1.0
    )
    strict_device.transfers.reset()
    adversary.move(x, labels, 0)
    assert strict_device.transfers.largest == 1
    assert strict_device.transfers.count == len(robust.PER_BATCH)


# --- the stores -------------------------------------------------------------------------------------------------------


def test_a_store_tells_what_was_moved_and_that_of_a_plain_training_does_not(tmp_path):
    digits.write_digits(tmp_path / "digits.zarr", train=100)
    train(tmp_path, settings_of("ncg_ce_relu"), [0], "robust")
    train(tmp_path, digits.train_settings("ncg_ce_relu"), [0], "plain")
    robustly, plainly = stores.read(tmp_path / "robust0.zarr"), stores.read(tmp_path / "plain0.zarr")
    assert set(robustly.variables) - set(plainly.variables) == set(robust.PER_BATCH)
    for name in robust.PER_BATCH:
        assert robustly[name].dims == ("batch",)
        assert robustly[name].size == 10
    assert stores.read_manifest(tmp_path / "robust0.zarr")["settings"]["trainer"]["robust"] == ROBUST
    assert "robust" not in stores.read_manifest(tmp_path / "plain0.zarr")["settings"]["trainer"]


# --- what it is for ---------------------------------------------------------------------------------------------------

ATTACKS = {
    "trained on": {"method": "sensitivity", "target": "moving", "kappa": 1.0, "step": 0.06, "iterations": 15},
    "not trained on": {"method": "pgd", "loss": "ce", "step": 0.06, "iterations": 15},
}


@pytest.mark.parametrize("model", ["ncg_l2_tanh", "sgd_ce_relu"])
def test_attacks_succeed_less_often_and_the_digits_are_read_as_well(model):
    """On a few small digits, in a second: success at norm 0.3 falls by a quarter or more, also of PGD."""
    images, labels = attacked_digits.digits(2000)
    parts = {"train": slice(300, None), "test": slice(300)}
    images = {f"{name}_image": images[part] for name, part in parts.items()}
    shipped = images | {f"{name}_label": labels[part] for name, part in parts.items()}
    accuracy, success = [], []
    for option in ({}, {"robust": {"radius": 0.5, "steps": 1, "from_batch": 10, "share": 0.6}}):
        settings = digits.train_settings(model, batch=100, iterations=6, network={"depth": 8})
        settings["trainer"] |= {"epochs": 3, **option}
        training = Training(settings, [0], shipped, np)
        training.run()
        victim, radii = Victim(training.network, CLASSES), {"first": 0.3, "last": 0.3, "step": 0.1}
        found = [
            attack_images(victim, shipped["test_image"], shipped["test_label"], attack, radii)[0]["success"][1].mean()
            for attack in ATTACKS.values()
        ]
        accuracy.append(float(training.history["test_accuracy"][-1]))
        success.append(dict(zip(ATTACKS, found, strict=True)))
    plainly, robustly = success
    for attack in ATTACKS:
        assert robustly[attack] < 0.75 * plainly[attack], attack
    assert accuracy[1] > accuracy[0] - 0.09  # of 300 images, after 51 batches: chance alone makes 0.03


# --- bad input --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"radius": -0.1}, r"robust.radius: wanted a number above 0 and at most √pixels = 5, .*; found -0.1"),
        ({"radius": 0}, r"robust.radius: wanted a number above 0"),
        ({"radius": 5.1}, r"beyond which no valid image lies; found 5.1"),
        ({"radius": float("nan")}, r"robust.radius: wanted a number above 0"),
        ({"radius": "0.5"}, r"robust.radius: wanted a number above 0"),
        ({"steps": 0}, r"robust.steps: wanted a whole number, at least 1; found 0"),
        ({"steps": 1.5}, r"robust.steps: wanted a whole number, at least 1; found 1.5"),
        ({"steps": True}, r"robust.steps: wanted a whole number, at least 1; found True"),
        ({"from_batch": -1}, r"robust.from_batch: wanted a whole number, at least 0; found -1"),
        ({"share": 0.0}, r"robust.share: wanted a number above 0 and at most 1"),
        ({"share": 1.01}, r"robust.share: wanted a number above 0 and at most 1"),
        ({"share": 0.01}, r"robust.share: .* at least one image of a batch of 20; found 0.01"),
        ({"length": 3}, r"robust: wanted the keys radius, steps, from_batch, share, found .*, length"),
    ],
)
def test_settings_that_make_no_sense_are_refused(changes, message):
    with pytest.raises(UserError, match=message):
        Training(settings_of("ncg_l2_tanh", **changes), [0], data(), np)


def test_a_missing_setting_is_named():
    settings = settings_of("ncg_l2_tanh")
    del settings["trainer"]["robust"]["share"]
    with pytest.raises(UserError, match="wanted the keys radius, steps, from_batch, share, found radius, steps, from_"):
        Training(settings, [0], data(), np)


def test_it_does_not_go_with_ode45():
    with pytest.raises(UserError, match=r"robust: wanted solver: euler, .*, found ode45"):
        Training(settings_of("ncg-ode45_l2_tanh"), [0], data(), np)


def test_images_outside_the_valid_range_are_refused():
    images = data()
    images["train_image"] = images["train_image"] * 255
    with pytest.raises(UserError, match="wanted pixels between 0 and 1"):
        Training(settings_of("ncg_l2_tanh"), [0], images, np)
