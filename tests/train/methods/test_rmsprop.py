import numpy as np
import pytest
from kit import reference_network, tolerances
from kit.example_network import LOSSES, example

from stages.train.methods.base import Diverged
from stages.train.methods.rmsprop import RMSprop

KERAS = {"rate": 0.01, "rho": 0.9, "epsilon": 1e-7}


def keras_rmsprop(θ, v, p, rate, rho, epsilon):
    """Keras's update of one variable."""
    v = rho * v + (1 - rho) * p**2
    return θ - rate * p / (np.sqrt(v) + epsilon), v


@pytest.mark.parametrize(
    ("activation", "loss", "mu4"), [("tanh", "squares", 0.0), ("relu", "paper's ce", 0.0), ("tanh", "all", 0.1)]
)
def test_agrees_with_keras_over_two_batches(activation, loss, mu4):
    first, second = example(activation), example(activation, seed=9)
    network = first.network
    W, b = np.array(network.W), np.array(network.b)
    v_W, v_b, costs = np.zeros_like(W), np.zeros_like(b), []
    settings = {"interval": network.interval, "activation": activation, "components": 3, "mu4": mu4, **LOSSES[loss]}
    for batch in (first, second):
        for _ in range(3):
            costs.append(float(reference_network.cost(batch.images, W, b, batch.labels, **settings)))
            _, p_W, p_b = reference_network.gradient(batch.images, W, b, batch.labels, **settings)
            W, v_W = keras_rmsprop(W, v_W, np.array(p_W), **KERAS)
            b, v_b = keras_rmsprop(b, v_b, np.array(p_b), **KERAS)
    trainer, found = RMSprop(network, first.cost(loss, mu4), 7, **KERAS), []
    for batch in (first, second):
        found += trainer.train_on_batch(batch.x0, batch.y, 3).loss
    np.testing.assert_allclose(found, costs, **tolerances.FEW_ITERATIONS)
    np.testing.assert_allclose(network.W, W, **tolerances.FEW_ITERATIONS)
    np.testing.assert_allclose(network.b, b, **tolerances.FEW_ITERATIONS)


def test_the_first_step_has_the_length_of_the_rate_over_root_one_minus_rho():
    """v = 0.1 p² at first, so each weight moves by 0.01 / √0.1, whatever its derivative."""
    case = example("tanh")
    before = case.network.parameters.copy()
    RMSprop(case.network, case.cost("all", components="all"), 7, **KERAS).train_on_batch(case.x0, case.y, 1)
    moved = np.abs(case.network.parameters - before)
    np.testing.assert_allclose(moved, 0.01 / np.sqrt(0.1), rtol=1e-2)  # but for epsilon, where it is tiny


def test_the_history_records_the_rate_and_leaves_the_rest_open():
    case = example("tanh")
    history = RMSprop(case.network, case.cost(), 7, **KERAS).train_on_batch(case.x0, case.y, 2)
    assert np.isfinite(history.loss).all()
    assert np.isfinite(history.gradient_norm).all()
    assert np.isnan([*history.conjugacy, *history.loss_after]).all()
    assert history.step_size == [KERAS["rate"]] * 2
    assert history.restarts == history.halvings == [0, 0]


def test_training_lowers_the_cost():
    case = example("relu")
    history = RMSprop(case.network, case.cost("paper's ce"), 7, **KERAS).train_on_batch(case.x0, case.y, 40)
    assert history.loss[-1] < 0.5 * history.loss[0]


def test_float32_training_stays_close_to_float64():
    single, double = example("tanh", dtype="float32"), example("tanh")
    for case in (single, double):
        RMSprop(case.network, case.cost(), 7, **KERAS).train_on_batch(case.x0, case.y, 4)
    assert single.network.dtype == np.float32
    np.testing.assert_allclose(single.network.parameters, double.network.parameters, **tolerances.SINGLE_TRAINING)


def test_a_diverging_training_is_an_error_that_names_the_iteration():
    case = example("relu")
    trainer = RMSprop(case.network, case.cost(), 7, **(KERAS | {"rate": 1e80}))
    with np.errstate(over="ignore", invalid="ignore"), pytest.raises(Diverged, match="iteration 3") as problem:
        trainer.train_on_batch(case.x0, case.y, 5)
    assert not np.isfinite(problem.value.loss)
