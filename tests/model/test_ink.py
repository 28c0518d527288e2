"""Negative ink: x(0) is minus the image, so a network with `ink: -1` is a plain one that sees negated images."""

import functools

import numpy as np
import pytest
from kit import reference_network, tolerances
from kit.digits import train_settings, write_digits
from kit.example_network import example

from stages.attack.victim import Victim
from stages.evaluate.perturbation import PerturbationRatios
from stages.model.adjoint import Gradient
from stages.model.classify import class_scores
from stages.model.network import Network
from stages.model.solvers.euler import Euler
from stages.model.solvers.ode45 import Ode45
from stages.model.solvers.rk4 import RK4
from stages.perturbations.class_rows import class_rows
from stages.storage import stores
from stages.storage.network_store import read_network
from stages.train import train_network
from stages.train.remarks import score_pixels_remark

CLASSES, SAMPLES = 3, 7
SOLVERS = [Euler, RK4, functools.partial(Ode45, rtol=1e-6, atol=1e-8, norm="rms")]


def inked(network):
    return Network(network.W, network.b, network.interval, network.activation, ink=-1)


@pytest.fixture(params=["tanh", "relu"])
def case(request):
    return example(request.param, samples=SAMPLES, classes=CLASSES)


@pytest.mark.parametrize("solver", SOLVERS)
def test_gradients_and_sensitivities_are_those_of_negated_images_to_the_bit(case, solver):
    cost, results = case.cost("all", 0.1, components="norms"), []
    for network, images in ((inked(case.network), case.images), (case.network, -case.images)):
        solved, gradient = solver(network, SAMPLES), Gradient(network)
        x = solved.direct(network.columns(images))
        solved.gradient(cost.derivative(x, case.y), gradient, 0.1)
        results.append((x.copy(), gradient.parameters, solved.sensitivity(gradient.parameters.__getitem__)))
    for with_ink, negated in zip(*results, strict=True):
        np.testing.assert_array_equal(with_ink, negated)


def test_the_gradient_of_the_prototypes_loss_is_that_of_jax(case):
    network, cost = inked(case.network), case.cost("all", 0.1, components="norms")
    settings = {"mu1": cost.mu1, "mu2": cost.mu2, "mu3": cost.mu3, "mu4": 0.1, "interval": network.interval}
    settings |= {"activation": network.activation.label.lower(), "components": 6, "in_softmax": CLASSES}
    expected = reference_network.gradient(
        -case.images, np.array(network.W), np.array(network.b), case.labels, **settings
    )
    solver, gradient = Euler(network, SAMPLES), Gradient(network)
    solver.gradient(cost.derivative(solver.direct(network.columns(case.images)), case.y), gradient, 0.1)
    np.testing.assert_allclose(network.h * gradient.W, expected[1], **tolerances.ROUNDING)
    np.testing.assert_allclose(network.h * gradient.b, expected[2], **tolerances.ROUNDING)


def test_derivatives_with_respect_to_the_image_have_the_sign_of_the_ink(case):
    network = inked(case.network)
    jacobian = -reference_network.jacobian(
        -case.images,
        np.array(network.W),
        np.array(network.b),
        interval=network.interval,
        activation=network.activation.label.lower(),
    )
    victim = Victim(network, CLASSES)
    victim.solve(network.columns(case.images))
    expected = jacobian[:, :CLASSES].transpose(2, 1, 0)
    np.testing.assert_allclose(class_rows(network, victim.slopes, CLASSES), expected, **tolerances.ROUNDING)
    np.testing.assert_allclose(victim.class_rows(), expected, **tolerances.ROUNDING)


def test_the_estimated_perturbation_starts_from_the_negated_one(case, rng):
    noise = rng.normal(0, 1e-3, case.images.shape)
    network = inked(case.network)
    inked_ratios, ratios = (PerturbationRatios(each, len(case.images)) for each in (network, case.network))
    found = inked_ratios(network.columns(case.images), network.columns(noise))
    expected = ratios(network.columns(-case.images), network.columns(-noise))
    np.testing.assert_array_equal(found, expected)


def test_a_training_with_negative_ink_is_read_again_and_attacked(tmp_path):
    digits, out = tmp_path / "digits.zarr", tmp_path / "run0.zarr"
    write_digits(digits)
    settings = train_settings("ncg_ce_relu", network={"ink": -1, "components": "norms"})
    options = {"digits": digits, "runs": [0], "out": [str(out)], "device": "cpu"}
    train_network.main(type("Options", (), options | {"settings": settings, "checkpoint_minutes": 1e9}))
    network, arrays = read_network(out, settings, np), stores.read_arrays(digits)
    assert network.ink == -1
    predicted = class_scores(network, arrays["test_image"], settings["network"]["classes"]).argmax(axis=1)
    assert (predicted == arrays["test_label"]).mean() == pytest.approx(stores.read_arrays(out)["test_accuracy"][-1])


def test_a_bright_score_pixel_with_negative_ink_can_still_be_raised():
    network = example("relu").network
    images = np.full((50, 6), 0.5)
    assert score_pixels_remark(images, network, CLASSES)
    assert score_pixels_remark(images, inked(network), CLASSES) is None
