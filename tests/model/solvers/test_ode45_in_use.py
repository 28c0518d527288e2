"""ODE45 as trainers and inference use it: moved weights, several networks, float32, and what has no solution."""

import functools

import numpy as np
import pytest
from kit import tolerances
from kit.example_network import example
from kit.smooth_network import batch, smooth_network

from stages.model.adjoint import Gradient
from stages.model.classify import accuracy, class_scores
from stages.model.solvers.ode45 import Ode45
from stages.runtime.errors import UserError

TIGHT = {"rtol": 1e-10, "atol": 1e-12, "norm": "rms"}
DEFAULT = {"rtol": 1e-3, "atol": 1e-6, "norm": "rms"}


def test_a_solver_forgets_the_batch_and_the_direction_before():
    network, (x0, λ_T) = smooth_network(8), batch()
    directions = np.random.default_rng(2).normal(0, 1, (2, *network.parameters.shape))
    used, fresh = (Ode45(network, 4, **DEFAULT) for _ in range(2))
    used.direct(x0[::-1])
    used.gradient(λ_T.copy(), Gradient(network))
    used.sensitivity(directions[0].__getitem__)
    found, expected = Gradient(network), Gradient(network)
    for solver, gradient in ((used, found), (fresh, expected)):
        solver.direct(x0)
        solver.gradient(λ_T.copy(), gradient)
    np.testing.assert_array_equal(found.parameters, expected.parameters)
    ξ, expected = (solver.sensitivity(directions[1].__getitem__) for solver in (used, fresh))
    np.testing.assert_array_equal(ξ, expected)


def test_weights_are_moved_before_and_after_as_a_trainer_asks():
    network, (x0, λ_T) = smooth_network(8), batch()
    solver, gradient, before, after = Ode45(network, 4, **DEFAULT), Gradient(network), [], []

    def move(layer):
        before.append(layer)
        network.parameters[layer] += 0.01

    x = solver.direct(x0, before_layer=move)
    assert before == list(range(8))
    np.testing.assert_array_equal(x, Ode45.final_state(network, x0, **DEFAULT))
    solver.gradient(λ_T.copy(), gradient, after_layer=after.append)
    assert after == list(range(7, -1, -1))


def test_several_networks_get_the_numbers_that_each_gets_alone():
    together = example("tanh", runs=3)
    solver, gradient, rng = Ode45(together.network, 7, **DEFAULT), Gradient(together.network), np.random.default_rng(0)
    λ_T, d = rng.normal(0, 1, (3, 6, 7)), rng.normal(0, 1, together.network.parameters.shape)
    x, λ = solver.direct(together.x0), λ_T.copy()
    solver.gradient(λ, gradient, 0.1)
    ξ = solver.sensitivity(d.__getitem__)
    for run in range(3):
        alone = example("tanh", seed=run)
        one, one_gradient, one_λ = Ode45(alone.network, 7, **DEFAULT), Gradient(alone.network), λ_T[run].copy()
        np.testing.assert_array_equal(x[run], one.direct(alone.x0))
        one.gradient(one_λ, one_gradient, 0.1)
        np.testing.assert_array_equal(λ[run], one_λ)
        np.testing.assert_array_equal(gradient.parameters[:, run], one_gradient.parameters)
        np.testing.assert_array_equal(ξ[run], one.sensitivity(d[:, run].__getitem__))


def test_inference_classifies_with_it_too():
    case = example("tanh", samples=30)
    solve = functools.partial(Ode45.final_state, **TIGHT)
    scores = class_scores(case.network, case.images, 3, solve)
    expected = Ode45.final_state(case.network, case.x0, **TIGHT)[:3].T
    np.testing.assert_array_equal(scores, expected)
    assert accuracy(case.network, case.images, scores.argmax(axis=-1), 3, solve) == 1.0


def test_networks_may_share_their_images():
    together = example("tanh", runs=3)
    x = Ode45.final_state(together.network, together.x0[0], **DEFAULT)
    for run in range(3):
        alone = Ode45.final_state(example("tanh", seed=run).network, together.x0[0], **DEFAULT)
        np.testing.assert_array_equal(x[run], alone)


def test_float32_takes_the_same_steps_to_nearly_the_same_state():
    single, double = example("tanh", dtype="float32"), example("tanh")
    x = Ode45.final_state(single.network, single.x0, **DEFAULT)
    assert x.dtype == np.float32
    np.testing.assert_allclose(
        x, Ode45.final_state(double.network, double.x0, **DEFAULT), **tolerances.SINGLE_PRECISION
    )


@pytest.mark.parametrize("bad", [np.nan, np.inf])
def test_images_that_are_not_finite_are_refused_at_inference(bad):
    case = example("tanh")
    case.images[3, 2] = bad
    with np.errstate(invalid="ignore"), pytest.raises(UserError, match="wanted a finite solution"):
        Ode45.final_state(case.network, case.x0, **DEFAULT)


def test_a_run_without_a_solution_shows_in_its_own_state_alone():
    together = example("tanh", runs=3)
    together.network.parameters[:, 1] = np.nan
    x = Ode45(together.network, 7, **DEFAULT).direct(together.x0)
    assert np.isnan(x[1]).all()
    assert np.isfinite(x[[0, 2]]).all()
