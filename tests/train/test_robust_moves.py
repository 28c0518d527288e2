"""The moves of robust training: which images of a batch are moved, where to, and by how much."""

import numpy as np
import pytest
from kit import attacked_digits, strict_device, tolerances

from stages.attack.methods.sensitivity import nearest_direction
from stages.attack.victim import Victim
from stages.model.network import Network
from stages.perturbations.least_perturbations import least_perturbations
from stages.train import robust
from stages.train.robust import Adversary

RADIUS = 0.4
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
    read, direction = nearest_direction(victim, before, labels, 1.0)
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
    v, size, length = least_perturbations(victim.class_rows(), z, labels, 1.0)
    z[labels, here] = -np.inf
    np.put_along_axis(length, np.argsort(-z, axis=0, kind="stable")[rivals:], np.inf, axis=0)
    nearest = length.argmin(axis=0)
    expected = before + length[nearest, here].clip(0, radius) * (v / size)[:, nearest, here]
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
        for name in robust.Adversary.PER_BATCH:
            assert recorded[name][run] == found[name]
    assert (recorded["moved"] > 0).all()


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
    assert strict_device.transfers.count == len(robust.Adversary.PER_BATCH)
