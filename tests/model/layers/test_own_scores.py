"""Scores of their own: a network whose scores are no pixels is a plain one that sees zeros in front of every image."""

import functools

import numpy as np
import pytest
from kit import reference_network, tolerances
from kit.digits import train_settings, write_digits
from kit.example_convolution import convolutional_example
from kit.example_network import LOSSES, example

from stages.attack.victim import Victim
from stages.evaluate import evaluate_noise
from stages.evaluate.noise import noisy_images
from stages.evaluate.perturbation import PerturbationRatios
from stages.evaluate.uncertainty import score_covariances
from stages.model.adjoint import Gradient
from stages.model.build import affine_map
from stages.model.classify import class_scores
from stages.model.cost import Cost, one_hot
from stages.model.layers.dense import Dense
from stages.model.network import Network
from stages.model.solvers.euler import Euler
from stages.model.solvers.ode45 import Ode45
from stages.model.solvers.rk4 import RK4
from stages.perturbations.class_rows import class_rows
from stages.runtime.errors import UserError
from stages.storage import stores
from stages.train.remarks import outcome_remarks, score_pixels_remark
from stages.train.training import Training

CLASSES, PIXELS, SAMPLES = 3, 5, 7
WIDTH = CLASSES + PIXELS


@pytest.fixture(params=["tanh", "relu"])
def pair(request):
    """(own, plain, images, padded images, labels): the same weights, with and without scores of their own."""
    case = example(request.param, width=WIDTH, samples=SAMPLES)
    plain = case.network
    own = Network(plain.W, plain.b, plain.interval, plain.activation, Dense(WIDTH, CLASSES))
    images = case.images[:, CLASSES:]
    return own, plain, images, np.pad(images, [(0, 0), (CLASSES, 0)]), case.labels


def test_scores_gradients_and_sensitivities_are_those_of_padded_images_to_the_bit(pair):
    own, plain, images, padded, labels = pair
    np.testing.assert_array_equal(class_scores(own, images, CLASSES), class_scores(plain, padded, CLASSES))
    cost = Cost(**LOSSES["all"], weight_decay=0.1, components=CLASSES)
    y, found = one_hot(labels, WIDTH, "float64", np), []
    for network, seen in ((own, images), (plain, padded)):
        solver, gradient = Euler(network, SAMPLES), Gradient(network)
        x = solver.direct(network.columns(seen))
        solver.gradient(cost.derivative(x, y), gradient, 0.1)
        found.append((gradient.parameters, solver.sensitivity(gradient.parameters.__getitem__)))
    for mine, theirs in zip(*found, strict=True):
        np.testing.assert_array_equal(mine, theirs)
    tolerance = {"rtol": 1e-6, "atol": 1e-8, "norm": "rms"}
    for solver, options in ((Ode45, tolerance), (RK4, {})):
        states = (solver.final_state(n, n.columns(s), **options) for n, s in ((own, images), (plain, padded)))
        np.testing.assert_array_equal(*states)


@pytest.mark.parametrize("solver", [RK4, functools.partial(Ode45, rtol=1e-6, atol=1e-8, norm="rms")])
def test_gradients_and_sensitivities_of_other_solvers_are_those_of_padded_images_too(pair, solver):
    own, plain, images, padded, labels = pair
    cost = Cost(**LOSSES["all"], weight_decay=0.1, components=CLASSES)
    y, found = one_hot(labels, WIDTH, "float64", np), []
    for network, seen in ((own, images), (plain, padded)):
        solved, gradient = solver(network, SAMPLES), Gradient(network)
        x = solved.direct(network.columns(seen))
        solved.gradient(cost.derivative(x, y), gradient, 0.1)
        found.append((gradient.parameters, solved.sensitivity(gradient.parameters.__getitem__)))
    for mine, theirs in zip(*found, strict=True):
        np.testing.assert_array_equal(mine, theirs)


def test_noise_is_on_the_pixels_alone(pair):
    own, plain, images, _, labels = pair
    settings = {"seed": 1, "noise": {"std": [0.0, 1.5], "draws": 1, "clip": False}}
    settings |= {"trained": {"network": {"classes": CLASSES}}}
    found = evaluate_noise.correct_on_noisy(own, images, labels, settings, np)
    for std, correct in zip(settings["noise"]["std"], found[:, 0], strict=True):
        noisy = np.pad(noisy_images(images, std, 1, 0, False), [(0, 0), (CLASSES, 0)])
        np.testing.assert_array_equal(correct, class_scores(plain, noisy, CLASSES).argmax(axis=1) == labels)


def test_the_gradient_is_that_of_jax(pair):
    own, _, images, padded, labels = pair
    activation = own.activation.label.lower()
    settings = {"interval": own.interval, "activation": activation, "components": CLASSES, "mu4": 0.1, **LOSSES["all"]}
    _, p_W, p_b = reference_network.gradient(padded, np.array(own.W), np.array(own.b), labels, **settings)
    solver, gradient = Euler(own, SAMPLES), Gradient(own)
    cost = Cost(**LOSSES["all"], weight_decay=0.1, components=CLASSES)
    x = solver.direct(own.columns(images))
    solver.gradient(cost.derivative(x, one_hot(labels, WIDTH, "float64", np)), gradient, 0.1)
    np.testing.assert_allclose(own.h * gradient.W, p_W, **tolerances.ROUNDING)
    np.testing.assert_allclose(own.h * gradient.b, p_b, **tolerances.ROUNDING)


def test_derivatives_with_respect_to_the_image_have_the_pixels_alone(pair):
    own, plain, images, padded, _ = pair
    rows = {}
    for name, network, seen in (("own", own, images), ("plain", plain, padded)):
        victim = Victim(network, CLASSES)
        victim.solve(network.columns(seen))
        rows[name] = class_rows(network, victim.slopes, CLASSES)
    assert rows["own"].shape == (PIXELS, CLASSES, SAMPLES)
    np.testing.assert_array_equal(rows["own"], rows["plain"][CLASSES:])
    noise = np.random.default_rng(1).normal(0, 1e-3, images.shape)
    ratios = PerturbationRatios(own, SAMPLES)(own.columns(images), own.columns(noise))
    padded_noise = np.pad(noise, [(0, 0), (CLASSES, 0)])
    expected = PerturbationRatios(plain, SAMPLES)(plain.columns(padded), plain.columns(padded_noise))
    np.testing.assert_array_equal(ratios, expected)
    _, by_pixels, _ = score_covariances(own, own.columns(images), CLASSES)
    expected = np.einsum("pcs,pds->cds", rows["own"], rows["own"])
    np.testing.assert_allclose(by_pixels, expected, **tolerances.ROUNDING)


def test_there_is_nothing_to_hold(pair, caplog):
    victim = Victim(pair[0], CLASSES)
    with caplog.at_level("INFO"):
        victim.hold("scores")
    assert victim.held == 0
    assert "nothing to hold" in caplog.text


def test_more_classes_than_pixels_are_possible_with_scores_of_their_own():
    settings = {"classes": 10, "components": "classes"}
    with pytest.raises(UserError, match=r"wanted at most 9, the pixels of an image; found 10 .*network.scores: own"):
        affine_map(settings, 9)
    assert affine_map(settings | {"scores": "own"}, 9).width == 19


def test_convolutions_have_a_read_out_of_their_own():
    layer = {"kind": "convolution", "channels": 4, "kernel": 3}
    settings = {"classes": 3, "components": "classes", "layer": layer, "scores": "own"}
    with pytest.raises(UserError, match=r"network\.scores: a convolutional network has a read-out of its own"):
        affine_map(settings, 25)


def test_a_training_of_it_writes_a_store_that_is_read_again(tmp_path):
    from stages.storage.network_store import read_network
    from stages.train import train_network

    digits = tmp_path / "digits.zarr"
    write_digits(digits)
    settings = train_settings("ncg_ce_relu", network={"scores": "own"})
    options = {"digits": digits, "runs": [0], "out": [str(tmp_path / "run0.zarr")], "device": "cpu"}
    train_network.main(type("Options", (), options | {"settings": settings, "checkpoint_minutes": 1e9}))
    network = read_network(tmp_path / "run0.zarr", settings, np)
    arrays = stores.read_arrays(digits)
    assert network.width == arrays["test_image"].shape[1] + settings["network"]["classes"]
    expected = stores.read_arrays(tmp_path / "run0.zarr")["test_accuracy"][-1]
    predicted = class_scores(network, arrays["test_image"], settings["network"]["classes"]).argmax(axis=1)
    assert (predicted == arrays["test_label"]).mean() == pytest.approx(expected)


@pytest.mark.parametrize(("activation", "scores", "told"), [("relu", 0, True), ("tanh", 0, False), ("relu", 3, False)])
def test_pixels_that_are_scores_and_not_dark_are_worth_a_word(activation, scores, told):
    network = example(activation, width=8).network
    network.affine = Dense(8 + scores, scores)
    images = np.full((50, 8), 0.5)
    remark = score_pixels_remark(images, network, 3)
    assert (remark is not None) is told
    assert not told or ("100 % of the training images" in remark and "network.scores: own" in remark)
    assert score_pixels_remark(np.zeros((50, 8)), network, 3) is None


def test_a_convolution_has_no_pixels_that_are_scores():
    """It may have as many neurons as the images have pixels."""
    case = convolutional_example("relu")
    images = np.full((50, case.network.affine.inputs), 0.5)
    assert case.network.activation.nonnegative
    assert score_pixels_remark(images, case.network, 3) is None


def test_lost_classes_and_a_falling_accuracy_are_told():
    assert list(outcome_remarks(np.array([0, 1, 2]), 3, [0.5, 0.9])) == []
    lost, fallen = outcome_remarks(np.array([0, 2, 2]), 4, [0.91, 0.6])
    assert "classified as 1, 3:" in lost
    assert "ended at 60.0 %, after 91.0 % in epoch 1" in fallen


def test_a_training_says_so_in_its_log(caplog):
    rng = np.random.default_rng(0)
    digits = {"train_image": rng.random((40, 25)), "train_label": np.arange(40) % 10}
    digits |= {"test_image": rng.random((20, 25)), "test_label": np.arange(20) % 10}
    settings = train_settings("sgd_ce_relu")
    with caplog.at_level("WARNING"):
        Training(settings, [0], digits, np).run()
    assert "are the class scores at t = 0" in caplog.text
    assert "these classes are lost" in caplog.text  # of random images nothing can be learned
