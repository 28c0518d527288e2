"""Attacks that leave the class scores' pixels alone: those stay to the bit, and the shortest way around is taken."""

import numpy as np
import pytest
from kit import attacked_digits, tolerances
from kit.example_convolution import convolutional_example

from stages.attack import catalogue
from stages.attack.attack_network import attack_images
from stages.attack.methods.sensitivity import nearest_direction
from stages.attack.victim import Victim
from stages.runtime.errors import UserError

HELD = attacked_digits.CLASSES
RADII = {"first": 0.5, "last": 2.0, "step": 0.5}
WALK = {"step": 0.1, "iterations": 15}
CW = {"method": "cw", "outputs": "scores", "confidence": 0.0, "rate": 0.1, "searches": 3, "iterations": 8}
ATTACKS = {
    "moving": {"method": "sensitivity", "target": "moving", "kappa": 1.0, **WALK},
    "each": {"method": "sensitivity", "target": "each", "kappa": 1.0, **WALK},
    "pgd": {"method": "pgd", "loss": "ce", **WALK},
    "fgsm": {"method": "fgsm", "loss": "ce"},
    "cw": {**CW, "constant": 1.0},
    "transfer": {"method": "transfer", "loss": "ce", **WALK},
}


def perturbations(victim, attack):
    """Return (the perturbations (sample, pixel) that the attack found, whether each succeeded)."""
    images, labels = attacked_digits.readable(victim, 30)
    found, _ = attack_images(victim, images, labels, attack, RADII)
    return found["adversarial"][1] - found["original"][1], found["success"][1]


@pytest.mark.parametrize("name", ATTACKS)
def test_held_pixels_stay_to_the_bit_and_the_others_are_attacked(name):
    victim = attacked_digits.victim("tanh")
    victim.surrogate = attacked_digits.victim("relu")
    free, success = perturbations(victim, ATTACKS[name])
    held, success_held = perturbations(victim, ATTACKS[name] | {"hold": "scores"})
    assert np.any(free[success][:, :HELD] != 0)
    assert success_held.any()
    assert not np.any(held[:, :HELD])
    assert np.all(np.any(held[success_held] != 0, axis=1))
    assert success_held.sum() <= success.sum()


def test_an_attack_after_a_held_one_is_free_again():
    victim = attacked_digits.victim("tanh")
    before, _ = perturbations(victim, ATTACKS["moving"])
    perturbations(victim, ATTACKS["moving"] | {"hold": "scores"})
    after, _ = perturbations(victim, ATTACKS["moving"])
    np.testing.assert_array_equal(after, before)


def test_the_direction_is_that_of_the_least_squares_solution_in_the_free_pixels():
    victim = attacked_digits.victim("tanh", "float64")
    images, labels = attacked_digits.readable(victim, 8)
    x = victim.network.columns(images)
    z = victim.read_out(victim.solve(x))
    rows = victim.class_rows()
    victim.hold("scores")
    _, directions = nearest_direction(victim, x, labels, 1.0)
    for sample, label in enumerate(labels):
        P = rows[HELD:, :, sample].T  # (class, free pixel)
        shortest = {}
        for rival in set(range(attacked_digits.CLASSES)) - {int(label)}:
            margin = z[label, sample] - z[rival, sample]
            ξ, *_ = np.linalg.lstsq((P[rival] - P[label])[None], np.array([margin]), rcond=None)
            shortest[np.linalg.norm(ξ)] = ξ
        length = min(shortest)
        np.testing.assert_allclose(directions[HELD:, sample], shortest[length] / length, **tolerances.ROUNDING)
        assert not directions[:HELD, sample].any()


def test_a_network_with_a_read_out_of_its_own_has_no_score_pixels():
    example = convolutional_example()
    victim = Victim(example.network, example.classes)
    with pytest.raises(UserError, match=r"hold: scores: wanted a network whose scores are the first components"):
        victim.hold("scores")


def test_another_word_is_refused_and_the_settings_are_named():
    with pytest.raises(UserError, match=r"hold: 'nose' is not one of \['scores'\].*method fgsm takes loss, hold"):
        catalogue.checked({"method": "fgsm", "loss": "ce", "hold": "nose"})
