import itertools

import numpy as np
import pytest
from kit import reference_network, tolerances
from kit.example_network import LOSSES, example
from scipy.optimize import brentq

from stages.model.direct import final_state
from stages.model.network import Network
from stages.model.solvers.euler import Euler
from stages.train.methods.base import Diverged
from stages.train.methods.ncg import HALVINGS, ConjugateGradient

# --- judges -----------------------------------------------------------------------------------------------------------


def reference_training(case, loss, mu4, components, activation, sobolev, iterations):
    """Train by Algorithm 1 with every derivative JAX's; return W, b, costs, conjugacies and steps."""
    network = case.network
    h, L, W, b = network.h, network.depth, np.array(network.W), np.array(network.b)
    shape = {"interval": network.interval, "activation": activation}
    seen = {**LOSSES[loss], "components": components}
    D = np.diff(np.eye(L), axis=0) / h
    S = np.linalg.inv(np.eye(L) + D.T @ D) if sobolev else np.eye(L)
    found, last = {"loss": [], "conjugacy": [], "step_size": []}, None
    for _ in range(iterations):
        point = (case.images, W, b)
        _, *partial = reference_network.gradient(*point, case.labels, mu4=mu4, **shape, **seen)
        G = [np.einsum("lm,m...->l...", S, np.array(part) / h) for part in partial]
        square = h * sum((part**2).sum() for part in G)
        γ = 0.0 if last is None else square / last[0]
        d = [-part for part in G] if last is None else [γ * old - part for old, part in zip(last[1], G, strict=True)]
        x, ξ = reference_network.push_forward(point, (0 * case.images, *d), **shape)

        def slope(η):
            decay = mu4 * h * (((W + η * d[0]) * d[0]).sum() + ((b + η * d[1]) * d[1]).sum())
            return float(reference_network.slope_along(η, x, ξ, case.labels, **seen)) + decay

        η = brentq(slope, 0.0, 1e3, xtol=1e-14, rtol=1e-14)
        found["loss"].append(float(reference_network.cost(*point, case.labels, mu4=mu4, **shape, **seen)))
        found["conjugacy"].append(γ)
        found["step_size"].append(η)
        W, b, last = W + η * d[0], b + η * d[1], (square, d)
    return W, b, found


@pytest.mark.parametrize(
    ("activation", "loss", "components", "mu4", "gradient"),
    [
        ("tanh", "squares", "classes", 0.0, "l2"),
        ("tanh", "squares", "all", 0.05, "l2"),
        ("tanh", "paper's ce", "classes", 0.0, "sobolev"),
        ("relu", "paper's ce", "classes", 0.0, "l2"),
        ("relu", "all", "all", 0.05, "sobolev"),
    ],
)
def test_agrees_with_algorithm_1_written_a_second_time(activation, loss, components, mu4, gradient):
    case = example(activation, seed=2, std=0.2, depth=4)  # none of the guards has work to do here
    cost = case.cost(loss, mu4, components)
    W, b, expected = reference_training(case, loss, mu4, cost.components, activation, gradient == "sobolev", 4)
    history = ConjugateGradient(case.network, cost, 7, gradient=gradient).train_on_batch(case.x0, case.y, 4)
    assert not np.any(history.halvings)
    assert not np.any(history.restarts)
    for name, values in expected.items():
        np.testing.assert_allclose(getattr(history, name), values, **tolerances.FEW_ITERATIONS)
    np.testing.assert_allclose(case.network.W, W, **tolerances.FEW_ITERATIONS)
    np.testing.assert_allclose(case.network.b, b, **tolerances.FEW_ITERATIONS)


# --- a convex quadratic -----------------------------------------------------------------------------------------------


def linear_regression(mu4):
    """One layer, σ(a) = a, one component seen: a quadratic in the four numbers of the first row of [W b]."""
    case = example("identity", width=3, depth=1, samples=12, classes=1, interval=1.0, std=0.5)
    case.labels[:] = np.arange(12) % 2  # the target of the one component: 1 where the label is 0
    cost = case.cost("squares", mu4)
    target = (case.labels == 0).astype("float64")
    inputs = np.column_stack([case.images, np.ones(12)])
    # x + W x + b = y in the least squares sense
    normal = inputs.T @ inputs / 12 + mu4 * np.eye(4)
    best = np.linalg.solve(normal, inputs.T @ (target - case.images[:, 0]) / 12)
    return case, cost, best


@pytest.mark.parametrize("mu4", [0.0, 0.1])
def test_a_convex_quadratic_is_minimised_in_as_many_steps_as_it_has_dimensions(mu4):
    case, cost, best = linear_regression(mu4)
    if mu4:  # the rows that the loss does not see only decay: leave them at their minimum
        case.network.parameters[0, 1:] = 0
    history = ConjugateGradient(case.network, cost, 12).train_on_batch(case.x0, case.y, 4)
    np.testing.assert_allclose(case.network.parameters[0, 0], best, **tolerances.FOUR_CONJUGATE_STEPS)
    assert history.gradient_norm[3] > 1e-4 * history.gradient_norm[0]  # three steps are not enough
    final = ConjugateGradient(case.network, cost, 12).train_on_batch(case.x0, case.y, 1)
    assert final.gradient_norm[0] < 1e-10 * history.gradient_norm[0]


def test_directions_are_conjugate_and_steps_exact():
    case, cost, _ = linear_regression(0.0)
    inputs = np.column_stack([case.images, np.ones(12)])
    hessian = inputs.T @ inputs / 12
    positions = [case.network.parameters[0, 0].copy()]
    for iterations in (1, 2, 3):
        fresh, cost, _ = linear_regression(0.0)
        ConjugateGradient(fresh.network, cost, 12).train_on_batch(fresh.x0, fresh.y, iterations)
        positions.append(fresh.network.parameters[0, 0].copy())
    steps = np.diff(positions, axis=0)
    products = steps @ hessian @ steps.T
    scale = np.sqrt(np.outer(np.diag(products), np.diag(products)))
    np.testing.assert_allclose(products / scale, np.eye(3), rtol=0, atol=1e-9)


# --- every iteration --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("activation", "loss", "gradient"), list(itertools.product(["relu", "tanh"], LOSSES, ["l2", "sobolev"]))
)
def test_the_cost_never_rises_and_the_history_fits_together(activation, loss, gradient):
    """Large weights make the linearisation poor, so that the guards have to work."""
    for seed in range(8):
        case = example(activation, seed=seed, depth=4, interval=3.0)
        cost = case.cost(loss, 0.01)
        history = ConjugateGradient(case.network, cost, 7, gradient=gradient).train_on_batch(case.x0, case.y, 6)
        before, after = np.array(history.loss), np.array(history.loss_after)
        assert (after <= before * (1 + tolerances.ROUNDING["rtol"])).all()
        np.testing.assert_array_equal(before[1:], after[:-1])
        norms = np.array(history.gradient_norm)
        ratios = np.where(history.restarts, 0.0, np.concatenate([[0.0], norms[1:] ** 2 / norms[:-1] ** 2]))
        np.testing.assert_allclose(history.conjugacy, ratios, **tolerances.ROUNDING)


def test_each_batch_starts_afresh():
    case, other = example("tanh"), example("tanh", seed=9)
    trainer = ConjugateGradient(case.network, case.cost(), 7)
    trainer.train_on_batch(other.x0, other.y, 3)
    copy = Network(case.network.W, case.network.b, case.network.interval, case.network.activation)
    second = trainer.train_on_batch(case.x0, case.y, 3)
    fresh = ConjugateGradient(copy, case.cost(), 7).train_on_batch(case.x0, case.y, 3)
    assert second.conjugacy[0] == 0
    np.testing.assert_array_equal(second.loss, fresh.loss)
    np.testing.assert_array_equal(case.network.parameters, copy.parameters)


def test_float32_training_stays_close_to_float64():
    single, double = example("tanh", std=0.2, dtype="float32"), example("tanh", std=0.2)
    for case in (single, double):
        ConjugateGradient(case.network, case.cost("paper's ce"), 7).train_on_batch(case.x0, case.y, 4)
    assert single.network.dtype == np.float32
    np.testing.assert_allclose(single.network.parameters, double.network.parameters, **tolerances.SINGLE_TRAINING)


# --- guards -----------------------------------------------------------------------------------------------------------


def test_a_direction_that_does_not_descend_is_replaced_by_the_gradient():
    """A network found by search in which the fourth direction climbs."""
    case = example("relu", seed=5, depth=4, interval=3.0, std=1.5)
    trainer = ConjugateGradient(case.network, case.cost("cross-entropy"), 7)
    history = trainer.train_on_batch(case.x0, case.y, 4)
    assert [int(count) for count in history.restarts] == [0, 0, 0, 1]
    assert history.conjugacy[3] == 0
    assert history.step_size[3] > 0
    assert history.loss_after[3] < history.loss[3]
    np.testing.assert_array_equal(trainer.direction.parameters, -trainer.gradient.parameters)


def test_a_step_that_raises_the_cost_is_halved():
    """A network found by search in which the second step goes too far."""
    shape = {"seed": 54, "depth": 4, "interval": 3.0, "std": 3.0}
    case, before = example("tanh", **shape), example("tanh", **shape)
    cost = case.cost("squares")
    trainer = ConjugateGradient(case.network, cost, 7)
    history = trainer.train_on_batch(case.x0, case.y, 2)
    ConjugateGradient(before.network, cost, 7).train_on_batch(before.x0, before.y, 1)
    assert [int(count) for count in history.halvings] == [0, 2]
    assert history.loss_after[1] <= history.loss[1]
    # The step that is recorded is the one that was taken.
    step = history.step_size[1] * trainer.direction.parameters
    np.testing.assert_allclose(case.network.parameters, before.network.parameters + step, **tolerances.ROUNDING)
    # Twice as far the cost is higher than before the step: the last halving was needed.
    before.network.parameters += 2 * step
    assert cost.value(final_state(before.network, before.x0), before.y) > history.loss[1]


class Deceptive(Euler):
    """Reports gradient and sensitivity with the wrong sign: every step it recommends climbs."""

    def gradient(self, adjoint, gradient, weight_decay=0.0, after_layer=None):
        super().gradient(adjoint, gradient, weight_decay, after_layer)
        gradient.parameters *= -1
        return gradient

    def sensitivity(self, perturbed):
        return -super().sensitivity(perturbed)


def test_a_step_that_cannot_lower_the_cost_is_given_up():
    case = example("tanh", std=0.2)
    before = case.network.parameters.copy()
    history = ConjugateGradient(case.network, case.cost(), 7, solver=Deceptive).train_on_batch(case.x0, case.y, 1)
    assert history.halvings[0] == HALVINGS
    assert history.step_size[0] == 0
    np.testing.assert_allclose(case.network.parameters, before, **tolerances.ROUNDING)
    np.testing.assert_allclose(history.loss_after, history.loss, **tolerances.ROUNDING)


class Explosive(Euler):
    """Beyond all numbers at the first step that it is asked to take, finite before and after."""

    solves = 0

    def direct(self, x0, before_layer=None):
        self.solves += 1
        x = super().direct(x0, before_layer)
        return x * np.nan if self.solves == 2 else x


def test_a_step_beyond_all_numbers_is_halved_too():
    case = example("tanh", std=0.2)
    history = ConjugateGradient(case.network, case.cost(), 7, solver=Explosive).train_on_batch(case.x0, case.y, 2)
    assert [int(count) for count in history.halvings] == [1, 0]
    assert history.loss_after[0] < history.loss[0]


def test_at_the_minimum_nothing_moves():
    case, cost, best = linear_regression(0.0)
    case.network.parameters[0, 0] = best
    case.network.parameters[0, 1:] = 0
    target = case.network.parameters.copy()
    ConjugateGradient(case.network, cost, 12).train_on_batch(case.x0, case.y, 3)
    np.testing.assert_allclose(case.network.parameters, target, **tolerances.FOUR_CONJUGATE_STEPS)


def test_a_loss_of_zero_gradient_is_left_alone():
    case = example("tanh")
    y = case.x0 * 0
    cost = case.cost("size", components="all")
    case.network.parameters[...] = 0
    history = ConjugateGradient(case.network, cost, 7).train_on_batch(case.x0 * 0, y, 3)
    assert history.step_size == [0, 0, 0]
    assert not case.network.parameters.any()


@pytest.mark.parametrize("bad", [np.nan, np.inf])
def test_input_that_is_not_finite_is_an_error_before_any_weight_moves(bad):
    case = example("tanh")
    case.images[2, 1] = bad
    before = case.network.parameters.copy()
    trainer = ConjugateGradient(case.network, case.cost(components="all"), 7)
    with np.errstate(invalid="ignore"), pytest.raises(Diverged, match="iteration 0") as problem:
        trainer.train_on_batch(case.x0, case.y, 3)
    assert problem.value.iteration == 0
    np.testing.assert_array_equal(case.network.parameters, before)


def test_a_run_that_diverges_is_told_from_the_others():
    together = example("tanh", runs=3)
    together.network.parameters[:, 1] = np.nan
    trainer = ConjugateGradient(together.network, together.cost(), 7)
    with np.errstate(invalid="ignore"), pytest.raises(Diverged) as problem:
        trainer.train_on_batch(together.x0, together.y, 3)
    np.testing.assert_array_equal(np.isfinite(problem.value.loss), [True, False, True])


def test_a_batch_of_another_size_is_refused():
    case, other = example("tanh"), example("tanh", samples=5)
    with pytest.raises(ValueError, match="broadcast"):
        ConjugateGradient(case.network, case.cost(), 7).train_on_batch(other.x0, other.y, 1)
