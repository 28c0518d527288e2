"""Covariances of the scores: those of JAX's Jacobian, and those of networks that noise was really put on."""

import numpy as np
import pytest
from kit import reference_network, tolerances
from kit.example_network import example

from stages.evaluate import uncertainty
from stages.evaluate.uncertainty import gram_matrices, score_covariances
from stages.model.direct import Trajectory, final_state
from stages.model.network import Network

DRAWS = 10_000
SMALL = 1e-4  # of the noise: the next order is smaller by as much, and the sampling error is 1e-2

activations = pytest.mark.parametrize("activation", ["relu", "tanh"])


def by_jax(case):
    """Return both covariances (class, class, sample): J Jᵀ with all derivatives JAX's own."""
    network, activation = case.network, case.network.activation.label.lower()
    parameters = np.array(network.W), np.array(network.b)
    pixels, weights = [], []
    for image in case.images:
        J_x, J_W, J_b = reference_network.score_derivatives(
            image, *parameters, interval=network.interval, activation=activation, classes=case.classes
        )
        J = np.concatenate([np.reshape(J_W, (case.classes, -1)), np.reshape(J_b, (case.classes, -1))], axis=1)
        pixels.append(J_x @ J_x.T)
        weights.append(J @ J.T)
    return np.moveaxis(pixels, 0, -1), np.moveaxis(weights, 0, -1)


@activations
def test_covariances_are_those_of_the_jacobian_by_automatic_differentiation(activation):
    case = example(activation, width=9, depth=6, samples=5, classes=4)
    z, *found = score_covariances(case.network, case.x0, case.classes)
    np.testing.assert_allclose(z, final_state(case.network, case.x0)[:4], **tolerances.ROUNDING)
    for ours, expected in zip(found, by_jax(case), strict=True):
        np.testing.assert_allclose(ours, expected, **tolerances.ROUNDING)


def neighbouring_layer(monkeypatch, case):
    original = uncertainty.class_rows
    shifted = lambda n, s, c, after: original(n, s, c, lambda layer, hg: after(layer + 1, hg))  # noqa: E731
    monkeypatch.setattr(uncertainty, "class_rows", shifted)


def without_the_step(monkeypatch, case):
    original = uncertainty.class_rows
    unscaled = lambda n, s, c, after: original(n, s, c, lambda layer, hg: after(layer, hg / n.h))  # noqa: E731
    monkeypatch.setattr(uncertainty, "class_rows", unscaled)


def without_biases(monkeypatch, case):
    original = uncertainty.solve_direct

    def solve(network, x0, trajectory):
        z = original(network, x0, trajectory)
        trajectory.x_one[:, -1] = 0
        return z

    monkeypatch.setattr(uncertainty, "solve_direct", solve)


@pytest.mark.parametrize("mistake", [neighbouring_layer, without_the_step, without_biases])
@pytest.mark.parametrize("judge", ["jacobian", "draws"])
def test_mistakes_are_noticed(monkeypatch, mistake, judge):
    case = example("tanh", width=6, depth=5, samples=2, classes=3)
    mistake(monkeypatch, case)
    _, _, found = score_covariances(case.network, case.x0, case.classes)
    if judge == "jacobian":
        with pytest.raises(AssertionError):
            np.testing.assert_allclose(found, by_jax(case)[1], **tolerances.ROUNDING)
    else:
        assert sampling_errors(found, scores_with_noisy_weights(case)) > 5


# --- against noise that is really drawn -------------------------------------------------------------------------------


def scores_of_noisy_images(case):
    """Return (draw, class, sample)."""
    noise = SMALL * np.random.default_rng(1).standard_normal((DRAWS, *case.images.shape))
    images = (case.images + noise).reshape(-1, case.network.width)
    z = final_state(case.network, case.network.columns(images))[: case.classes]
    return np.moveaxis(z.reshape(case.classes, DRAWS, -1), 1, 0)


def scores_with_noisy_weights(case):
    """Return (draw, class, sample): all noisy networks in lockstep, each with all images."""
    network = case.network
    noise = SMALL * np.random.default_rng(2).standard_normal((network.depth, DRAWS, network.width, network.width + 1))
    parameters = network.parameters[:, None] + noise
    noisy = Network(parameters[..., :-1], parameters[..., -1], network.interval, network.activation)
    return final_state(noisy, np.repeat(case.x0[None], DRAWS, axis=0))[:, : case.classes]


def sampling_errors(covariance, z):
    """Return the largest difference of a covariance from that of the draws z, in standard errors of the latter."""
    deviation = (z - z.mean(axis=0)) / SMALL
    measured = np.einsum("acs,ads->cds", deviation, deviation) / (len(z) - 1)
    variance = np.einsum("ccs->cs", measured)
    error = np.sqrt((variance[:, None] * variance[None] + measured**2) / len(z))
    return np.abs((covariance - measured) / error).max()


@activations
@pytest.mark.parametrize("kind", [1, 2], ids=["pixels", "weights"])
def test_covariances_are_those_of_ten_thousand_draws_within_their_error(activation, kind):
    case = example(activation, width=6, depth=5, samples=4, classes=3)
    found = score_covariances(case.network, case.x0, case.classes)[kind]
    draw = {1: scores_of_noisy_images, 2: scores_with_noisy_weights}[kind]
    assert sampling_errors(found, draw(case)) < 4  # 24 numbers: 3.1 is exceeded in one of twenty times
    assert sampling_errors(1.1 * found, draw(case)) > 4


# --- precision and memory ---------------------------------------------------------------------------------------------


@activations
def test_single_precision_gives_the_same(activation):
    shape = {"width": 9, "depth": 6, "samples": 5, "classes": 4, "std": 0.3}
    single, double = (example(activation, dtype=dtype, **shape) for dtype in ("float32", "float64"))
    found = score_covariances(single.network, single.x0, 4)
    for ours, expected in zip(found, score_covariances(double.network, double.x0, 4), strict=True):
        assert ours.dtype == "float64"
        np.testing.assert_allclose(ours, expected, **tolerances.SINGLE_PRECISION)


def test_memory_that_was_used_before_gives_the_same():
    case = example("tanh", width=9, depth=6, samples=8, classes=4)
    memory = Trajectory(case.network, 8)
    score_covariances(case.network, case.x0[:, ::-1].copy(), 4, memory)
    again = score_covariances(case.network, case.x0, 4, memory)
    for ours, expected in zip(again, score_covariances(case.network, case.x0, 4), strict=True):
        np.testing.assert_array_equal(ours, expected)


def test_gram_matrices_are_products_of_each_samples_rows(rng):
    rows = rng.normal(size=(11, 4, 3))
    found = gram_matrices(rows)
    for sample in range(3):
        np.testing.assert_allclose(found[..., sample], rows[..., sample].T @ rows[..., sample], **tolerances.ROUNDING)
