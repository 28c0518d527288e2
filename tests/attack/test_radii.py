"""The smallest ball in which an attack succeeds: paths that are shared between radii are those of separate runs."""

import numpy as np
import pytest
from kit import attacked_digits

from stages.attack import loss_gradient, radii, smallest_radius
from stages.attack.methods import fgsm as fast_gradient
from stages.attack.methods import sensitivity as sensitivity_attack
from stages.attack.walk import Walk, walk_on
from stages.perturbations.ball import confine, norms
from stages.runtime.errors import UserError

RADII = [0.1, 0.25, 0.4, 0.55, 0.9]


def walk_of(victim, labels, method, step=0.06, iterations=15):
    cost = loss_gradient.attacked_cost(victim, "ce")

    def direction(x, indices):
        if method == "pgd":
            return loss_gradient.loss_direction(victim, cost, x, labels[indices])
        return sensitivity_attack.nearest_direction(victim, x, labels[indices], 1.0)

    return Walk(direction, victim, step, iterations, method != "pgd")


def from_scratch(walk, origin, label, sample, radius):
    """Walk one image (pixel, 1) inside one ball, from its start; return (image, steps, misread)."""
    x, who = origin.copy(), np.array([sample])
    for taken in range(walk.iterations):
        found, direction = walk.direction(x, who)
        if walk.stop_when_misclassified and found[0] != label:
            return x, taken, True
        x = confine(x + walk.step * direction, origin, radius)
    return x, walk.iterations, walk.victim.predict(x)[0] != label


@pytest.mark.parametrize(
    ("method", "activation", "step"),
    [("sensitivity", "tanh", 0.06), ("sensitivity", "relu", 0.1), ("pgd", "tanh", 0.06), ("pgd", "relu", 0.6)],
)
def test_radii_that_share_a_path_give_the_images_of_separate_runs(method, activation, step):
    victim = attacked_digits.victim(activation, "float64")
    images, labels = attacked_digits.readable(victim, 25)
    walk = walk_of(victim, labels, method, step)
    outcome = smallest_radius.smallest_radius(walk, images, labels, RADII, attacked_digits.silent)
    for sample, label in enumerate(labels):
        origin = victim.network.columns(images[sample : sample + 1])
        runs = {radius: from_scratch(walk, origin, label, sample, radius) for radius in RADII}
        winning = next((radius for radius in RADII if runs[radius][2]), np.nan)
        np.testing.assert_equal(outcome.radius[sample], winning)
        if np.isfinite(winning):
            x, taken, _ = runs[winning]
            np.testing.assert_allclose(outcome.adversarial[sample], x[:, 0], atol=1e-9)
            assert outcome.iterations[sample] == taken
    assert len(set(outcome.radius[np.isfinite(outcome.radius)])) >= 3


@pytest.mark.parametrize("method", ["sensitivity", "pgd"])
def test_a_walk_at_rest_is_spared_its_further_looks_but_counts_all_steps(method):
    """In a ball much smaller than a step an image is at the end of its way after a few."""
    victim = attacked_digits.victim("relu")
    images, labels = attacked_digits.readable(victim, 5)
    walk, radius = walk_of(victim, labels, method, step=0.6, iterations=40), 0.01
    looked = []

    def direction(x, indices):
        looked.append(len(indices))
        return walk.direction(x, indices)

    origin = victim.network.columns(images)
    x, taken = origin.copy(), np.zeros(5, int)
    counted = Walk(direction, walk.victim, walk.step, walk.iterations, walk.stop_when_misclassified)
    misread, _ = walk_on(counted, origin, x, taken, labels, np.arange(5), radius)
    assert not misread.any()
    assert sum(looked) < 5 * walk.iterations / 2
    assert (taken == walk.iterations).all()
    for sample, label in enumerate(labels):
        wanted, _, _ = from_scratch(walk, origin[:, sample : sample + 1], label, sample, radius)
        np.testing.assert_allclose(x[:, sample], wanted[:, 0], atol=1e-6)


@pytest.mark.parametrize("method", ["sensitivity", "pgd", "fgsm"])
def test_no_norm_exceeds_its_radius(method):
    victim = attacked_digits.victim("tanh")
    images, labels = attacked_digits.readable(victim, 60)
    if method == "fgsm":
        outcome = fast_gradient.attack(victim, images, labels, RADII, attacked_digits.silent, loss="ce")
    else:
        walk = walk_of(victim, labels, method)
        outcome = smallest_radius.smallest_radius(walk, images, labels, RADII, attacked_digits.silent)
    won = ~np.isnan(outcome.radius)
    norm = np.linalg.norm(outcome.adversarial.astype("float64") - images, axis=1)
    assert won.sum() >= 10
    assert (norm[won] <= outcome.radius[won]).all()
    assert (norm[~won] == 0).all()


def test_chunks_and_blocks_do_not_change_which_radius_succeeds(monkeypatch):
    victim = attacked_digits.victim("tanh", "float64")
    images, labels = attacked_digits.readable(victim, 23)
    walk = walk_of(victim, labels, "sensitivity")
    whole = smallest_radius.smallest_radius(walk, images, labels, RADII, attacked_digits.silent)
    monkeypatch.setattr(smallest_radius, "CHUNK", 10)
    monkeypatch.setattr(victim, "block", 3)
    shares = []
    parts = smallest_radius.smallest_radius(walk, images, labels, RADII, shares.append)
    np.testing.assert_array_equal(whole.radius, parts.radius)
    np.testing.assert_array_equal(whole.iterations, parts.iterations)
    np.testing.assert_allclose(whole.adversarial, parts.adversarial, atol=1e-9)
    np.testing.assert_allclose(whole.norm_unconfined, parts.norm_unconfined, atol=1e-9)
    assert shares == sorted(shares)
    assert shares[-1] == pytest.approx(1.0)


def test_the_unconfined_norm_of_pgd_is_that_of_the_first_misreading_although_it_walks_on():
    victim = attacked_digits.victim("tanh", "float64")
    images, labels = attacked_digits.readable(victim, 10)
    walk = walk_of(victim, labels, "pgd")
    outcome = smallest_radius.smallest_radius(walk, images, labels, [1000.0], attacked_digits.silent)
    for sample, label in enumerate(labels):
        origin = victim.network.columns(images[sample : sample + 1])
        x, wanted = origin.copy(), np.nan
        for _ in range(walk.iterations + 1):
            found, direction = walk.direction(x, np.array([sample]))
            if found[0] != label:
                wanted = norms(x - origin)[0]
                break
            x = confine(x + walk.step * direction, origin)
        np.testing.assert_allclose(outcome.norm_unconfined[sample], wanted, rtol=1e-9)
    assert np.isfinite(outcome.norm_unconfined).sum() >= 5


def test_radii_run_from_the_first_to_the_last_inclusive():
    found = radii.radii_of({"first": 0.02, "last": 1.0, "step": 0.02})
    assert len(found) == 50
    np.testing.assert_allclose(found, np.arange(1, 51) * 0.02)
    assert radii.radii_of({"first": 0.5, "last": 0.5, "step": 9.0}) == [0.5]
    np.testing.assert_allclose(radii.radii_of({"first": 0.1, "last": 0.45, "step": 0.1}), [0.1, 0.2, 0.3, 0.4])


@pytest.mark.parametrize("wrong", [{"first": 0.0}, {"step": 0.0}, {"last": 0.05}, {"last": float("inf")}])
def test_radii_that_make_no_sense_are_refused(wrong):
    with pytest.raises(UserError, match=r"attack\.radii: wanted 0 < first <= last and step > 0, found"):
        radii.radii_of({"first": 0.1, "last": 1.0, "step": 0.1, **wrong})


def test_an_attack_that_needs_radii_says_so():
    victim = attacked_digits.victim()
    images, labels = attacked_digits.readable(victim, 2)
    with pytest.raises(UserError, match="wanted radii"):
        fast_gradient.attack(victim, images, labels, [], attacked_digits.silent, loss="ce")
    with pytest.raises(UserError, match="wanted radii"):
        smallest_radius.smallest_radius(walk_of(victim, labels, "pgd"), images, labels, [], attacked_digits.silent)
