"""What claims measure of a store, on stores of a few numbers: each quantity is the one that its name says."""

import math
from types import SimpleNamespace

import numpy as np
import pytest
import xarray as xr

from stages.claims.attack_quantities import solves
from stages.claims.per_image import PerImage
from stages.claims.quantities import QUANTITIES

CONFIG = {
    "data": {"side": 14},
    "trainers": {"ncg": {}, "ncg-conv": {"side": 28}},
    "attack": {
        "images": 4,
        "radii": {"first": 0.5, "last": 2.0, "step": 0.5},
        "attacks": {"fgsm": {"method": "fgsm"}},
    },
    "claims": {"attack_norm": 1.0, "pictured_norm": 1.2},
    "solvers": {"inference": ["euler", "ode45"]},
    "noise": {"std": [0.0, 0.1]},
}


def measured(stage, model="ncg_l2_tanh", **variables):
    """Return {quantity: its value} of a store with these variables, as far as they are there."""
    coordinates = variables.pop("coordinates", {})
    attributes = variables.pop("attributes", {})
    arrays = {
        name: ([f"{name}_{axis}" for axis in range(np.ndim(values))], np.asarray(values))
        for name, values in variables.items()
    }
    dataset = xr.Dataset(arrays, coords=coordinates, attrs=attributes)
    values = {}
    for name, take in QUANTITIES[stage](CONFIG, model, "fgsm").items():
        try:
            taken = take(dataset)
        except KeyError:
            continue
        values[name] = taken.value if isinstance(taken, PerImage) else float(taken)
    return SimpleNamespace(**values)


def test_accuracy_is_that_after_the_last_epoch():
    assert measured("train", test_accuracy=[0.9, 0.98, 0.97]).trained_accuracy == pytest.approx(97.0)


def test_the_norm_of_the_weights_may_stand_still_while_they_turn():
    angles = np.linspace(0, math.pi, 4)
    W = np.array([[[math.cos(φ), -math.sin(φ)], [math.sin(φ), math.cos(φ)]] for φ in angles])
    found = measured("train", W=W)
    assert found.norm_variation == pytest.approx(0.0, abs=1e-12)
    chord = 2 * math.sqrt(2) * math.sin(math.pi / 6)  # of two rotations by a third of π
    assert found.weight_variation == pytest.approx(3 * chord)


def test_variation_counts_every_way_up_and_down():
    found = measured("train", W=[[[1.0]], [[4.0]], [[2.0]], [[3.0]]])
    assert found.norm_variation == found.weight_variation == pytest.approx(3 + 2 + 1)


def test_under_noise_a_level_counts_for_its_width():
    correct = np.zeros((3, 1, 10), bool)
    correct[0], correct[1, :, :8] = True, True
    found = measured("noise", correct=correct, noise_std=[0.0, 0.1, 0.2])
    assert found.noise_area == pytest.approx(100 * (0.9 * 0.1 + 0.4 * 0.1) / 0.2)
    assert (found.accuracy, found.noise_loss) == (100.0, 100.0)
    found = measured("noise", correct=correct, noise_std=[0.0, 0.01, 0.2])
    assert found.noise_area == pytest.approx(100 * (0.9 * 0.01 + 0.4 * 0.19) / 0.2)


def test_errors_are_looked_for_over_the_whole_depth():
    found = measured(
        "sensitivity",
        estimated=[0.5, 9.0, 1.5],
        measured=[0.5, 10.0, 1.5],
        estimated_at_start=[0.25, 0.75],
        estimated_at_end=[1.0, 2.0],
        largest_error=[0.2, 0.4],
        relative_error_median=[0.0, 0.05, 0.02],
    )
    assert found.growth == pytest.approx(3.0)
    assert found.largest_error == pytest.approx(0.3)
    assert found.largest_median_error == pytest.approx(0.05)
    assert found.curve_distance == pytest.approx(0.1)


def test_each_solver_has_its_own_accuracy():
    solvers = ("solver", ["euler", "ode45"])
    correct = [[True] * 9 + [False], [True] * 8 + [False] * 2]
    found = measured("solvers", correct=correct, train_accuracy=[0.99, 0.98], coordinates={"inference_solver": solvers})
    assert (found.accuracy_under_euler, found.accuracy_under_ode45) == pytest.approx((90.0, 80.0))
    assert found.train_accuracy_under_ode45 == pytest.approx(98.0)


def test_predictions_are_judged_at_small_noise_and_on_average():
    surplus = np.array([[0.0, 0.0], [-0.04, 0.0], [0.5, 0.3]])
    found = measured("uncertainty", pixel_surplus=surplus, noise_std=[0.0, 0.08, 0.1])
    assert found.largest_gap == pytest.approx(2.0)
    assert found.mean_gap == pytest.approx((0 + 2 + 40) / 3)


def attacked(model="ncg_l2_tanh", **changes):
    """Four images of two pixels: three are changed, one of them in the last ball alone, one not at all."""
    original = np.full((4, 2), 0.5)
    moved = np.array([[0.4, 0.0], [0.6, 0.8], [0.0, 1.8], [0.0, 0.0]])
    store = {
        "success": [True, True, True, False],
        "norm": [0.4, 1.0, 1.8, np.nan],
        "image_index": [0, 1, 2, 3],
        "original": original,
        "adversarial": original + moved,
        "attributes": {"seconds": 7.0},
    }
    return measured("attack", model, **store | changes)


def test_success_is_counted_at_a_norm_at_the_last_and_over_the_curve():
    found = attacked()
    assert found.success_at_norm == pytest.approx(50.0)
    assert found.success_at_last == pytest.approx(75.0)
    shares = [0, 25, 50, 50, 75]  # at 0, 0.5, 1, 1.5, 2
    assert found.success_over_curve == pytest.approx(np.trapezoid(shares, dx=0.5) / 2)
    assert found.success_up_to_norm == pytest.approx((0 + 25) / 4 + (25 + 50) / 4)
    assert found.attack_seconds == 7.0


def test_on_larger_images_norms_are_the_same_per_pixel():
    """Twice the side: norm 1 is meant as norm 2, and the curve goes on to norm 4."""
    found = attacked("ncg-conv_l2_tanh")
    assert found.success_at_norm == pytest.approx(75.0)
    shares = [0, 50, 75, 75, 75]  # at 0, 1, 2, 3, 4
    assert found.success_over_curve == pytest.approx(np.trapezoid(shares, dx=1.0) / 4)
    assert found.success_up_to_norm == pytest.approx(np.trapezoid(shares[:3], dx=1.0) / 2)


def test_a_norm_counts_for_the_share_that_it_reached():
    assert attacked().norm_per_success == pytest.approx((0.4 + 1.0 + 1.8) / 3 / 0.75)
    nothing = attacked(success=[False] * 4, norm=[np.nan] * 4)
    assert nothing.norm_per_success == np.inf
    assert np.isnan(nothing.single_pixel_share)


def test_a_perturbation_on_one_pixel_has_the_share_one_and_large_ones_are_left_out():
    assert attacked().single_pixel_share == pytest.approx((1 + 0.8) / 2)
    assert (attacked().mean_norm, attacked().max_norm) == pytest.approx((3.2 / 3, 1.8))


def test_solves_are_counted_as_the_papers_algorithm_makes_them():
    """A direct problem, then two problems per iteration; nine targets begin nine times."""
    moving = xr.Dataset({"norm_unconfined": ("sample", [0.05, 0.12, np.nan])})
    assert solves(moving, 0.06, 15).tolist() == [1 + 2, 1 + 4, 1 + 30]
    towards = np.full((1, 10), np.nan)
    towards[0, :2] = 0.06, 0.18  # the label, which is no target, and one success; eight failures
    each = xr.Dataset(
        {"norm_by_target": (("sample", "target"), towards), "label": ("sample", [0])}, {"target": np.arange(10)}
    )
    assert solves(each, 0.06, 15).tolist() == [(1 + 6) + 8 * (1 + 30)]
