"""What single images contribute: with the whole sample it gives the very numbers that tables and figures show."""

import made_up_stores
import numpy as np
import pytest
import xarray as xr

from stages.statistics.measured import Unusable, combined, measured
from stages.statistics.measurements import QUANTITIES
from stages.statistics.outcomes import OUTCOMES, outcomes, percent, resample
from stages.statistics.selective import roc_area

IMAGES = 60


@pytest.fixture
def config():
    return made_up_stores.configuration.load(made_up_stores.ROOT, "smoke", {"attack": {"images": IMAGES}})


def dataset(stage, rng, config):
    """Return a run's dataset of a stage with outcomes at random."""
    if stage == "noise":
        std = np.array(config["noise"]["std"])
        correct = rng.random((len(std), 3, IMAGES)) < 0.9 - std[:, None, None]
        variables = {"correct": (("noise_std", "draw", "sample"), correct)}
        variables["accuracy"] = (("noise_std",), correct.mean(axis=(1, 2)))
        return xr.Dataset(variables, {"noise_std": std})
    if stage == "solvers":
        correct = rng.random((2, IMAGES)) < 0.8
        variables = {"correct": (("inference_solver", "sample"), correct)}
        variables["test_accuracy"] = (("inference_solver",), correct.mean(axis=1))
        return xr.Dataset(variables, {"inference_solver": ["euler", "ode45"]})
    if stage == "uncertainty":
        right, surplus = rng.random(IMAGES) < 0.8, rng.normal(0.02, 0.3, (3, IMAGES))
        variables = {"right": right, "distance": rng.normal(right), "confidence": rng.normal(right)}
        variables = {name: (("sample",), values) for name, values in variables.items()}
        variables |= {
            "pixel_surplus": (("noise_std", "sample"), surplus),
            "pixel_measured": (("noise_std",), np.zeros(3)),
        }
        variables["pixel_predicted"] = (("noise_std",), surplus.mean(axis=1))
        return xr.Dataset(variables, {"noise_std": [0.0, 0.05, 0.2]})
    # Attacked are two of three images; some attacks fail, and a success may have changed nothing.
    attacked = np.sort(rng.permutation(IMAGES)[: 2 * IMAGES // 3])
    success = rng.random(len(attacked)) < 0.7
    original = rng.random((len(attacked), 9)).astype(np.float32)
    change = rng.normal(size=original.shape) * np.where(success, 0.2, 0)[:, None]
    change[np.flatnonzero(success)[0]] = 0
    norm = np.where(success, np.linalg.norm(change, axis=1), np.nan)
    arrays = {"success": success, "norm": norm, "image_index": attacked}
    variables = {name: (("sample",), values) for name, values in arrays.items()}
    variables |= {"original": (("sample", "pixel"), original)}
    variables |= {"adversarial": (("sample", "pixel"), (original + change).astype(np.float32))}
    return xr.Dataset(variables, attrs={"seconds": 1.0})


@pytest.mark.parametrize("stage", ["noise", "solvers", "attack", "uncertainty"])
def test_the_statistic_of_the_sample_itself_is_the_quantity(stage, rng, config):
    run = dataset(stage, rng, config)
    expected = QUANTITIES[stage](config)
    found = {name: take(run) for name, take in OUTCOMES[stage](config).items()}
    if stage == "noise":
        expected["accuracy"] = lambda run: 100 * run["correct"].values[0, 0].mean()
    assert set(found) == set(expected) - {"attack_seconds"}
    for name, each in found.items():
        assert each.values.shape[1] == IMAGES
        whole = each.statistic(each.values.astype(np.float64).mean(axis=1))
        assert whole == pytest.approx(expected[name](run), rel=1e-6), name  # single images are kept in float32


def test_a_network_without_success_has_an_infinite_norm_and_no_pixel(rng, config):
    run = dataset("attack", rng, config)
    run["success"][:] = False
    known = {name: take(run) for name, take in OUTCOMES["attack"](config).items()}
    found = resample(known, 100, 1)
    assert (found["success_at_norm"] == 0).all()
    assert np.isposinf(found["norm_per_success"]).all()
    assert np.isnan(found["single_pixel_share"]).all()


def test_what_looks_at_the_same_images_is_resampled_together(rng):
    hardness = rng.random(200)
    easy, same, fewer = (outcomes(percent, values < 0.8) for values in (hardness, hardness, hardness[:100]))
    found = resample({"a": easy, "b": same, "c": fewer}, 200, 1)
    np.testing.assert_array_equal(found["a"], found["b"])
    assert found["c"].std() > found["a"].std()
    np.testing.assert_array_equal(resample({"b": same}, 200, 1)["b"], found["b"])  # whoever else is there
    assert not np.array_equal(resample({"b": same}, 200, 2)["b"], found["b"])  # another seed of the experiment


def test_too_few_images_are_not_resampled():
    few = outcomes(percent, np.ones(9))
    reasons = resample({"few": few, "none": Unusable("not run: x")}, 200, 1)
    assert reasons["few"].reason == "1 run on 9 images, wanted at least 10"
    assert reasons["none"].reason == "not run: x"


def test_what_is_combined_is_combined_in_every_run_and_resampling(rng):
    one, other = (measured(values) for values in ([1.0, 2.0], [3.0, 6.0]))
    assert combined(lambda parts: np.mean(parts, axis=0), [one, other]).runs.tolist() == [2.0, 4.0]
    assert combined(lambda parts: np.mean(parts, axis=0), [one, other]).resampled is None
    assert combined(np.sum, [one, Unusable("not run: x")]).reason == "not run: x"


def test_a_resampled_roc_area_is_that_of_the_resampled_answers_to_first_order(rng, config):
    """Against the area of every resampling itself: the spread is the same, and each lies close by."""
    count = 500
    right = rng.random(count) < 0.9
    sureness = rng.normal(right, 0.6)
    run = xr.Dataset({"right": (("sample",), right), "distance": (("sample",), sureness)})
    each = OUTCOMES["uncertainty"](config)["roc_area_distance"](run)
    drawn = rng.integers(count, size=(400, count))
    exact = np.array([roc_area(sureness[some], right[some]) for some in drawn])
    first_order = np.array([each.statistic(each.values[:, some].mean(axis=1)) for some in drawn])
    assert first_order.std() == pytest.approx(exact.std(), rel=0.05)
    assert np.abs(first_order - exact).mean() < 0.1 * exact.std()
