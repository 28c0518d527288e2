"""The classical Runge-Kutta method: its order, and the three problems against the adaptive solver."""

import numpy as np
import pytest
from kit import tolerances
from kit.smooth_network import batch, refined, smooth_network

from stages.model.adjoint import Gradient
from stages.model.cost import one_hot
from stages.model.network import Network
from stages.model.solvers.ode45 import Ode45
from stages.model.solvers.rk4 import RK4
from stages.train.methods.ncg import ConjugateGradient

TIGHT = {"rtol": 1e-12, "atol": 1e-13, "norm": "max"}


def order(errors):
    """The order of convergence from errors at halved steps."""
    return np.log2(np.array(errors[:-1]) / errors[1:])


def test_it_converges_at_order_four_to_the_solution_for_piecewise_linear_weights():
    """The same W(t) on finer and finer nodes: it is linear within every step, so no order is lost."""
    network, (x0, _) = smooth_network(4), batch()
    exact = Ode45.final_state(network, x0, **TIGHT)
    errors = [np.abs(RK4.final_state(refined(network, factor), x0) - exact).max() for factor in (2, 4, 8, 16)]
    np.testing.assert_allclose(order(errors)[-1], 4.0, **tolerances.ORDER_OF_A_COARSE_GRID)
    assert errors[-1] < 1e-6


def solved(solver, x0, λ_T, d):
    """Return x(T), λ(0), the gradient and ξ(T)."""
    gradient, λ = Gradient(solver.network), λ_T.copy()
    x = np.array(solver.direct(x0))
    solver.gradient(λ, gradient, weight_decay=0.3)
    return x, λ, gradient.parameters, np.array(solver.sensitivity(d.__getitem__))


@pytest.mark.parametrize("activation", ["tanh", "gelu"])
def test_all_three_problems_approach_those_of_the_adaptive_solver(activation):
    """The adjoint and sensitivity problem see x between the nodes: both solvers interpolate it linearly."""
    errors = []
    for depth in (20, 40):
        network, (x0, λ_T) = smooth_network(depth, activation), batch()
        d = np.ones_like(network.parameters) * np.cos(np.arange(depth) * network.h)[:, None, None]
        found, expected = (solved(solver, x0, λ_T, d) for solver in (RK4(network, 4), Ode45(network, 4, **TIGHT)))
        errors.append([np.abs(one - other).max() for one, other in zip(found, expected, strict=True)])
    assert (order(errors) > 3).all(), order(errors)
    assert np.max(errors[-1]) < 1e-5


def test_the_sensitivity_approaches_finite_differences_at_order_two():
    errors, step = [], 1e-4
    for depth in (10, 20, 40):
        network, (x0, _) = smooth_network(depth), batch()
        d = np.ones_like(network.parameters) * np.cos(np.arange(depth) * network.h)[:, None, None]
        solver = RK4(network, 4)
        solver.direct(x0)
        ξ = solver.sensitivity(d.__getitem__)
        above, below = (
            Network(network.W + sign * d[..., :-1], network.b + sign * d[..., -1], 1.5, network.activation)
            for sign in (step, -step)
        )
        errors.append(np.abs(ξ - (RK4.final_state(above, x0) - RK4.final_state(below, x0)) / (2 * step)).max())
    np.testing.assert_allclose(order(errors), 2.0, **tolerances.ORDER_OF_A_COARSE_GRID)


def test_networks_in_lockstep_get_the_numbers_that_they_get_alone():
    alone, (x0, _) = [smooth_network(6), smooth_network(6, width=5)], batch()
    W, b = (np.stack([getattr(network, name) for network in alone], axis=1) for name in ("W", "b"))
    together = Network(W, b, 1.5, alone[0].activation)
    found = RK4(together, 4).direct(np.stack([x0, x0]))
    for run, network in enumerate(alone):
        np.testing.assert_array_equal(found[run], RK4(network, 4).direct(x0))


def test_conjugate_gradients_through_it_lower_the_cost():
    from kit.example_network import example

    case = example("tanh")
    trainer = ConjugateGradient(case.network, case.cost(), 7, solver=RK4)
    history = trainer.train_on_batch(case.x0, one_hot(case.labels, 6, "float64", np), 8)
    assert history.loss_after[-1] < 0.5 * history.loss[0]
    assert (np.array(history.loss_after) <= history.loss).all()
