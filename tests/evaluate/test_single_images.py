"""What the evaluation stages keep of single images: their means are the numbers that the stores always had."""

from types import SimpleNamespace

import numpy as np
import pytest
from kit.digits import CLASSES, train_settings, write_digits

from stages.evaluate import estimate_sensitivity, evaluate_noise, evaluation, swap_solvers
from stages.model.classify import accuracy
from stages.model.network import initial_network
from stages.storage import stores

TEST = 130


@pytest.fixture(scope="module")
def evaluated(tmp_path_factory):
    """A network as training starts with, evaluated by the three programs: {stage: dataset}, the network, the digits."""
    folder = tmp_path_factory.mktemp("evaluated")
    write_digits(folder / "digits.zarr", test=TEST)
    trained = train_settings()
    network = initial_network(
        np.random.default_rng(3), width=25, depth=4, interval=3.0, activation="tanh", std=0.2, dtype="float32"
    )
    weights = {"W": (("layer", "out", "in"), network.W), "b": (("layer", "out"), network.b)}
    stores.write(folder / "network.zarr", weights, settings=trained, inputs={})
    blocks = {
        "noise": {"noise": {"std": [0.0, 0.1, 0.5], "draws": 2, "clip": False}},
        "solvers": {"solvers": {"inference": ["euler", "ode45"]}, "ode45": {"rtol": 1e-3, "atol": 1e-3, "norm": "rms"}},
        "sensitivity": {"sensitivity": {"std": 0.01, "images": 50, "weight_std": 0.01, "bias_std": 0.01}},
    }
    programs = {"noise": evaluate_noise, "solvers": swap_solvers, "sensitivity": estimate_sensitivity}
    found = {}
    for stage, program in programs.items():
        settings = {"seed": 1, "trained": trained} | blocks[stage]
        options = SimpleNamespace(
            settings=settings,
            device="cpu",
            digits=folder / "digits.zarr",
            network=folder / "network.zarr",
            out=folder / f"{stage}.zarr",
        )
        evaluation.main(program.evaluate, options)
        found[stage] = stores.read(options.out, settings)
    return found, network, stores.read(folder / "digits.zarr")


def test_accuracies_under_noise_are_the_means_over_images_to_the_last_bit(evaluated):
    noise, network, digits = evaluated[0]["noise"], *evaluated[1:]
    assert noise["correct"].dims == ("noise_std", "draw", "sample")
    assert noise["correct"].dtype == bool
    by_draw = noise["correct"].values.mean(axis=-1)
    np.testing.assert_array_equal(noise["accuracy_by_draw"].values, by_draw)
    np.testing.assert_array_equal(noise["accuracy"].values, by_draw.mean(axis=1))
    clean = accuracy(network, digits["test_image"].values, digits["test_label"].values, CLASSES)
    assert noise["accuracy"].values[0] == clean
    assert 0 < clean < 1


def test_accuracies_of_solvers_are_the_means_over_test_images_to_the_last_bit(evaluated):
    solvers, network, digits = evaluated[0]["solvers"], *evaluated[1:]
    assert solvers["correct"].shape == (2, TEST)
    np.testing.assert_array_equal(solvers["test_accuracy"].values, solvers["correct"].values.mean(axis=1))
    for part in ("train", "test"):
        whole = accuracy(network, digits[f"{part}_image"].values, digits[f"{part}_label"].values, CLASSES)
        assert solvers[f"{part}_accuracy"].values[0] == whole


def test_growth_and_largest_error_follow_from_single_images(evaluated):
    sensitivity = evaluated[0]["sensitivity"]
    means = {
        name: sensitivity[name].values.mean(dtype=np.float64)
        for name in ("estimated_at_start", "estimated_at_end", "largest_error")
    }
    curve = sensitivity["estimated"].values
    np.testing.assert_allclose(means["estimated_at_start"], curve[0], rtol=1e-7)  # float32 in the store
    np.testing.assert_allclose(means["estimated_at_end"], curve[-1], rtol=1e-7)
    np.testing.assert_allclose(means["largest_error"], sensitivity["relative_error"].values.max(), rtol=1e-7)
    assert sensitivity["estimated_at_end"].dtype == np.float32
    assert sensitivity["largest_error"].shape == (50,)
