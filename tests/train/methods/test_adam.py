"""Adam against Keras's update of one variable, written out, with derivatives by JAX."""

import numpy as np
import pytest
from kit import reference_network, tolerances
from kit.example_network import LOSSES, example

from stages.model.solvers.rk4 import RK4
from stages.train.methods.adam import Adam

KERAS = {"rate": 0.01, "beta1": 0.9, "beta2": 0.999, "epsilon": 1e-7}


def keras_adam(θ, m, v, p, n, rate, beta1, beta2, epsilon):
    m = m + (p - m) * (1 - beta1)
    v = v + (p**2 - v) * (1 - beta2)
    α = rate * np.sqrt(1 - beta2**n) / (1 - beta1**n)
    return θ - α * m / (np.sqrt(v) + epsilon), m, v


@pytest.mark.parametrize(
    ("activation", "loss", "mu4"), [("tanh", "squares", 0.0), ("relu", "paper's ce", 0.0), ("gelu", "all", 0.1)]
)
def test_agrees_with_keras_over_two_batches(activation, loss, mu4):
    first, second = example(activation), example(activation, seed=9)
    network = first.network
    parts = {name: np.array(getattr(network, name)) for name in "Wb"}
    m, v = ({name: np.zeros_like(part) for name, part in parts.items()} for _ in range(2))
    settings = {"interval": network.interval, "activation": activation, "components": 3, "mu4": mu4, **LOSSES[loss]}
    costs, n = [], 0
    for batch in (first, second):
        for _ in range(3):
            n += 1
            costs.append(float(reference_network.cost(batch.images, *parts.values(), batch.labels, **settings)))
            _, *p = reference_network.gradient(batch.images, *parts.values(), batch.labels, **settings)
            for name, derivative in zip(parts, map(np.array, p), strict=True):
                parts[name], m[name], v[name] = keras_adam(
                    parts[name], m[name], v[name], derivative, n, *KERAS.values()
                )
    trainer, found = Adam(network, first.cost(loss, mu4), 7, **KERAS), []
    for batch in (first, second):
        found += trainer.train_on_batch(batch.x0, batch.y, 3).loss
    np.testing.assert_allclose(found, costs, **tolerances.FEW_ITERATIONS)
    np.testing.assert_allclose(network.W, parts["W"], **tolerances.FEW_ITERATIONS)
    np.testing.assert_allclose(network.b, parts["b"], **tolerances.FEW_ITERATIONS)


def test_the_first_step_has_the_length_of_the_rate():
    """m and √v begin with the same factors of p, which the correction takes out again."""
    case = example("tanh")
    before = case.network.parameters.copy()
    Adam(case.network, case.cost("all", components="all"), 7, **KERAS).train_on_batch(case.x0, case.y, 1)
    np.testing.assert_allclose(
        np.abs(case.network.parameters - before), 0.01, rtol=3e-2
    )  # but for epsilon, where p is tiny


def test_it_trains_through_another_solver():
    case = example("tanh")
    history = Adam(case.network, case.cost(), 7, solver=RK4, **KERAS).train_on_batch(case.x0, case.y, 60)
    assert history.loss[-1] < 0.5 * history.loss[0]


def test_its_state_taken_back_gives_the_same_bits():
    """As a checkpoint does: a second trainer on a copy of the network goes on where the first was."""
    case, copy = example("tanh"), example("tanh")
    trainer, other = (Adam(each.network, each.cost(), 7, **KERAS) for each in (case, copy))
    trainer.train_on_batch(case.x0, case.y, 3)
    copy.network.parameters[...] = case.network.parameters
    other.restore({name: np.array(array) for name, array in trainer.state().items()})
    for each, same in ((trainer, case), (other, copy)):
        each.train_on_batch(same.x0, same.y, 3)
    np.testing.assert_array_equal(case.network.parameters, copy.network.parameters)
