import itertools

import numpy as np
import pytest
from kit import reference_network, tolerances
from kit.example_network import LOSSES, example

from stages.model.adjoint import Gradient, adjoint_gradient, pull_back
from stages.model.direct import Trajectory, final_state, solve_direct
from stages.model.network import Network
from stages.model.products import inner_product
from stages.model.sensitivity import solve_sensitivity

MIXTURES = list(itertools.product(["relu", "tanh"], LOSSES, ["classes", "all"], [0.0, 0.2]))


def solved(case, cost):
    """Return the gradient and λ(0)."""
    network = case.network
    trajectory, gradient = Trajectory(network, case.images.shape[-2]), Gradient(network)
    x = solve_direct(network, case.x0, trajectory)
    adjoint = cost.derivative(x, case.y)
    adjoint_gradient(network, trajectory, adjoint, gradient, cost.weight_decay)
    return gradient, adjoint


@pytest.mark.parametrize(("activation", "loss", "components", "mu4"), MIXTURES)
def test_gradient_agrees_with_automatic_differentiation(activation, loss, components, mu4):
    case = example(activation)
    network, cost = case.network, case.cost(loss, mu4, components)
    gradient, adjoint = solved(case, cost)
    settings = {"interval": network.interval, "activation": activation, "components": cost.components, "mu4": mu4}
    images, W, b = reference_network.gradient(
        case.images, network.W, network.b, case.labels, **settings, **LOSSES[loss]
    )
    # The partial derivatives are h times the gradient of L²(0, T).
    np.testing.assert_allclose(network.h * gradient.W, W, **tolerances.ROUNDING)
    np.testing.assert_allclose(network.h * gradient.b, b, **tolerances.ROUNDING)
    np.testing.assert_allclose(adjoint, images.T, **tolerances.ROUNDING)


@pytest.mark.parametrize(("activation", "loss", "components", "mu4"), MIXTURES)
def test_gradient_agrees_with_central_differences(activation, loss, components, mu4):
    case = example(activation)
    network, cost = case.network, case.cost(loss, mu4, components)
    gradient, _ = solved(case, cost)
    rng, step = np.random.default_rng(1), 1e-6
    direction = Gradient(network)
    direction.parameters[...] = rng.normal(0, 1, direction.parameters.shape)

    def total(step):
        W, b = network.W + step * direction.W, network.b + step * direction.b
        moved = Network(W, b, network.interval, network.activation)
        return cost.value(final_state(moved, case.x0), case.y) + cost.decay(moved)

    difference = (total(step) - total(-step)) / (2 * step)
    np.testing.assert_allclose(inner_product(network, gradient, direction), difference, **tolerances.CENTRAL_DIFFERENCE)


@pytest.mark.parametrize("activation", ["relu", "tanh"])
def test_adjoint_and_sensitivity_are_dual(activation, rng):
    """<λ(T), ξ(T)> = <λ(0), ξ(0)> + <E'_W, ω> + <E'_b, β>, for any λ(T) and any perturbation."""
    case = example(activation, width=20, depth=30, samples=11, interval=3.0, std=0.3)
    network, trajectory = case.network, Trajectory(case.network, 11)
    solve_direct(network, case.x0, trajectory)
    λ_T, ξ_0 = rng.normal(0, 1, (2, 20, 11))
    λ, ξ, gradient, perturbation = λ_T.copy(), ξ_0.copy(), Gradient(network), Gradient(network)
    perturbation.parameters[...] = rng.normal(0, 1, perturbation.parameters.shape)
    adjoint_gradient(network, trajectory, λ, gradient)
    solve_sensitivity(network, trajectory, ξ, perturbation.parameters.__getitem__)
    at_zero = (λ * ξ_0).sum() + inner_product(network, gradient, perturbation)
    np.testing.assert_allclose((λ_T * ξ).sum(), at_zero, **tolerances.ROUNDING)


@pytest.mark.parametrize("activation", ["relu", "tanh"])
def test_rows_of_the_jacobian_are_pulled_back(activation):
    case = example(activation)
    network, trajectory = case.network, Trajectory(case.network, 7)
    solve_direct(network, case.x0, trajectory)
    cotangents = np.repeat(np.eye(6)[:, :3, None], 7, axis=2)  # (neuron, class, sample)
    rows = pull_back(network, trajectory.slope, cotangents)
    judge = reference_network.jacobian(
        case.images, network.W, network.b, interval=network.interval, activation=activation
    )
    np.testing.assert_allclose(rows.transpose(2, 1, 0), judge[:, :3], **tolerances.ROUNDING)


def test_a_trainer_may_move_each_layer_as_soon_as_it_is_done():
    case = example("tanh")
    network, cost = case.network, case.cost("all", 0.2)
    expected, _ = solved(case, cost)
    trajectory, gradient, order = Trajectory(network, 7), Gradient(network), []
    adjoint = cost.derivative(solve_direct(network, case.x0, trajectory), case.y)

    def after_layer(layer):
        order.append(layer)
        network.parameters[layer] = np.nan

    adjoint_gradient(network, trajectory, adjoint, gradient, cost.weight_decay, after_layer)
    assert order == [4, 3, 2, 1, 0]
    np.testing.assert_array_equal(gradient.parameters, expected.parameters)


def test_float32_gradient_is_close():
    single, double = example("tanh", dtype="float32"), example("tanh")
    gradient, _ = solved(single, single.cost("all", 0.2))
    expected, _ = solved(double, double.cost("all", 0.2))
    assert gradient.parameters.dtype == np.float32
    np.testing.assert_allclose(gradient.parameters, expected.parameters, **tolerances.SINGLE_PRECISION)


def test_sums_over_all_weights_are_accurate_in_float32(rng):
    """A plain float32 dot product of as many numbers is off by 1e-4 and more."""
    a = rng.random((150, 1, 200, 200), dtype=np.float32)
    parameters = type("", (), {"parameters": a, "h": 1.0})
    exact = np.einsum("lrij,lrij->r", a, a, dtype=np.float64)
    np.testing.assert_allclose(inner_product(parameters, parameters, parameters), exact, **tolerances.SUMS_BY_LAYER)
