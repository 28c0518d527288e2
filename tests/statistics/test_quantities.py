"""What claims measure of a store, on stores of a few numbers: each quantity is the one that its name says."""

import math
from types import SimpleNamespace

import numpy as np
import pytest
import xarray as xr

from stages.statistics.measurements import QUANTITIES

CONFIG = {
    "attack": {"radii": {"first": 0.5, "last": 2.0, "step": 0.5}},
    "claims": {"attack_norm": 1.0},
    "solvers": {"inference": ["euler", "ode45"]},
}


def measured(stage, **variables):
    """Return {quantity: its value} of a store with these variables, as far as they are there."""
    coordinates = variables.pop("coordinates", {})
    attributes = variables.pop("attributes", {})
    arrays = {
        name: ([f"{name}_{axis}" for axis in range(np.ndim(values))], np.asarray(values))
        for name, values in variables.items()
    }
    dataset = xr.Dataset(arrays, coords=coordinates, attrs=attributes)
    found = {}
    for name, take in QUANTITIES[stage](CONFIG).items():
        try:
            found[name] = float(take(dataset))
        except KeyError:
            continue
    return SimpleNamespace(**found)


def test_accuracy_is_that_after_the_last_epoch():
    assert measured("train", test_accuracy=[0.9, 0.98, 0.97]).accuracy == pytest.approx(97.0)


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
    found = measured("noise", accuracy=[1.0, 0.8, 0.0], noise_std=[0.0, 0.1, 0.2])
    assert found.noise_area == pytest.approx(100 * (0.9 * 0.1 + 0.4 * 0.1) / 0.2)
    found = measured("noise", accuracy=[1.0, 0.8, 0.0], noise_std=[0.0, 0.01, 0.2])
    assert found.noise_area == pytest.approx(100 * (0.9 * 0.01 + 0.4 * 0.19) / 0.2)


def test_errors_are_looked_for_over_the_whole_depth():
    found = measured(
        "sensitivity",
        estimated=[0.5, 9.0, 1.5],
        relative_error=[0.0, 0.3, 0.1],
        relative_error_median=[0.0, 0.05, 0.02],
    )
    assert found.growth == pytest.approx(3.0)
    assert found.largest_error == pytest.approx(0.3)
    assert found.largest_median_error == pytest.approx(0.05)


def test_each_solver_has_its_own_accuracy():
    solvers = ("solver", ["euler", "ode45"])
    found = measured("solvers", test_accuracy=[0.9, 0.8], coordinates={"inference_solver": solvers})
    assert (found.accuracy_under_euler, found.accuracy_under_ode45) == pytest.approx((90.0, 80.0))


def test_predictions_are_judged_at_small_noise_and_on_average():
    gaps = {"pixel_predicted": [0.9, 0.9, 0.9], "pixel_measured": [0.9, 0.92, 0.5], "noise_std": [0.0, 0.08, 0.1]}
    found = measured("uncertainty", **gaps)
    assert found.largest_gap == pytest.approx(2.0)
    assert found.mean_gap == pytest.approx((0 + 2 + 40) / 3)


def attacked(**changes):
    """Four images of two pixels: three are changed, one of them in the last ball alone, one not at all."""
    original = np.full((4, 2), 0.5)
    moved = np.array([[0.4, 0.0], [0.6, 0.8], [0.0, 1.8], [0.0, 0.0]])
    store = {
        "success": [True, True, True, False],
        "norm": [0.4, 1.0, 1.8, np.nan],
        "original": original,
        "adversarial": original + moved,
        "attributes": {"seconds": 7.0},
    }
    return measured("attack", **store | changes)


def test_success_is_counted_at_a_norm_at_the_last_and_over_the_curve():
    found = attacked()
    assert found.success_at_norm == pytest.approx(50.0)
    assert found.success_at_last == pytest.approx(75.0)
    shares = [0, 25, 50, 50, 75]  # at 0, 0.5, 1, 1.5, 2
    assert found.success_over_curve == pytest.approx(np.trapezoid(shares, dx=0.5) / 2)
    assert found.attack_seconds == 7.0


def test_a_norm_counts_for_the_share_that_it_reached():
    assert attacked().norm_per_success == pytest.approx((0.4 + 1.0 + 1.8) / 3 / 0.75)
    nothing = attacked(success=[False] * 4, norm=[np.nan] * 4)
    assert nothing.norm_per_success == np.inf
    assert np.isnan(nothing.single_pixel_share)


def test_a_perturbation_on_one_pixel_has_the_share_one():
    assert attacked().single_pixel_share == pytest.approx((1 + 0.8 + 1) / 3)
