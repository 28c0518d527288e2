import math

import numpy as np
import pytest
from kit import tolerances
from scipy.integrate import RK45, solve_ivp

from stages.model.continuous import dormand_prince
from stages.model.continuous.dormand_prince import DormandPrince, NoSolution
from stages.runtime.errors import UserError

MIXING = np.random.default_rng(3).normal(0, 1, (5, 5))
START = np.random.default_rng(4).normal(0, 1, 5)


def slope(t, y):
    """A smooth problem without a closed solution."""
    return np.tanh(MIXING @ y * np.cos(3 * t))


def rate(t, y, out):
    out[...] = slope(t, y)


def exact(times):
    return solve_ivp(slope, (0, 3), START, method="DOP853", rtol=1e-13, atol=1e-13, t_eval=times).y.T


def solver(rtol=1e-6, atol=1e-9, norm="rms", like=START):
    return DormandPrince(like, rtol=rtol, atol=atol, norm=norm)


def test_coefficients_are_scipys():
    np.testing.assert_allclose(dormand_prince.C[:6], RK45.C, **tolerances.ROUNDING)
    np.testing.assert_allclose(dormand_prince.A[:6, :5], RK45.A, **tolerances.ROUNDING)
    np.testing.assert_allclose(dormand_prince.A[6, :6], RK45.B, **tolerances.ROUNDING)
    np.testing.assert_allclose(dormand_prince.E, -RK45.E, **tolerances.ROUNDING)


def test_the_interpolant_ends_in_the_step_with_its_slopes():
    """SciPy's has another free parameter; both take over value and slope at both ends of the step."""
    np.testing.assert_allclose(dormand_prince.P.sum(axis=1), dormand_prince.A[6], **tolerances.SHORT_SUMS)
    np.testing.assert_allclose(dormand_prince.P[:, 0], np.eye(7)[0], **tolerances.SHORT_SUMS)
    np.testing.assert_allclose(dormand_prince.P @ [1, 2, 3, 4], np.eye(7)[6], **tolerances.SHORT_SUMS)


@pytest.mark.parametrize("norm", dormand_prince.NORMS)
@pytest.mark.parametrize("rtol", [1e-3, 1e-6, 1e-9])
def test_agrees_with_scipy_at_matching_tolerances(norm, rtol):
    ours = solver(rtol, 1e-3 * rtol, norm)
    error = np.abs(ours.solve(rate, START, 0.0, 3.0) - exact([3.0])[-1]).max()
    theirs = solve_ivp(slope, (0, 3), START, rtol=rtol, atol=1e-3 * rtol)
    their_error = np.abs(theirs.y[:, -1] - exact([3.0])[-1]).max()
    assert error < tolerances.ADAPTIVE_ERROR_PER_RTOL * rtol
    assert their_error < tolerances.ADAPTIVE_ERROR_PER_RTOL * rtol
    assert ours.evaluations < 1.3 * theirs.nfev


@pytest.mark.parametrize("norm", dormand_prince.NORMS)
def test_output_at_the_nodes_is_as_good_as_the_steps(norm):
    nodes, out = np.linspace(0, 3, 41), np.empty((41, 5))
    rtol = 1e-7
    y = solver(rtol, 1e-10, norm).solve(rate, START, 0.0, 3.0, nodes, out)
    assert np.abs(out - exact(nodes)).max() < tolerances.ADAPTIVE_ERROR_PER_RTOL * rtol
    np.testing.assert_array_equal(out[0], START)
    np.testing.assert_allclose(out[-1], y, **tolerances.ROUNDING)


@pytest.mark.parametrize("where", ["end", "nodes"])
def test_fixed_steps_converge_at_order_five(where, monkeypatch):
    """Tolerances so loose that every step is the longest allowed."""
    nodes, errors = np.linspace(0, 3, 97), []
    for longest in (1 / 20, 1 / 40, 1 / 80):
        monkeypatch.setattr(dormand_prince, "LARGEST_STEP", longest)
        out, method = np.empty((97, 5)), solver(rtol=1.0, atol=1e9)
        y = method.solve(rate, START, 0.0, 3.0, nodes, out)
        assert method.steps == round(1 / longest)
        wanted = exact(nodes)
        errors.append(np.abs(y - wanted[-1]).max() if where == "end" else np.abs(out - wanted).max())
    orders = np.log2(np.array(errors[:-1]) / errors[1:])
    assert orders.min() > 4.5, orders


def test_a_quartic_is_followed_to_rounding_between_the_steps():
    def quartic(t, y, out):
        out[...] = 1 - 6 * t + 4 * t**3

    nodes, out = np.linspace(0, 2, 33), np.empty((33, 1))
    solver(rtol=1e-2, atol=1.0, like=np.zeros(1)).solve(quartic, np.zeros(1), 0.0, 2.0, nodes, out)
    np.testing.assert_allclose(out[:, 0], nodes - 3 * nodes**2 + nodes**4, **tolerances.SHORT_SUMS)


def test_backwards_undoes_forwards():
    method, nodes = solver(1e-9, 1e-12), np.linspace(0, 3, 31)
    there, back = np.empty((31, 5)), np.empty((31, 5))
    end = method.solve(rate, START, 0.0, 3.0, nodes, there).copy()
    again = method.solve(rate, end, 3.0, 0.0, nodes, back)
    np.testing.assert_allclose(again, START, rtol=0, atol=1e-7)
    np.testing.assert_allclose(back, there, rtol=0, atol=1e-7)


def test_asking_for_output_changes_no_step():
    method = solver()
    alone = method.solve(rate, START, 0.0, 3.0).copy()
    steps = method.steps
    nodes = np.linspace(0, 3, 500)
    np.testing.assert_array_equal(method.solve(rate, START, 0.0, 3.0, nodes, np.empty((500, 5))), alone)
    assert method.steps == steps


def test_a_second_solve_starts_afresh():
    method = solver()
    first = method.solve(rate, START, 0.0, 3.0).copy()
    method.solve(rate, 5 * START, 0.0, 1.0)
    np.testing.assert_array_equal(method.solve(rate, START, 0.0, 3.0), first)


def test_a_smaller_unit_takes_the_same_steps_to_a_smaller_solution():
    def linear(t, y, out):
        out[...] = MIXING @ y * np.cos(3 * t)

    method, unit = solver(1e-3, 1e-3), 2.0**-7  # a power of two, so that nothing is rounded otherwise
    whole = method.solve(linear, START, 0.0, 3.0).copy()
    steps = method.steps, method.rejections
    np.testing.assert_array_equal(method.solve(linear, unit * START, 0.0, 3.0, unit=unit), unit * whole)
    assert (method.steps, method.rejections) == steps
    method.solve(linear, unit * START, 0.0, 3.0)
    assert (method.steps, method.rejections) != steps


def recorded_times(method, rate, start, stop):
    times = []

    def recording(t, y, out):
        times.append(t)
        rate(t, y, out)

    method.solve(recording, START, start, stop)
    return times


def test_the_first_step_is_matlabs():
    """h = 0.8 rtol^(1/5) / |f / max(|y|, atol/rtol)|; the second stage lies a fifth of it ahead."""
    times = recorded_times(solver(1e-6, 1e-9, "max"), rate, 0.0, 3.0)
    relative = np.abs(slope(0.0, START) / np.maximum(np.abs(START), 1e-3)).max()
    assert times[1] == pytest.approx(0.8 * 1e-6**0.2 / relative / 5)


def matlabs_steps(slope, y, stop, rtol, atol, norm):
    """Return the ends of all accepted steps and the number of rejected ones, by ode45's rules written a second time."""
    size = {"max": lambda e: np.abs(e).max(), "rms": lambda e: np.sqrt(np.mean(e**2))}[norm]
    t, ends, rejected = 0.0, [], 0
    step = min(0.1 * stop, 0.8 * rtol**0.2 / size(slope(0.0, y) / np.maximum(np.abs(y), atol / rtol)))
    while t < stop:
        step, failed = min(0.1 * stop, step), False
        while True:
            h = stop - t if 1.1 * step >= stop - t else step
            k = [slope(t, y)]
            for c, a in zip(RK45.C[1:], RK45.A[1:], strict=True):
                k.append(slope(t + c * h, y + h * sum(w * stage for w, stage in zip(a, k, strict=False))))
            y_new = y + h * sum(w * stage for w, stage in zip(RK45.B, k, strict=True))
            k.append(slope(t + h, y_new))
            error = h * sum(w * stage for w, stage in zip(RK45.E, k, strict=True))
            error = size(error / np.maximum(np.maximum(np.abs(y), np.abs(y_new)), atol / rtol))
            if error <= rtol:
                break
            step = h * (0.5 if failed else max(0.1, 0.8 * (rtol / error) ** 0.2))
            failed, rejected = True, rejected + 1
        t, y = t + h, y_new
        ends.append(t)
        step = h if failed else h / max(0.2, 1.25 * (error / rtol) ** 0.2)
    return ends, rejected


@pytest.mark.parametrize("norm", dormand_prince.NORMS)
@pytest.mark.parametrize("rtol", [1e-3, 1e-6])
def test_every_step_is_the_one_that_matlabs_rules_give(norm, rtol):
    def kinked(t, y):
        return slope(t, y) + 30 * np.abs(np.sin(5 * t)) - (40 if t > 1.234 else 0)

    ends, rejections = matlabs_steps(kinked, START, 3.0, rtol, 0.01 * rtol, norm)
    method, accepted = solver(rtol, 0.01 * rtol, norm), []
    pass_nodes = method._pass_nodes
    method._pass_nodes = lambda nodes, out, t, t_new: accepted.append(t_new) or pass_nodes(nodes, out, t, t_new)

    def write(t, y, out):
        out[...] = kinked(t, y)

    method.solve(write, START, 0.0, 3.0)
    assert method.rejections == rejections >= 3
    np.testing.assert_allclose(accepted, ends, **tolerances.STEP_ENDS)


def test_no_step_is_longer_than_a_tenth_of_the_interval():
    def rest(t, y, out):
        out[...] = 0

    method = solver()
    times = recorded_times(method, rest, 0.0, 3.0)
    assert (method.steps, method.rejections, method.evaluations) == (10, 0, 61)
    ends = sorted(set(times[6::6]))
    np.testing.assert_allclose(np.diff([0, *ends]), 0.3, **tolerances.ROUNDING)


def test_a_kink_costs_rejected_steps_and_is_passed():
    def kinked(t, y, out):
        out[...] = 1.0 if t < 1.234 else -20.0

    method = solver(1e-6, 1e-6, like=np.zeros(1))
    y = method.solve(kinked, np.zeros(1), 0.0, 3.0)
    assert method.rejections > 3
    assert y[0] == pytest.approx(1.234 - 20 * (3 - 1.234), abs=1e-4)


def test_the_largest_component_asks_for_more_steps_than_the_mean():
    few, many = solver(norm="rms"), solver(norm="max")
    few.solve(rate, START, 0.0, 3.0)
    many.solve(rate, START, 0.0, 3.0)
    assert many.steps > few.steps


def test_a_pole_is_named_by_its_time():
    def squared(t, y, out):
        out[...] = y * y

    with np.errstate(over="ignore", invalid="ignore"), pytest.raises(NoSolution, match="beyond t = 1"):
        solver(like=np.ones(1)).solve(squared, np.ones(1), 0.0, 2.0)


@pytest.mark.parametrize("bad", [math.nan, math.inf])
def test_a_start_that_is_not_finite_is_refused(bad):
    start = START.copy()
    start[2] = bad
    with np.errstate(invalid="ignore"), pytest.raises(NoSolution, match="not finite"):
        solver().solve(rate, start, 0.0, 3.0)


def test_works_in_float32_on_matrices():
    start = np.stack([START, -START], axis=1)
    nodes, out = np.linspace(0, 3, 7), np.empty((7, 5, 2), "float32")
    y = solver(1e-4, 1e-6, like=out[0]).solve(rate, start, 0.0, 3.0, nodes, out)
    assert y.dtype == np.float32
    assert y.shape == (5, 2)
    np.testing.assert_allclose(out[:, :, 0], exact(nodes), rtol=0, atol=tolerances.ADAPTIVE_ERROR_PER_RTOL * 1e-4)
    np.testing.assert_allclose(out[:, :, 1], -out[:, :, 0], **tolerances.SINGLE_PRECISION)


@pytest.mark.parametrize(
    ("settings", "found"),
    [({"rtol": 1e-6}, "rtol 1e-06"), ({"atol": 0.0}, "atol 0.0"), ({"norm": "mean"}, "norm mean")],
)
def test_settings_that_cannot_work_are_refused(settings, found):
    usable = {"rtol": 1e-3, "atol": 1e-6, "norm": "rms"}
    with pytest.raises(UserError, match=found):
        DormandPrince(np.zeros(3, "float32"), **(usable | settings))


def test_a_solution_beyond_all_numbers_ends_in_float32_too():
    calls = 0

    def growing(t, y, out):
        nonlocal calls
        calls += 1
        assert calls < 10_000, "it creeps on by steps that no longer move the state"
        np.multiply(60, y, out=out)

    start = np.ones(3, "float32")
    with np.errstate(all="ignore"), pytest.raises(NoSolution) as problem:
        solver(1e-3, 1e-6, like=start).solve(growing, start, 0.0, 3.0)
    assert 1.3 < problem.value.time < 1.5  # exp(60 t) leaves float32 at 1.479


def test_a_step_into_nowhere_is_cut_to_a_tenth():
    method, lengths = solver(1e-3, 1e-6), []

    def rate_until_one(t, y, out):
        lengths.append(method.length)
        assert len(lengths) < 10_000, "it tries the shortest step again and again"
        out[...] = slope(t, y) if t <= 1 else np.nan

    with pytest.raises(NoSolution):
        method.solve(rate_until_one, START, 0.0, 3.0)
    tried = list(dict.fromkeys(lengths))
    first = next(i for i in range(1, len(tried)) if tried[i] == pytest.approx(0.1 * tried[i - 1]))
    assert all(length < tried[first - 1] for length in tried[first:])
