"""ODE45 against its judges: SciPy, finite differences, and Euler's method as its steps get shorter."""

import numpy as np
import pytest
from kit import tolerances
from kit.smooth_network import batch, between, refined, smooth_network
from scipy.integrate import solve_ivp

from stages.model.adjoint import Gradient, adjoint_gradient
from stages.model.continuous import problems
from stages.model.continuous.interpolation import AffineInTime, linear
from stages.model.direct import Trajectory, final_state, solve_direct
from stages.model.network import Network
from stages.model.products import inner_product
from stages.model.solvers.ode45 import Ode45

TIGHT = {"rtol": 1e-10, "atol": 1e-12, "norm": "rms"}
DEFAULT = {"rtol": 1e-3, "atol": 1e-6, "norm": "rms"}
SIGMA = {"tanh": np.tanh, "relu": lambda a: np.maximum(a, 0)}
SLOPE = {"tanh": lambda a: np.cosh(a) ** -2, "relu": lambda a: 1.0 * (a > 0)}


def judge(slope, start, y, stop, nodes=None):
    """Solve y' = slope(t, y) for a matrix y with SciPy, tightly; return y(stop), or y at the nodes."""
    flat = solve_ivp(
        lambda t, y_t: slope(t, y_t.reshape(y.shape)).ravel(),
        (start, stop),
        y.ravel(),
        rtol=1e-10,
        atol=1e-12,
        max_step=abs(stop - start) / 40,
        t_eval=None if nodes is None else nodes,
    ).y
    return flat[:, -1].reshape(y.shape) if nodes is None else flat.T.reshape(-1, *y.shape)


@pytest.mark.parametrize("activation", ["relu", "tanh"])
def test_direct_problem_agrees_with_scipy_at_the_nodes(activation):
    network, (x0, _) = smooth_network(8, activation), batch()
    W, b, h = np.array(network.W), np.array(network.b), network.h
    solver = Ode45(network, 4, **TIGHT)
    x_T = solver.direct(x0)
    nodes = np.linspace(0, network.interval, 9)
    expected = judge(
        lambda t, x: SIGMA[activation](between(W, h, t) @ x + between(b, h, t)[:, None]), 0, x0, 1.5, nodes
    )
    np.testing.assert_allclose(solver.problems[()].x_one[:, :-1], expected, **tolerances.TIGHT_ADAPTIVE)
    np.testing.assert_array_equal(x_T, solver.problems[()].x_one[-1, :-1])


@pytest.mark.parametrize("norm", ["rms", "max"])
def test_default_tolerances_keep_their_promise(norm):
    network, (x0, _) = smooth_network(8), batch()
    exact = Ode45.final_state(network, x0, **TIGHT)
    error = np.abs(Ode45.final_state(network, x0, **(DEFAULT | {"norm": norm})) - exact).max()
    assert error < tolerances.ADAPTIVE_ERROR_PER_RTOL * 1e-3


def test_euler_converges_to_it_at_order_one():
    network, (x0, _) = smooth_network(8), batch()
    exact = Ode45.final_state(network, x0, **TIGHT)
    errors = [np.abs(final_state(refined(network, factor), x0) - exact).max() for factor in (4, 8, 16, 32)]
    orders = np.log2(np.array(errors[:-1]) / errors[1:])
    np.testing.assert_allclose(orders[-1], 1.0, **tolerances.ORDER)
    assert errors[-1] < 0.01


@pytest.mark.parametrize("activation", ["relu", "tanh"])
def test_adjoint_and_gradient_agree_with_scipy(activation):
    network, (x0, λ_T) = smooth_network(8, activation), batch()
    W, b, h = np.array(network.W), np.array(network.b), network.h
    solver, gradient, λ = Ode45(network, 4, **TIGHT), Gradient(network), λ_T.copy()
    solver.direct(x0)
    x = np.array(solver.problems[()].x_one[:, :-1])
    solver.gradient(λ, gradient, weight_decay=0.3)

    def slope(t, λ):
        W_t = between(W, h, t)
        return -W_t.T @ (SLOPE[activation](W_t @ between(x, h, t) + between(b, h, t)[:, None]) * λ)

    nodes = np.linspace(0, network.interval, 9)[::-1]
    expected = judge(slope, 1.5, λ_T, 0.0, nodes)[::-1]
    np.testing.assert_allclose(λ, expected[0], **tolerances.TIGHT_ADAPTIVE)
    for layer in range(8):
        g = SLOPE[activation](W[layer] @ x[layer] + b[layer][:, None]) * expected[layer]
        np.testing.assert_allclose(gradient.W[layer], g @ x[layer].T + 0.3 * W[layer], **tolerances.TIGHT_ADAPTIVE)
        np.testing.assert_allclose(gradient.b[layer], g.sum(axis=1) + 0.3 * b[layer], **tolerances.TIGHT_ADAPTIVE)


def test_the_gradient_of_a_batch_many_times_over_is_solved_as_exactly_as_that_of_one():
    """The mean over the images makes λ smaller the more there are; its tolerance must not hang on that."""
    network, (x0, λ_T) = smooth_network(8), batch()

    def gradient(times, **tolerance):
        samples = 4 * times
        solver, found = Ode45(network, samples, **tolerance), Gradient(network)
        solver.direct(np.tile(x0, times))
        solver.gradient(np.tile(1e-2 * λ_T, times) / samples, found)
        return np.array(found.parameters), solver.problems[()].solver.evaluations

    exact, _ = gradient(1, **TIGHT)
    tolerance = {"rtol": 1e-6, "atol": 1e-8, "norm": "rms"}  # shorter steps than the longest; λ is about atol / rtol
    (one, work), (many, more_work) = gradient(1, **tolerance), gradient(256, **tolerance)
    assert np.linalg.norm(many - exact) < 2 * np.linalg.norm(one - exact)
    assert 0.75 * work < more_work < 1.25 * work  # rounding may turn a step that was just accepted into one that is not


def test_sensitivity_agrees_with_scipy():
    network, (x0, _) = smooth_network(8), batch()
    W, b, h = np.array(network.W), np.array(network.b), network.h
    perturbation = np.random.default_rng(1).normal(0, 1, network.parameters.shape)
    solver = Ode45(network, 4, **TIGHT)
    solver.direct(x0)
    x = np.array(solver.problems[()].x_one[:, :-1])

    def slope(t, ξ):
        W_t, x_t, d_t = between(W, h, t), between(x, h, t), between(perturbation, h, t)
        forcing = d_t[:, :-1] @ x_t + d_t[:, -1:]
        return SLOPE["tanh"](W_t @ x_t + between(b, h, t)[:, None]) * (forcing + W_t @ ξ)

    expected = judge(slope, 0, np.zeros((5, 4)), 1.5)
    np.testing.assert_allclose(solver.sensitivity(perturbation.__getitem__), expected, **tolerances.TIGHT_ADAPTIVE)


class Multiplied(AffineInTime):
    """W x + b as a product at each time."""

    def at_node(self, layer):
        return self(layer * self.h, np.empty_like(self.terms[0]))

    def __call__(self, t, out):
        return self.affine.value(linear(self.layers, self.h)(t), linear(self.x_one, self.h)(t), out=out)


@pytest.mark.parametrize("depth", [8, 60])  # steps of one or two intervals, and of several
@pytest.mark.parametrize("long_step", [0.0, problems.LONG_STEP, np.inf])
@pytest.mark.parametrize("activation", ["relu", "tanh"])
def test_quadratics_give_the_numbers_of_a_product_at_each_time(activation, long_step, depth, monkeypatch):
    network, (x0, λ_T) = smooth_network(depth, activation), batch()
    # Smooth: over rough ones each step depends on where in it a kink falls, and rounding doubles from step to step.
    t, (d_0, d_1) = np.arange(depth) * network.h, np.random.default_rng(2).normal(0, 1, (2, 5, 6))
    d = d_0 * np.cos(t)[:, None, None] + d_1 * np.sin(2 * t)[:, None, None]

    def solved():
        solver, gradient, λ = Ode45(network, 4, **DEFAULT), Gradient(network), λ_T.copy()
        solver.direct(x0)
        solver.gradient(λ, gradient)
        return λ, gradient.parameters, solver.sensitivity(d.__getitem__)

    monkeypatch.setattr(problems, "LONG_STEP", long_step)
    found = solved()
    monkeypatch.setattr(problems, "AffineInTime", Multiplied)
    for value, expected in zip(found, solved(), strict=True):
        np.testing.assert_allclose(value, expected, **tolerances.LONG_SUMS)


def test_sensitivity_approaches_finite_differences_at_order_two():
    """What is left is the linear interpolation of x between the nodes."""
    errors, step, tolerance = [], 1e-4, {"rtol": 1e-12, "atol": 1e-13, "norm": "max"}
    for depth in (10, 20, 40):
        network, (x0, _) = smooth_network(depth), batch()
        d = np.ones_like(network.parameters) * np.cos(np.arange(depth) * network.h)[:, None, None]
        solver = Ode45(network, 4, **tolerance)
        solver.direct(x0)
        ξ = solver.sensitivity(d.__getitem__)
        above, below = (
            Network(network.W + sign * d[..., :-1], network.b + sign * d[..., -1], 1.5, network.activation)
            for sign in (step, -step)
        )
        difference = Ode45.final_state(above, x0, **tolerance) - Ode45.final_state(below, x0, **tolerance)
        errors.append(np.abs(ξ - difference / (2 * step)).max())
    np.testing.assert_allclose(np.log2(np.array(errors[:-1]) / errors[1:]), 2.0, **tolerances.ORDER)


def test_eulers_gradient_converges_to_it_at_order_one():
    errors = []
    for depth in (40, 80, 160):
        network, (x0, λ_T) = smooth_network(depth), batch()
        adaptive, exact = Gradient(network), Gradient(network)
        solver, trajectory = Ode45(network, 4, **TIGHT), Trajectory(network, 4)
        solver.direct(x0)
        solver.gradient(λ_T.copy(), adaptive)
        solve_direct(network, x0, trajectory)
        adjoint_gradient(network, trajectory, λ_T.copy(), exact)
        errors.append(np.abs(adaptive.parameters - exact.parameters).max())
    np.testing.assert_allclose(np.log2(np.array(errors[:-1]) / errors[1:]), 1.0, **tolerances.ORDER_OF_A_COARSE_GRID)


def test_slope_along_a_direction_matches_the_gradient():
    """<E', d> = <λ(T), ξ(T)> up to the tolerance and the nodes' quadrature."""
    network, (x0, λ_T) = smooth_network(100), batch()
    solver, gradient = Ode45(network, 4, **DEFAULT), Gradient(network)
    solver.direct(x0)
    solver.gradient(λ_T.copy(), gradient)
    ξ = solver.sensitivity(gradient.parameters.__getitem__)
    assert (λ_T * ξ).sum() == pytest.approx(inner_product(network, gradient, gradient), rel=0.03)
