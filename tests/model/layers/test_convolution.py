"""Convolutional networks: all problems against JAX's convolutions, and against the dense network that they are."""

import itertools

import numpy as np
import pytest
from kit import reference_convolution, tolerances
from kit.example_convolution import convolutional_example, kernels
from kit.example_network import LOSSES

from stages.attack.victim import Victim
from stages.evaluate.perturbation import PerturbationRatios
from stages.evaluate.uncertainty import score_covariances
from stages.model.adjoint import Gradient, adjoint_gradient
from stages.model.classify import class_scores
from stages.model.direct import Trajectory, final_state, solve_direct, solve_with_slopes
from stages.model.layers.convolution import SHAPES, Convolution
from stages.model.network import Network
from stages.model.products import inner_product
from stages.model.sensitivity import solve_sensitivity
from stages.model.sobolev import smooth
from stages.model.solvers.ode45 import Ode45
from stages.runtime.errors import UserError

SIZES = {
    "3 x 3": {},
    "5 x 5": {"kernel": 5},
    "two input channels": {"inputs": 2},
    "one channel, kernel as large as the image": {"channels": 1, "kernel": 5, "side": 5},
    "cells of 2 x 2 pixels": {"channels": 8, "cell": 2},
    "cells of 2 x 2 pixels in colour": {"channels": 12, "cell": 2, "inputs": 2, "side": 10, "kernel": 5},
}
MIXTURES = list(itertools.product(["relu", "tanh"], LOSSES, [0.0, 0.2]))


def solved(case, cost):
    """Return the gradient and λ(0)."""
    network = case.network
    trajectory, gradient = Trajectory(network, case.images.shape[-2]), Gradient(network)
    adjoint = cost.derivative(solve_direct(network, case.x0, trajectory), case.y)
    adjoint_gradient(network, trajectory, adjoint, gradient, cost.weight_decay)
    return gradient, adjoint


def perturbations(case, rng):
    """Return ξ⁰ of the images (pixel, sample) and [ω β]."""
    perturbation = Gradient(case.network)
    perturbation.parameters[...] = rng.normal(0, 1, perturbation.parameters.shape)
    return rng.normal(0, 1, case.x0.shape), perturbation


def sensitivity(case, ξ0, perturbation):
    """Return ξ(T), (neuron, sample)."""
    network = case.network
    trajectory, ξ = Trajectory(network, ξ0.shape[-1]), np.zeros((network.width, ξ0.shape[-1]))
    ξ[: len(ξ0)] = ξ0
    solve_direct(network, case.x0, trajectory)
    return solve_sensitivity(network, trajectory, ξ, perturbation.parameters.__getitem__)


# --- against JAX ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("activation", ["relu", "tanh"])
def test_direct_and_sensitivity_agree_with_forward_mode_differentiation(activation, size, rng):
    case = convolutional_example(activation, **SIZES[size])
    network, (ξ0, perturbation) = case.network, perturbations(case, rng)
    direction = ξ0.T, kernels(network, perturbation.W), perturbation.b
    x, ξ = reference_convolution.push_forward(case.point, direction, **case.shape)
    slopes = np.empty((network.depth, network.width, 5))
    for found in (
        final_state(network, case.x0),
        solve_direct(network, case.x0, Trajectory(network, 5)),
        solve_with_slopes(network, case.x0, slopes),
    ):
        np.testing.assert_allclose(found, x.T, **tolerances.ROUNDING)
    np.testing.assert_allclose(sensitivity(case, ξ0, perturbation), ξ.T, **tolerances.ROUNDING)


@pytest.mark.parametrize(("activation", "loss", "mu4"), MIXTURES)
def test_gradient_agrees_with_automatic_differentiation(activation, loss, mu4):
    check_gradient(convolutional_example(activation), loss, mu4)


@pytest.mark.parametrize("size", SIZES)
def test_gradient_of_other_sizes_agrees_too(size):
    check_gradient(convolutional_example("tanh", **SIZES[size]), "all", 0.2)


def check_gradient(case, loss, mu4):
    network = case.network
    gradient, adjoint = solved(case, case.cost(loss, mu4))
    images, K, b = reference_convolution.gradient(
        *case.point, network.readout.R, case.labels, mu4=mu4, **LOSSES[loss], **case.shape
    )
    # The partial derivatives are h times the gradient of L²(0, T).
    np.testing.assert_allclose(network.h * kernels(network, gradient.W), K, **tolerances.ROUNDING)
    np.testing.assert_allclose(network.h * gradient.b, b, **tolerances.ROUNDING)
    np.testing.assert_allclose(adjoint[: network.affine.inputs], images.T, **tolerances.ROUNDING)


@pytest.mark.parametrize("activation", ["relu", "tanh"])
def test_class_rows_agree_with_the_jacobian(activation):
    case = convolutional_example(activation, inputs=2)
    victim = Victim(case.network, case.classes)
    victim.solve(case.x0)
    judge = reference_convolution.jacobian(*case.point, case.network.readout.R, **case.shape)
    np.testing.assert_allclose(victim.class_rows().transpose(2, 1, 0), judge, **tolerances.ROUNDING)


@pytest.mark.parametrize("size", SIZES)
def test_covariances_of_the_scores_are_those_of_their_derivatives(size):
    case = convolutional_example("tanh", **SIZES[size])
    z, by_pixels, by_weights = score_covariances(case.network, case.x0, case.classes)
    R = case.network.readout.R
    np.testing.assert_allclose(z, R @ final_state(case.network, case.x0), **tolerances.ROUNDING)
    image, K, b = reference_convolution.score_gradients(*case.point, R, **case.shape)
    for found, parts in ((by_pixels, [image]), (by_weights, [K, b])):
        flat = [np.reshape(part, (*part.shape[:2], -1)) for part in parts]
        expected = sum(np.einsum("scn,sdn->cds", part, part) for part in flat)
        np.testing.assert_allclose(found, expected, **tolerances.ROUNDING)


# --- identities -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("activation", ["relu", "tanh"])
def test_adjoint_and_sensitivity_are_dual(activation, rng):
    """<λ(T), ξ(T)> = <λ(0), ξ(0)> + <E'_K, ω> + <E'_b, β>, for any λ(T) and any perturbation."""
    case = convolutional_example(activation, channels=5, side=8, depth=20, samples=11, interval=3.0)
    network, trajectory = case.network, Trajectory(case.network, 11)
    solve_direct(network, case.x0, trajectory)
    λ_T, ξ_0 = rng.normal(0, 1, (2, network.width, 11))
    λ, ξ, gradient, perturbation = λ_T.copy(), ξ_0.copy(), Gradient(network), Gradient(network)
    perturbation.parameters[...] = rng.normal(0, 1, perturbation.parameters.shape)
    adjoint_gradient(network, trajectory, λ, gradient)
    solve_sensitivity(network, trajectory, ξ, perturbation.parameters.__getitem__)
    at_zero = (λ * ξ_0).sum() + inner_product(network, gradient, perturbation)
    np.testing.assert_allclose((λ_T * ξ).sum(), at_zero, **tolerances.ROUNDING)


def test_the_sobolev_gradient_represents_the_derivative_in_its_own_product(rng):
    """<E', φ> of L² = <S E', φ> of W^{1,2}, the left side taken from JAX."""
    case = convolutional_example("tanh", depth=12, interval=3.0)
    network, h = case.network, case.network.h
    gradient, _ = solved(case, case.cost("all", 0.2))
    s, φ = smooth(gradient.parameters.copy(), h), rng.normal(0, 1, gradient.parameters.shape)
    _, K, b = reference_convolution.gradient(
        *case.point, network.readout.R, case.labels, mu4=0.2, **LOSSES["all"], **case.shape
    )
    left = (np.asarray(K).reshape(network.W.shape) * φ[..., :-1]).sum() + (np.asarray(b) * φ[..., -1]).sum()
    right = h * (s * φ).sum() + (np.diff(s, axis=0) * np.diff(φ, axis=0)).sum() / h
    np.testing.assert_allclose(left, right, rtol=tolerances.ROUNDING["rtol"], atol=tolerances.ELIMINATION["atol"])


# --- against the dense network with the same matrices -----------------------------------------------------------------


def dense_twin(case):
    """Return the dense network whose matrices and biases are the convolutions', and its input (neuron, sample)."""
    network, affine = case.network, case.network.affine
    unit = np.eye(affine.width)
    W = [affine.linear(Wb, unit, out=np.empty_like(unit)).copy() for Wb in network.parameters]
    x0 = np.zeros((affine.width, case.x0.shape[-1]))
    x0[: affine.inputs] = case.x0
    b = np.repeat(network.b, affine.side**2, axis=1)
    return Network(np.array(W), b, network.interval, network.activation), x0


# Loose, so that rounding does not blur the error estimates: both take the same steps.
LOOSE = {"rtol": 1e-3, "atol": 1e-4, "norm": "rms"}


def test_ode45_agrees_with_the_dense_network(rng):
    case = convolutional_example("tanh", channels=2, side=4)
    (dense, x0), cost = dense_twin(case), case.cost("all", 0.2)
    here, there = Ode45(case.network, 5, **LOOSE), Ode45(dense, 5, **LOOSE)
    np.testing.assert_allclose(here.direct(case.x0), there.direct(x0), **tolerances.LONG_SUMS)
    found, expected = (Ode45.final_state(n, x, **LOOSE) for n, x in ((case.network, case.x0), (dense, x0)))
    np.testing.assert_allclose(found, expected, **tolerances.LONG_SUMS)
    λ = cost.derivative(found, case.y)
    gradient, dense_gradient = Gradient(case.network), Gradient(dense)
    here.gradient(λ.copy(), gradient, cost.weight_decay)
    there.gradient(λ.copy(), dense_gradient)
    # Along a direction: the derivative with respect to the kernels is that of the matrices that they make.
    direction = Gradient(case.network)
    direction.parameters[...] = rng.normal(0, 1, direction.parameters.shape)
    moved, _ = dense_twin(type(case)(case.network.like(direction.parameters), case.images, case.labels, 3))
    expected = inner_product(dense, dense_gradient, moved)
    decay = cost.weight_decay * inner_product(case.network, case.network, direction)
    found = inner_product(case.network, gradient, direction)
    np.testing.assert_allclose(found, expected + decay, **tolerances.LONG_SUMS)
    ξ = here.sensitivity(direction.parameters.__getitem__)
    np.testing.assert_allclose(ξ, there.sensitivity(moved.parameters.__getitem__), **tolerances.LONG_SUMS)


def test_perturbation_ratios_are_those_of_the_dense_network(rng):
    case = convolutional_example("tanh", channels=3, side=4)
    dense, x0 = dense_twin(case)
    ξ0 = np.zeros_like(x0)
    ξ0[: case.network.affine.inputs] = noise = 0.01 * rng.normal(0, 1, case.x0.shape)
    expected = PerturbationRatios(dense, 5)(x0, ξ0)
    found = PerturbationRatios(case.network, 5)(case.x0, noise)
    np.testing.assert_allclose(found, expected, rtol=1e-9, atol=1e-12)


# --- everyday matters -------------------------------------------------------------------------------------------------


def test_batches_of_many_shapes_get_the_numbers_of_fresh_memory(rng):
    case = convolutional_example()
    reused = case.network.affine
    for samples in (5, 2, 7, 1, 9, 3, 5):
        x, g = rng.normal(0, 1, (2, reused.width, samples))
        results = []
        for affine in (reused, Convolution(4, 3, 6)):
            out, back, G = np.empty_like(x), np.empty_like(x), np.empty_like(case.network.parameters[0])
            affine.value(case.network.parameters[0], x, out)
            affine.gradient(g, x, G)
            affine.transposed(case.network.parameters[0], g, back)
            results.append((out, back, G))
        for found, expected in zip(*results, strict=True):
            np.testing.assert_array_equal(found, expected)
    assert reused._memory_for.cache_info().currsize == SHAPES


def test_images_are_scored_in_blocks_that_keep_the_memory_of_dense_networks(rng):
    case = convolutional_example(samples=5)
    assert case.network.block(500) == 500 // 4
    images = rng.random((130, 36))
    expected = case.network.readout.R @ final_state(case.network, case.network.columns(images))
    np.testing.assert_allclose(class_scores(case.network, images, 3), expected.T, **tolerances.ROUNDING)


def test_float32_gradient_is_close():
    single, double = convolutional_example(dtype="float32"), convolutional_example()
    gradient, _ = solved(single, single.cost("all", 0.2))
    expected, _ = solved(double, double.cost("all", 0.2))
    assert gradient.parameters.dtype == np.float32
    np.testing.assert_allclose(gradient.parameters, expected.parameters, **tolerances.SINGLE_PRECISION)


@pytest.mark.parametrize(
    ("sizes", "message"),
    [
        ({"kernel": 4}, r"kernel: wanted an odd number from 3 to 6.*found 4"),
        ({"kernel": 7}, r"kernel: wanted an odd number from 3 to 6.*found 7"),
        ({"channels": 2, "inputs": 3}, r"channels: wanted at least the images' own 3, found 2"),
        ({"channels": 2, "cell": 2}, r"channels: wanted at least the images' own 4 and a multiple of 4, .* found 2"),
        ({"channels": 6, "cell": 2}, r"channels: .* a multiple of 4, the pixels of a cell, found 6"),
        ({"cell": 4}, r"cell: wanted a divisor of 6, the images' side; found 4"),
        ({"channels": 8, "cell": 2, "kernel": 5}, r"kernel: wanted an odd number from 3 to 3, the cells .* found 5"),
    ],
)
def test_impossible_sizes_are_refused(sizes, message):
    with pytest.raises(UserError, match=message):
        Convolution(**{"channels": 4, "kernel": 3, "side": 6} | sizes)


def test_weights_of_another_shape_are_refused():
    case = convolutional_example()
    with pytest.raises(UserError, match=r"wanted W \(layer, ..., 4, 36\) and b \(layer, ..., 4\)"):
        case.network.like(case.network.parameters[..., 1:])
