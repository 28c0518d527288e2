"""Evaluations and attacks on the device give NumPy's numbers."""

import functools
import os

import cupy
import numpy as np
import pretend_cuda
import pytest
import yaml
from kit import attacked_digits, tolerances
from kit.both_sides import moved
from kit.example_convolution import convolutional_example
from kit.project_copy import ROOT

from stages.attack.attack_network import attack_images
from stages.attack.methods.sensitivity import nearest_direction
from stages.attack.victim import Victim
from stages.attack.walk import Walk, walk_on
from stages.evaluate import estimate_sensitivity, estimate_uncertainty, evaluate_noise
from stages.model.classify import accuracy, class_scores
from stages.model.layers.dense import Dense
from stages.model.network import Network
from stages.model.solvers.ode45 import Ode45
from stages.runtime import arrays


def test_the_device_is_chosen_and_named():
    assert arrays.choose("gpu") is arrays.choose("auto") is cupy
    assert arrays.describe(cupy) == "cupy on pretend CUDA device, TF32 off"


def test_a_device_that_cannot_compute_is_not_believed_in(monkeypatch):
    def fails(*arguments, **keywords):
        raise ImportError("libcublas.so.12: cannot open shared object file")

    monkeypatch.setattr(cupy, "ones", fails)
    with pytest.raises(arrays.UserError, match=r"cannot compute a product \(ImportError: libcublas.*envs/gpu.txt"):
        arrays.choose("gpu")
    assert arrays.choose("auto") is np


def test_tf32_is_off_whatever_the_environment_says(monkeypatch):
    monkeypatch.setenv("CUPY_TF32", "1")
    arrays.choose("gpu")
    assert os.environ["CUPY_TF32"] == os.environ["NVIDIA_TF32_OVERRIDE"] == "0"


def test_noise_gives_numpys_outcomes():
    network = attacked_digits.network("tanh", "float64")
    images, labels = attacked_digits.digits(100)
    settings = {
        "seed": 1,
        "noise": {"std": [0.0, 0.1, 0.5], "draws": 2, "clip": True},
        "trained": {"network": {"classes": 10}},
    }
    found = evaluate_noise.correct_on_noisy(moved(network, cupy), images, labels, settings, cupy)
    np.testing.assert_array_equal(found, evaluate_noise.correct_on_noisy(network, images, labels, settings, np))


@pytest.mark.parametrize("ratios", [estimate_sensitivity.input_ratios, estimate_sensitivity.weight_ratios])
def test_sensitivity_gives_numpys_ratios(ratios):
    network = attacked_digits.network("relu", "float64")
    images = attacked_digits.digits(30)[0]
    settings = {"seed": 1, "sensitivity": {"std": 0.01, "weight_std": 0.01, "bias_std": 0.02}}
    found = ratios(moved(network, cupy), images, settings, cupy)
    np.testing.assert_allclose(found, ratios(network, images, settings, np), **tolerances.ANOTHER_DEVICE)


def test_uncertainty_gives_numpys_covariances_and_accuracies():
    network = attacked_digits.network("tanh", "float64")
    images, labels = attacked_digits.digits(30)
    settings = {
        "seed": 1,
        "noise": {"std": [0.0, 0.1]},
        "uncertainty": {"weight_std": [0.0, 0.05], "draws": 2, "lines": 20},
        "trained": {"network": {"classes": 10}},
    }
    data = images, labels, settings
    there, here = (moved(network, cupy), *data, cupy), (network, *data, np)
    found, expected = (estimate_uncertainty.estimated(*case) for case in (there, here))
    for part, expected_part in zip(found, expected, strict=True):
        for name, values in expected_part.items():
            np.testing.assert_allclose(part[name], values, **tolerances.ANOTHER_DEVICE, err_msg=name)


def test_inference_by_ode45_gives_numpys_accuracy():
    network = attacked_digits.network("tanh", "float64")
    images, labels = attacked_digits.digits(100)
    solve = functools.partial(Ode45.final_state, rtol=1e-3, atol=1e-6, norm="rms")
    found = accuracy(moved(network, cupy), cupy.asarray(images), cupy.asarray(labels), 10, solve)
    assert float(found) == accuracy(network, images, labels, 10, solve)


@pytest.mark.parametrize("attack", yaml.safe_load((ROOT / "config.yaml").read_text())["attack"]["attacks"])
def test_every_attack_of_the_configuration_gives_numpys_images(attack):
    images, labels = attacked_digits.digits(25)
    settings = yaml.safe_load((ROOT / "config.yaml").read_text())["attack"]["attacks"][attack]
    confined = None if settings["method"] == "cw" else {"first": 0.2, "last": 0.6, "step": 0.2}
    network = attacked_digits.network("tanh", "float64")
    here, there = (
        attack_images(Victim(side, 10, attacked_digits.LOSS), images, labels, settings, confined)[0]
        for side in (network, moved(network, cupy))
    )
    here, there = ({name: values for name, (_, values, _) in side.items()} for side in (here, there))
    if settings["method"] == "cw":
        alike = np.isclose(there["norm"], here["norm"], **tolerances.LINE_SEARCH_STEPS)
        others = tolerances.OTHER_LINE_SEARCHES
        assert (~alike).mean() <= others["share"]
        np.testing.assert_allclose(there["norm"], here["norm"], rtol=others["rtol"])
        here, there = ({name: values[alike] for name, values in side.items()} for side in (here, there))
    tolerance = tolerances.LINE_SEARCH_STEPS if settings["method"] == "cw" else tolerances.ATTACKED_PIXELS
    assert here.keys() == there.keys()
    for name, values in here.items():
        np.testing.assert_allclose(there[name], values, **tolerance, err_msg=name)


def test_a_network_with_scores_of_its_own_gives_numpys_numbers():
    plain = attacked_digits.network("relu", "float64")
    network = Network(plain.W, plain.b, plain.interval, plain.activation, Dense(plain.width, 10))
    images, labels = attacked_digits.digits(25)
    images, there = np.ascontiguousarray(images[:, 10:]), moved(network, cupy)
    settings = {"seed": 1, "noise": {"std": [0.0, 0.3], "draws": 1, "clip": False}}
    settings |= {"trained": {"network": {"classes": 10}}, "sensitivity": {"std": 0.01}}
    settings |= {"uncertainty": {"weight_std": [0.05], "draws": 1, "lines": 10}}
    found, wanted = (
        [
            evaluate_noise.correct_on_noisy(side, images, labels, settings, xp),
            estimate_sensitivity.input_ratios(side, images, settings, xp),
            *estimate_uncertainty.estimated(side, images, labels, settings, xp)[0].values(),
        ]
        for side, xp in ((there, cupy), (network, np))
    )
    for mine, theirs in zip(found, wanted, strict=True):
        np.testing.assert_allclose(mine, theirs, **tolerances.ANOTHER_DEVICE)
    labels = class_scores(network, images, 10).argmax(axis=1)  # so that there is something to attack
    attack = {"method": "sensitivity", "target": "moving", "kappa": 1.0, "step": 0.06, "iterations": 5}
    here, there = (
        attack_images(Victim(side, 10), images, labels, attack, {"first": 0.2, "last": 0.6, "step": 0.2})[0]
        for side in (network, there)
    )
    assert here["adversarial"][1].shape == images.shape
    for variable, (_, values, _) in here.items():
        np.testing.assert_allclose(there[variable][1], values, **tolerances.ATTACKED_PIXELS, err_msg=variable)


def test_a_pull_back_copies_the_images_alone_and_waits_for_nothing():
    """What attacks do most: two solves' worth of products, none of whose factors is copied first."""
    network = moved(attacked_digits.network("tanh"), cupy)
    victim, x = Victim(network, 10, attacked_digits.LOSS), cupy.full((49, 8), 0.5, "float32")
    cotangents = cupy.ones((49, 10, 8), "float32")
    for _ in range(2):  # the second time all kernels are there
        with pretend_cuda.counted() as counted:
            victim.solve(x)
            victim.pull_back(cotangents)
    assert counted["products"] == 2 * network.depth
    assert counted["launches"] <= 8 * network.depth
    assert (counted["copies_on_device"], counted["copies_to_host"], counted["synchronisations"]) == (1, 0, 0)


def test_a_step_of_a_walk_waits_twice():
    """For which images go on, and for which of them move."""
    victim = Victim(moved(attacked_digits.network("tanh"), cupy), 10, attacked_digits.LOSS)
    labels = cupy.zeros(8, int)
    waits = []
    for iterations in (2, 2, 5):  # the first time kernels are compiled
        x, path = cupy.full((49, 8), 0.5, "float32"), cupy.zeros((iterations + 1, 49, 8), "float32")
        walk = Walk(
            lambda x, who: nearest_direction(victim, x, labels[who], 0.9),
            victim,
            0.01,
            iterations,
            stop_when_misclassified=False,
        )
        with pretend_cuda.counted() as counted:
            walk_on(walk, x.copy(), x, cupy.zeros(8, int), labels, cupy.arange(8), path=path)
        waits.append(counted["synchronisations"])
    assert waits[2] - waits[1] == 3 * 2


@pytest.mark.parametrize("what", ["linear", "transposed"])
def test_the_products_of_a_convolution_copy_no_factor(what):
    network = moved(convolutional_example().network, cupy)
    affine, states = network.affine, cupy.ones((2, network.width, 5))
    for _ in range(2):
        with pretend_cuda.counted(names=True) as counted:
            getattr(affine, what)(network.parameters[0], states[0], states[1])
    copies = sum(count for name, count in counted["kernels"].items() if name.startswith("cupy_copy"))
    wanted = affine.kernel + 2  # the shifts, the kernels as a matrix, and what the first shift does not reach
    assert copies + counted["copies_on_device"] == wanted


def test_whole_numbers_leave_the_device_as_a_store_takes_them():
    """CuPy's argmax is of another type than int64 to Zarr, although equal to it."""
    found = arrays.to_host(cupy.ones((3, 4)).argmax(axis=0))
    assert found.dtype.char == np.dtype("int64").char
