import numpy as np
import pytest
from kit import reference_network, tolerances
from kit.example_network import LOSSES, example
from scipy.optimize import brentq

from stages.model.cost import Cost
from stages.train import step_length as search
from stages.train.step_length import CostAlong


def cost_along(cost, x, ξ, y, *of_decay):
    return CostAlong(cost, cost.seen(x), cost.seen(ξ), cost.wanted(y), *of_decay)


def step_length(*arguments):
    return search.step_length(cost_along(*arguments))


WITHOUT_CROSS_ENTROPY = ["squares", "size"]
WITH_CROSS_ENTROPY = ["cross-entropy", "paper's ce", "all"]


def states(case, cost, seed=0, spread=1.0):
    """Return states and a direction along which the loss falls."""
    x = spread * np.random.default_rng(seed).normal(0, 1, case.x0.shape)
    noise = 2 * np.random.default_rng(seed + 1).normal(0, 1, x.shape)
    return x, -cost.derivative(x, case.y) * x.shape[-1] + noise


@pytest.mark.parametrize("loss", WITHOUT_CROSS_ENTROPY)
@pytest.mark.parametrize("decay", [(0.0, 0.0), (-0.2, 0.7)])
def test_without_cross_entropy_it_is_the_parabolas_minimum(loss, decay):
    case = example()
    cost = case.cost(loss)
    x, ξ = states(case, cost)
    y, K = case.y[:3], x.shape[-1]
    mu1, mu3 = LOSSES[loss]["mu1"], LOSSES[loss]["mu3"]
    u, v = x[:3], ξ[:3]
    slope = (mu1 * ((u - y) * v).sum() + mu3 * (u * v).sum()) / K + decay[0]
    curvature = (mu1 + mu3) * (v * v).sum() / K + decay[1]
    np.testing.assert_allclose(step_length(cost, x, ξ, case.y, *decay), -slope / curvature, **tolerances.ROUNDING)


@pytest.mark.parametrize("loss", WITH_CROSS_ENTROPY)
@pytest.mark.parametrize("decay", [(0.0, 0.0), (-0.1, 0.3)])
@pytest.mark.parametrize("spread", [0.1, 1.0, 10.0])
def test_with_cross_entropy_it_is_the_zero_of_the_derivative(loss, decay, spread):
    case = example()
    cost = case.cost(loss)
    x, ξ = states(case, cost, spread=spread)

    def slope(η):
        data = reference_network.slope_along(η, x.T, ξ.T, case.labels, **LOSSES[loss], components=3)
        return float(data) + decay[0] + η * decay[1]

    expected = brentq(slope, 0.0, 1e4, xtol=1e-13, rtol=1e-13)
    np.testing.assert_allclose(step_length(cost, x, ξ, case.y, *decay), expected, **tolerances.ROOT_SEARCH)


@pytest.mark.parametrize("margin", [5, 30, 50, 200, 800])
@pytest.mark.parametrize("mu3", [0.0, 0.4])
def test_a_flat_softmax_does_not_mislead_it(margin, mu3):
    """A sample that is sure of a wrong class: no curvature where the search starts, yet a minimum far ahead."""
    x, y = np.array([[margin], [0.0], [0.0]]), np.array([[0.0], [1.0], [0.0]])
    ξ = np.array([[0.0], [0.01], [0.02]])
    cost = Cost(0.0, 1.0, mu3, 0.0, 3)
    η = step_length(cost, x, ξ, y)
    assert abs(cost_along(cost, x, ξ, y).derivatives(η)[0]) < 1e-9
    assert η > 0


def test_without_a_minimum_the_step_is_finite():
    """Plain cross-entropy falls for ever along a direction that separates the classes."""
    x, y = np.zeros((2, 1)), np.array([[1.0], [0.0]])
    η = step_length(Cost(0.0, 1.0, 0.0, 0.0, 2), x, np.array([[1.0], [-1.0]]), y)
    assert np.isfinite(η)
    assert η > 10  # the probabilities are 0 and 1 to rounding


@pytest.mark.parametrize("loss", LOSSES)
def test_a_direction_that_does_not_descend_gets_no_step(loss):
    case = example()
    cost = case.cost(loss)
    x, ξ = states(case, cost)
    assert step_length(cost, x, -ξ, case.y) == 0
    assert step_length(cost, x, np.zeros_like(ξ), case.y) == 0


@pytest.mark.parametrize("loss", LOSSES)
def test_runs_in_lockstep_get_the_steps_that_they_get_alone(loss):
    together = example(runs=4)
    cost = together.cost(loss)
    x, ξ = states(together, cost, spread=3.0)
    ξ[2] *= -1  # does not descend
    η = step_length(cost, x, ξ, together.y, *np.array([[-0.1] * 4, [0.2] * 4]))
    alone = [step_length(cost, x[run], ξ[run], together.y[run], -0.1, 0.2) for run in range(4)]
    np.testing.assert_array_equal(η, alone)


def test_float32_states_are_searched_in_float64():
    case = example(dtype="float32")
    cost = case.cost("all")
    x, ξ = (array.astype("float32") for array in states(case, cost))
    η = step_length(cost, x, ξ, case.y)
    assert η.dtype == np.float64
    assert η == step_length(cost, x.astype("float64"), ξ.astype("float64"), case.y)
