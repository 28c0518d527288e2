"""What single images contribute: with the whole sample it gives the very numbers that tables and figures show."""

import numpy as np
import pytest
import xarray as xr
from kit import made_up_stores

from stages.claims.measured import Unusable, combined, measured
from stages.claims.per_image import PerImage, per_image, percent, resample
from stages.claims.quantities import QUANTITIES
from stages.statistics.attack_curves import radii, susceptible
from stages.statistics.selective_prediction import roc_area

IMAGES = 60


@pytest.fixture
def config():
    return made_up_stores.configuration.load(
        made_up_stores.ROOT, "smoke", {"attack": {"images": IMAGES}}
    )  # radii 0.25 apart


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
        variables["test_accuracy"] = variables["train_accuracy"] = (("inference_solver",), correct.mean(axis=1))
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
    arrays = {"success": success, "norm": norm, "norm_unconfined": norm, "image_index": attacked}
    variables = {name: (("sample",), values) for name, values in arrays.items()}
    variables |= {"original": (("sample", "pixel"), original)}
    variables |= {"adversarial": (("sample", "pixel"), (original + change).astype(np.float32))}
    return xr.Dataset(variables, attrs={"seconds": 1.0})


def taken(stage, run, config):
    """Return {quantity: PerImage or a number} of a run."""
    return {name: take(run) for name, take in QUANTITIES[stage](config, "ncg_l2_tanh", "sensitivity").items()}


def shown(stage, run, config):
    """Return the same quantities by the formulas of tables and figures, which know no single image."""
    if stage == "noise":
        std, accuracy = run["noise_std"].values, 100 * run["accuracy"].values
        area = np.trapezoid(accuracy, std) / (std[-1] - std[0])
        clean = 100 * run["correct"].values[0, 0].mean()
        return {"accuracy": clean, "noise_area": area, "noise_loss": accuracy[0] - accuracy[-1]}
    if stage == "solvers":
        return {
            f"accuracy_under_{name}": 100 * run["test_accuracy"].values[n] for n, name in enumerate(["euler", "ode45"])
        }
    if stage == "uncertainty":
        gaps = 100 * np.abs(run["pixel_predicted"].values - run["pixel_measured"].values)
        areas = {
            f"roc_area_{name}": roc_area(run[name].values, run["right"].values) for name in ("distance", "confidence")
        }
        return areas | {"largest_gap": gaps[run["noise_std"].values <= 0.08].max(), "mean_gap": gaps.mean()}
    norms, success = radii(config["attack"]["radii"]), run["success"].values
    change = (run["adversarial"].values - run["original"].values)[success].astype(np.float64)
    sizes = np.linalg.norm(change, axis=1)
    small = (sizes > 0) & (sizes <= config["claims"]["pictured_norm"])
    inner = norms[norms <= 0.5]
    return {
        "success_at_norm": 100 * susceptible(run, [0.5])[0],
        "success_up_to_norm": 100 * np.trapezoid(susceptible(run, inner), inner) / 0.5,
        "success_over_curve": 100 * np.trapezoid(susceptible(run, norms), norms) / norms[-1],
        "success_at_last": 100 * success.mean(),
        "norm_per_success": run["norm"].values[success].mean() / success.mean(),
        "mean_norm": run["norm"].values[success].mean(),
        "max_norm": run["norm"].values[success].max(),
        "single_pixel_share": (np.abs(change[small]).max(axis=1) / sizes[small]).mean(),
        "attack_seconds": 1.0,
    }


@pytest.mark.parametrize("stage", ["noise", "solvers", "attack", "uncertainty"])
def test_the_value_of_a_run_is_what_tables_and_figures_show(stage, rng, config):
    run = dataset(stage, rng, config)
    expected, found = shown(stage, run, config), taken(stage, run, config)
    assert set(found) - set(expected) <= {"solves", "train_accuracy_under_euler", "train_accuracy_under_ode45"}
    for name, value in expected.items():
        each = found[name]
        if isinstance(each, PerImage):
            assert each.values.shape[1] == IMAGES
            each = each.value
        assert each == pytest.approx(value, rel=1e-6), name  # single images are kept in float32


def test_a_network_without_success_has_an_infinite_norm_and_no_pixel(rng, config):
    run = dataset("attack", rng, config)
    run["success"][:] = False
    found = resample(
        {name: each for name, each in taken("attack", run, config).items() if isinstance(each, PerImage)}, 100, 1
    )
    assert (found["success_at_norm"] == 0).all()
    assert np.isposinf(found["norm_per_success"]).all()
    assert np.isnan(found["single_pixel_share"]).all()


def test_what_looks_at_the_same_images_is_resampled_together(rng):
    hardness = rng.random(200)
    easy, same, fewer = (per_image(percent, values < 0.8) for values in (hardness, hardness, hardness[:100]))
    found = resample({"a": easy, "b": same, "c": fewer}, 200, 1)
    np.testing.assert_array_equal(found["a"], found["b"])
    assert found["c"].std() > found["a"].std()
    np.testing.assert_array_equal(resample({"b": same}, 200, 1)["b"], found["b"])  # whoever else is there
    assert not np.array_equal(resample({"b": same}, 200, 2)["b"], found["b"])  # another seed of the experiment


def test_too_few_images_are_not_resampled():
    few = per_image(percent, np.ones(9))
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
    confidence = rng.normal(right, 0.6)
    run = xr.Dataset({"right": (("sample",), right), "distance": (("sample",), confidence)})
    each = QUANTITIES["uncertainty"](config, "ncg_l2_tanh", "")["roc_area_distance"](run)
    drawn = rng.integers(count, size=(400, count))
    exact = np.array([roc_area(confidence[some], right[some]) for some in drawn])
    first_order = np.array([each.statistic(each.values[:, some].mean(axis=1)) for some in drawn])
    assert first_order.std() == pytest.approx(exact.std(), rel=0.05)
    assert np.abs(first_order - exact).mean() < 0.1 * exact.std()
