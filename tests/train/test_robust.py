"""Robust training: nothing else changes, the same bits resumed and in lockstep, and attacks succeed less often."""

from argparse import Namespace

import numpy as np
import pytest
from kit import attacked_digits, digits, strict_device, tolerances

from stages.attack.attack_network import attack_images
from stages.attack.victim import Victim
from stages.perturbations.ball import norms
from stages.runtime.arrays import to_host
from stages.runtime.errors import UserError
from stages.storage import stores
from stages.train import robust, train_network
from stages.train.training import Training

RADIUS = 0.4
ROBUST = {"radius": RADIUS, "steps": 1, "from_batch": 2, "share": 0.5}
MODELS = ["sgd_ce_relu", "sgd_l2_tanh", "ncg_ce_relu", "ncg_l2_tanh", "ncg-sobolev_ce_tanh"]
CLASSES = attacked_digits.CLASSES


def data(train=80, test=40):
    (train_image, train_label), (test_image, test_label) = digits.blobs(train, seed=1), digits.blobs(test, seed=2)
    return {"train_image": train_image, "train_label": train_label, "test_image": test_image, "test_label": test_label}


def settings_of(model, **changes):
    return digits.train_settings(model, trainer={"robust": ROBUST | changes})


# --- the batches that are moved ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("model", MODELS)
def test_before_from_batch_it_is_the_plain_training(model):
    settings = settings_of(model, from_batch=10**6)
    robustly, plainly = Training(settings, [0], data(), np), Training(digits.train_settings(model), [0], data(), np)
    for training in (robustly, plainly):
        training.run()
    np.testing.assert_array_equal(robustly.network.parameters, plainly.network.parameters)
    assert not np.any(robustly.history["moved"])
    assert set(robustly.history) - set(plainly.history) == set(robust.Adversary.PER_BATCH)


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
        norm = norms(x0 - images.T)
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
    for name in robust.Adversary.PER_BATCH:
        found = np.array(there.history[name])
        np.testing.assert_allclose(found, np.array(here.history[name]), **tolerances.FEW_ITERATIONS)


# --- the stores -------------------------------------------------------------------------------------------------------


def test_a_store_tells_what_was_moved_and_that_of_a_plain_training_does_not(tmp_path):
    digits.write_digits(tmp_path / "digits.zarr", train=100)
    train(tmp_path, settings_of("ncg_ce_relu"), [0], "robust")
    train(tmp_path, digits.train_settings("ncg_ce_relu"), [0], "plain")
    robustly, plainly = stores.read(tmp_path / "robust0.zarr"), stores.read(tmp_path / "plain0.zarr")
    assert set(robustly.variables) - set(plainly.variables) == set(robust.Adversary.PER_BATCH)
    for name in robust.Adversary.PER_BATCH:
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
