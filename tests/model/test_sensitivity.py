import numpy as np
import pytest
from kit import reference_network, tolerances
from kit.example_network import example

from stages.model.adjoint import Gradient
from stages.model.direct import Trajectory, final_state, solve_direct
from stages.model.network import Network
from stages.model.sensitivity import solve_sensitivity

PARTS = {"input": (1, 0, 0), "weights": (0, 1, 0), "biases": (0, 0, 1), "all": (1, 1, 1)}


def perturbations(case, part, scale=1.0):
    """Return ξ⁰ and [ω β], of which only the named part is not zero."""
    rng = np.random.default_rng(7)
    input_part, weights_part, biases_part = (scale * factor for factor in PARTS[part])
    ξ0, perturbation = input_part * rng.normal(0, 1, case.x0.shape), Gradient(case.network)
    perturbation.W[...] = weights_part * rng.normal(0, 1, case.network.W.shape)
    perturbation.b[...] = biases_part * rng.normal(0, 1, case.network.b.shape)
    return ξ0, perturbation


def sensitivity(case, ξ0, perturbation):
    trajectory = Trajectory(case.network, case.images.shape[-2])
    solve_direct(case.network, case.x0, trajectory)
    return solve_sensitivity(case.network, trajectory, ξ0.copy(), perturbation.parameters.__getitem__)


@pytest.mark.parametrize("part", PARTS)
@pytest.mark.parametrize("activation", ["relu", "tanh"])
def test_agrees_with_forward_mode_differentiation(activation, part):
    case = example(activation)
    network = case.network
    ξ0, perturbation = perturbations(case, part)
    point, direction = (case.images, network.W, network.b), (ξ0.T, perturbation.W, perturbation.b)
    _, expected = reference_network.push_forward(point, direction, interval=network.interval, activation=activation)
    np.testing.assert_allclose(sensitivity(case, ξ0, perturbation), expected.T, **tolerances.ROUNDING)


@pytest.mark.parametrize("part", PARTS)
def test_one_sided_differences_approach_it_at_order_one(part):
    case = example("tanh")
    network = case.network
    ξ0, perturbation = perturbations(case, part)
    expected = sensitivity(case, ξ0, perturbation)
    errors = []
    for ε in (1e-4, 5e-5, 2.5e-5):
        W, b = network.W + ε * perturbation.W, network.b + ε * perturbation.b
        moved = Network(W, b, network.interval, network.activation)
        difference = (final_state(moved, case.x0 + ε * ξ0) - final_state(network, case.x0)) / ε
        errors.append(np.abs(difference - expected).max())
    ratios = np.array(errors[:-1]) / errors[1:]
    np.testing.assert_allclose(np.log2(ratios), 1.0, **tolerances.ORDER)


def test_without_perturbed_weights_only_the_input_matters():
    case = example("tanh")
    ξ0, nothing = perturbations(case, "input")
    trajectory = Trajectory(case.network, 7)
    solve_direct(case.network, case.x0, trajectory)
    np.testing.assert_array_equal(
        solve_sensitivity(case.network, trajectory, ξ0.copy()), sensitivity(case, ξ0, nothing)
    )


def test_every_depth_can_be_looked_at():
    case = example("tanh")
    ξ0, perturbation = perturbations(case, "all")
    trajectory, seen, ξ = Trajectory(case.network, 7), {}, ξ0.copy()
    solve_direct(case.network, case.x0, trajectory)
    layers = perturbation.parameters.__getitem__
    solve_sensitivity(case.network, trajectory, ξ, layers, after_layer=lambda layer: seen.update({layer: ξ.copy()}))
    assert list(seen) == [0, 1, 2, 3, 4]
    first_slope = trajectory.slope[0]
    rate = perturbation.W[0] @ case.x0 + perturbation.b[0][:, None] + case.network.W[0] @ ξ0
    np.testing.assert_allclose(seen[0], ξ0 + first_slope * rate, **tolerances.ROUNDING)
    np.testing.assert_array_equal(seen[4], ξ)
