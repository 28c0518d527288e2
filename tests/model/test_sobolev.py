import numpy as np
import pytest
from kit import tolerances
from kit.example_network import example

from stages.model.adjoint import Gradient
from stages.model.sobolev import Smoothing, smooth
from stages.model.solvers.euler import Euler


def matrix(depth, h):
    """Return I + D of the scheme, dense, from the discrete W^{1,2} product."""
    difference = np.diff(np.eye(depth), axis=0) / h
    return np.eye(depth) + difference.T @ difference


def integral_formula(u, times, interval, points=4000):
    """Evaluate the paper's formula for S u at `times`, u a function, by a fine midpoint rule.

    (S u)(t) = [cosh(T - t) ∫_0^t u(s) cosh s ds + cosh t ∫_t^T u(s) cosh(T - s) ds] / sinh T
    """
    s = (np.arange(points) + 0.5) * interval / points
    kernel = np.cosh(interval - np.maximum(times[:, None], s)) * np.cosh(np.minimum(times[:, None], s))
    return kernel @ u(s) * interval / points / np.sinh(interval)


@pytest.mark.parametrize(("depth", "interval"), [(1, 3.0), (2, 3.0), (150, 3.0), (150, 50.0), (40, 0.01)])
def test_riesz_identity_holds_to_rounding(depth, interval, rng):
    h, (u, φ) = interval / depth, rng.normal(0, 1, (2, depth, 3, 4))
    s = smooth(u.copy(), h)
    left = h * (u * φ).sum()
    right = h * (s * φ).sum() + (np.diff(s, axis=0) * np.diff(φ, axis=0)).sum() / h
    np.testing.assert_allclose(left, right, rtol=tolerances.ROUNDING["rtol"], atol=tolerances.ELIMINATION["atol"])


@pytest.mark.parametrize(("depth", "interval"), [(1, 3.0), (2, 3.0), (150, 3.0), (60, 50.0)])
def test_agrees_with_a_dense_solve(depth, interval, rng):
    h, u = interval / depth, rng.normal(0, 1, (depth, 5))
    np.testing.assert_allclose(smooth(u.copy(), h), np.linalg.solve(matrix(depth, h), u), **tolerances.ELIMINATION)


def test_approaches_the_integral_formula_at_order_two():
    """The value of a layer stands for its cell: it is compared at the cell's centre."""
    interval, errors = 3.0, []

    def u(t):
        return np.exp(np.sin(2 * t)) + t

    for depth in (50, 100, 200):
        centres = (np.arange(depth) + 0.5) * interval / depth
        errors.append(np.abs(smooth(u(centres), interval / depth) - integral_formula(u, centres, interval)).max())
    np.testing.assert_allclose(np.log2(np.array(errors[:-1]) / errors[1:]), 2.0, **tolerances.ORDER)
    assert errors[-1] < 1e-3


def test_constants_stay_as_they_are():
    np.testing.assert_allclose(smooth(np.ones((150, 2)), 0.02), 1.0, **tolerances.ELIMINATION)


def test_is_symmetric_and_positive(rng):
    u, v = rng.normal(0, 1, (2, 80, 3))
    su, sv = smooth(u.copy(), 0.05), smooth(v.copy(), 0.05)
    np.testing.assert_allclose((su * v).sum(), (u * sv).sum(), **tolerances.ELIMINATION)
    assert (su * u).sum() > 0


@pytest.mark.parametrize("interval", [50.0, 1000.0])
def test_long_intervals_do_not_overflow_in_float32(interval, rng):
    """cosh T is beyond float32 from T = 90 and beyond float64 from T = 711."""
    u = rng.normal(0, 1, (150, 4))
    s = smooth(u.astype("float32"), interval / 150)
    assert s.dtype == np.float32
    np.testing.assert_allclose(s, smooth(u.copy(), interval / 150), **tolerances.SINGLE_PRECISION)


def test_smooths_weights_and_biases_alike(rng):
    network = example(depth=12).network
    gradient = Gradient(network)
    gradient.parameters[...] = rng.normal(0, 1, gradient.parameters.shape)
    W, b = gradient.W.copy(), gradient.b.copy()
    smooth(gradient.parameters, network.h)
    np.testing.assert_array_equal(gradient.W, smooth(W, network.h))
    np.testing.assert_array_equal(gradient.b, smooth(b, network.h))


def test_eliminating_inside_the_adjoint_problem_changes_nothing():
    case = example("tanh", depth=12)
    solver, gradient = Euler(case.network, 7), Gradient(case.network)
    smoothing = Smoothing(gradient.parameters, case.network.h)
    x = solver.direct(case.x0)
    solver.gradient(case.cost().derivative(x, case.y), gradient)
    expected = smooth(gradient.parameters.copy(), case.network.h)
    solver.gradient(case.cost().derivative(x, case.y), gradient, after_layer=smoothing.eliminate)
    for layer, found in enumerate(smoothing.substitute()):
        np.testing.assert_array_equal(found, expected[layer])
