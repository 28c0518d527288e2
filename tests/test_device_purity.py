"""Training, evaluation and attacks run on a strict stand-in for a device and give NumPy's numbers."""

import dataclasses
import functools
import itertools
import math

import numpy as np
import pytest
import yaml
from kit import attacked_digits, digits, strict_device, tolerances
from kit.example_convolution import convolutional_example
from kit.example_network import example

from stages.attack.attack_network import attack_images
from stages.attack.victim import Victim
from stages.evaluate import estimate_sensitivity, estimate_uncertainty, evaluate_noise
from stages.model.classify import accuracy
from stages.model.cost import one_hot
from stages.model.network import Network
from stages.model.readout import Projection
from stages.model.solvers.ode45 import Ode45
from stages.runtime.arrays import namespace, to_host
from stages.train.methods.ncg import ConjugateGradient
from stages.train.methods.rmsprop import RMSprop
from stages.train.training import Training

ode45 = functools.partial(Ode45, rtol=1e-3, atol=1e-6, norm="rms")
ode45_max = functools.partial(Ode45, rtol=1e-3, atol=1e-3, norm="max")
rmsprop = functools.partial(RMSprop, rate=0.01, rho=0.9, epsilon=1e-7)
EXPLICIT = {
    "ncg": ConjugateGradient,
    "sobolev": functools.partial(ConjugateGradient, gradient="sobolev"),
    "rmsprop": rmsprop,
}
ADAPTIVE = {
    "ncg by ode45": functools.partial(ConjugateGradient, solver=ode45),
    "ncg by ode45, max": functools.partial(ConjugateGradient, solver=ode45_max),
}


def on_device(network):
    W, b = strict_device.asarray(network.W), strict_device.asarray(network.b)
    readout = network.readout
    if isinstance(readout, Projection):
        readout = Projection(strict_device.asarray(readout.R))
    return Network(W, b, network.interval, network.activation, network.affine, readout)


# --- the stand-in itself ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "misuse",
    [
        lambda device, host: device + host,
        lambda device, host: host * device,
        lambda device, host: np.sqrt(device),
        lambda device, host: np.concatenate([device, device]),
        lambda device, host: np.asarray(device),
        lambda device, host: strict_device.maximum(device, host),
        lambda device, host: strict_device.stack([device, host]),
        lambda device, host: strict_device.exp(device, out=host),
        lambda device, host: device.take(host.astype(int)),
        lambda device, host: device.__setitem__(Ellipsis, host),
        lambda device, host: host.__setitem__(Ellipsis, device),
        lambda device, host: device[host.astype(int)],
        lambda device, host: device.__iadd__(host),
        lambda device, host: bool(device),
        lambda device, host: float(device),
        lambda device, host: "yes" if device > 0 else "no",
    ],
)
def test_the_stand_in_refuses_what_a_device_refuses(misuse):
    host = np.array([0.0, 1.0])
    with pytest.raises(TypeError):
        misuse(strict_device.asarray(host), host)


def test_the_stand_in_behaves_like_arrays_elsewhere():
    a = strict_device.asarray(np.arange(6.0).reshape(2, 3))
    assert namespace(a) is strict_device
    assert isinstance(a.sum(), strict_device.ndarray)
    assert a.sum().shape == ()
    a[0] += 10
    view = a[1, 2]
    view += 1
    np.testing.assert_array_equal(to_host(a), [[10, 11, 12], [3, 4, 6]])
    assert float(a[1, 2]) == 6
    single = a.astype("float32")
    assert (2 * single).dtype == np.float32
    assert (single * a.sum()).dtype == np.float64


# --- training ---------------------------------------------------------------------------------------------------------


def trained(make, case, loss, network, xp):
    """Train on the batch twice; return the parameters and the history on the host."""
    cost = dataclasses.replace(case.cost(loss, 0.01), readout=network.readout)
    trainer = make(network, cost, case.images.shape[-2])
    x0 = network.columns(xp.asarray(case.images))
    y = one_hot(xp.asarray(case.labels), network.width, network.dtype, xp)
    strict_device.transfers.reset()
    histories = [vars(trainer.train_on_batch(x0, y, 3)) for _ in range(2)]
    most = max(3 * len(histories[0]), cost.components * case.images.shape[-2]) * math.prod(network.leading)
    assert strict_device.transfers.largest <= most, "more than the history, or what the loss sees, went to the host"
    return to_host(network.parameters), {name: np.array([part[name] for part in histories]) for name in histories[0]}


@pytest.mark.parametrize("runs", [None, 2])
@pytest.mark.parametrize(
    ("trainer", "activation", "loss"),
    [
        *itertools.product(EXPLICIT, ["relu", "tanh"], ["squares", "paper's ce"]),
        *itertools.product(ADAPTIVE, ["tanh"], ["squares"]),
    ],
)
def test_training_gives_numpys_numbers(trainer, activation, loss, runs):
    check_training((EXPLICIT | ADAPTIVE)[trainer], example(activation, std=0.3, runs=runs), loss)


@pytest.mark.parametrize("runs", [None, 2])
@pytest.mark.parametrize("trainer", EXPLICIT | ADAPTIVE)
def test_training_of_convolutional_networks_gives_numpys_numbers(trainer, runs):
    check_training(
        (EXPLICIT | ADAPTIVE)[trainer], convolutional_example("tanh", runs=runs, channels=8, cell=2), "paper's ce"
    )


def check_training(make, case, loss):
    device = on_device(case.network)
    found, history = trained(make, case, loss, device, strict_device)
    expected, expected_history = trained(make, case, loss, case.network, np)
    np.testing.assert_allclose(found, expected, **tolerances.FEW_ITERATIONS)
    for name, values in expected_history.items():
        np.testing.assert_allclose(history[name], values, **tolerances.FEW_ITERATIONS, err_msg=name)


def test_guards_work_on_the_device_too():
    shape = {"seed": 27, "depth": 4, "interval": 3.0}
    case = example("relu", **shape)
    make = functools.partial(ConjugateGradient)
    _, history = trained(make, case, "cross-entropy", on_device(case.network), strict_device)
    _, expected = trained(make, case, "cross-entropy", case.network, np)
    assert history["halvings"].sum() > 0
    np.testing.assert_array_equal(history["halvings"], expected["halvings"])
    np.testing.assert_array_equal(history["restarts"], expected["restarts"])


@pytest.mark.parametrize("runs", [[0], [0, 1]])
@pytest.mark.parametrize(
    "model", ["ncg_l2_tanh", "ncg-sobolev_ce_relu", "ncg-wd_ce_tanh", "sgd-wd_l2_relu", "ncg-ode45_l2_tanh"]
)
def test_a_whole_training_gives_numpys_numbers(model, runs):
    check_whole_training(digits.train_settings(model, network={"precision": "float64"}), runs)


@pytest.mark.parametrize("model", ["ncg_l2_tanh", "sgd-wd_ce_relu", "ncg-ode45_l2_tanh"])
def test_a_whole_training_of_a_convolutional_network_gives_numpys_numbers(model):
    settings = digits.train_settings(model, **digits.CONVOLUTION)
    settings["network"]["precision"] = "float64"
    check_whole_training(settings, [0, 1])


def check_whole_training(settings, runs):
    (train_image, train_label), (test_image, test_label) = digits.blobs(60), digits.blobs(40, seed=5)
    data = {"train_image": train_image, "train_label": train_label, "test_image": test_image, "test_label": test_label}
    found = []
    for xp in (np, strict_device):
        training = Training(settings, runs, data, xp)
        training.run()
        found.append(training)
    there, here = found[1], found[0]
    np.testing.assert_allclose(to_host(there.network.parameters), here.network.parameters, **tolerances.FEW_ITERATIONS)
    for name in here.history:
        if name != "seconds":
            np.testing.assert_allclose(
                np.array(there.history[name]), np.array(here.history[name]), **tolerances.FEW_ITERATIONS, err_msg=name
            )


# --- evaluation -------------------------------------------------------------------------------------------------------


def test_noise_gives_numpys_outcomes():
    network = attacked_digits.network("tanh", "float64")
    images, labels = attacked_digits.digits(100)
    settings = {
        "seed": 1,
        "noise": {"std": [0.0, 0.1, 0.5], "draws": 2, "clip": True},
        "trained": {"network": {"classes": 10}},
    }
    found = evaluate_noise.correct_on_noisy(on_device(network), images, labels, settings, strict_device)
    np.testing.assert_array_equal(found, evaluate_noise.correct_on_noisy(network, images, labels, settings, np))


@pytest.mark.parametrize("ratios", [estimate_sensitivity.input_ratios, estimate_sensitivity.weight_ratios])
def test_sensitivity_gives_numpys_ratios(ratios):
    network = attacked_digits.network("relu", "float64")
    images = attacked_digits.digits(30)[0]
    settings = {"seed": 1, "sensitivity": {"std": 0.01, "weight_std": 0.01, "bias_std": 0.02}}
    found = ratios(on_device(network), images, settings, strict_device)
    np.testing.assert_allclose(found, ratios(network, images, settings, np), **tolerances.FEW_ITERATIONS)


@pytest.mark.parametrize("activation", ["relu", "tanh"])
def test_uncertainty_gives_numpys_covariances_and_accuracies(activation):
    network = attacked_digits.network(activation, "float64")
    images, labels = attacked_digits.digits(30)
    settings = {
        "seed": 1,
        "noise": {"std": [0.0, 0.1]},
        "uncertainty": {"weight_std": [0.0, 0.05], "draws": 2, "lines": 20},
        "trained": {"network": {"classes": 10}},
    }
    data = images, labels, settings
    there, here = (on_device(network), *data, strict_device), (network, *data, np)
    found, expected = (estimate_uncertainty.estimated(*case) for case in (there, here))
    for part, expected_part in zip(found, expected, strict=True):
        for name, values in expected_part.items():
            np.testing.assert_allclose(part[name], values, **tolerances.FEW_ITERATIONS, err_msg=name)
    found, expected = (estimate_uncertainty.measured(*case) for case in (there, here))
    for kind in ("pixel", "weight"):
        np.testing.assert_array_equal(found[kind], expected[kind])


def test_inference_by_ode45_gives_numpys_accuracy():
    network = attacked_digits.network("tanh", "float64")
    images, labels = attacked_digits.digits(100)
    solve = functools.partial(Ode45.final_state, rtol=1e-3, atol=1e-6, norm="rms")
    there = strict_device.asarray(images), strict_device.asarray(labels)
    found = accuracy(on_device(network), *there, 10, solve)
    assert float(found) == accuracy(network, images, labels, 10, solve)


# --- attacks ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("activation", ["relu", "tanh"])
def test_every_attack_of_the_configuration_gives_numpys_images(root, activation):
    check_attacks(root, attacked_digits.network(activation, "float64"), *attacked_digits.digits(25))


def test_every_attack_on_a_convolutional_network_gives_numpys_images(root):
    case = convolutional_example("tanh", side=5, samples=40, classes=10, std=0.3)
    labels = Victim(case.network, 10).predict(case.x0)  # its own readings: there is something to attack
    check_attacks(root, case.network, case.images.astype("float32"), labels)


def check_attacks(root, network, images, labels):
    radii = {"first": 0.2, "last": 0.6, "step": 0.2}
    for name, settings in yaml.safe_load((root / "config.yaml").read_text())["attack"]["attacks"].items():
        confined = None if settings["method"] == "cw" else radii
        found = []
        for victim_network in (network, on_device(network)):
            victim = Victim(victim_network, 10, attacked_digits.LOSS)
            found.append(attack_images(victim, images, labels, settings, confined)[0])
        here, there = found
        assert here.keys() == there.keys()
        for variable, (_, values, _) in here.items():
            np.testing.assert_allclose(
                there[variable][1], values, **tolerances.ATTACKED_PIXELS, err_msg=f"{name}: {variable}"
            )
