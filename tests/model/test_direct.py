import numpy as np
import pytest
from kit import reference_network, tolerances
from kit.example_network import example

from stages.model.direct import Trajectory, final_state, solve_direct
from stages.model.network import Network, initial_network
from stages.runtime.errors import UserError


def test_one_step_by_hand():
    W, b = np.array([[[1.0, 2.0], [-3.0, 4.0]]]), np.array([[0.5, -1.0]])
    network = Network(W, b, 0.1, example("relu").network.activation)
    x = final_state(network, np.array([[1.0], [2.0]]))
    # a = (1 + 4 + 0.5, -3 + 8 - 1) = (5.5, 4); x + 0.1 a
    np.testing.assert_allclose(x, [[1.55], [2.4]], **tolerances.ROUNDING)


@pytest.mark.parametrize("activation", ["relu", "tanh"])
def test_agrees_with_the_second_network(activation):
    case = example(activation)
    network = case.network
    judge = reference_network.outputs(case.images, network.W, network.b, network.interval, activation).T
    np.testing.assert_allclose(final_state(network, case.x0), judge, **tolerances.ROUNDING)


def test_the_trajectory_holds_states_and_slopes():
    case = example("tanh")
    network, trajectory = case.network, Trajectory(case.network, 7)
    last = solve_direct(network, case.x0, trajectory)
    np.testing.assert_array_equal(trajectory.x[0], case.x0)
    np.testing.assert_array_equal(last, final_state(network, case.x0))
    for layer in range(network.depth):
        a = network.W[layer] @ trajectory.x[layer] + network.b[layer][:, None]
        np.testing.assert_allclose(trajectory.slope[layer], network.h * np.cosh(a) ** -2, **tolerances.ROUNDING)
        step = trajectory.x[layer + 1] - trajectory.x[layer]
        np.testing.assert_allclose(step, network.h * np.tanh(a), **tolerances.ROUNDING)


def test_a_trainer_may_move_each_layer_just_before_it_is_used():
    case = example("tanh")
    moved, network = example("tanh", seed=5).network, case.network
    order = []

    def before_layer(layer):
        order.append(layer)
        network.W[layer], network.b[layer] = moved.W[layer], moved.b[layer]

    x = solve_direct(network, case.x0, Trajectory(network, 7), before_layer)
    assert order == [0, 1, 2, 3, 4]
    np.testing.assert_array_equal(x, final_state(moved, case.x0))


def test_final_state_leaves_its_input_alone():
    case = example("tanh")
    x0 = case.x0
    before = x0.copy()
    final_state(case.network, x0)
    np.testing.assert_array_equal(x0, before)


def test_float32_stays_close_to_float64():
    single, double = example("tanh", dtype="float32"), example("tanh")
    x = final_state(single.network, single.x0)
    assert x.dtype == np.float32
    np.testing.assert_allclose(x, final_state(double.network, double.x0), **tolerances.SINGLE_PRECISION)


def test_several_networks_at_once_give_each_its_own_states():
    together = example("relu", runs=3)
    x = final_state(together.network, together.x0)
    for run in range(3):
        alone = example("relu", seed=run)
        np.testing.assert_array_equal(x[run], final_state(alone.network, alone.x0))


def test_initial_networks_are_the_same_alone_and_stacked():
    shape = {"width": 4, "depth": 3, "interval": 3.0, "activation": "tanh", "std": 0.001, "dtype": "float32"}
    together = initial_network([np.random.default_rng(seed) for seed in (1, 2)], **shape)
    alone = initial_network(np.random.default_rng(2), **shape)
    assert together.leading == (2,)
    assert alone.W.dtype == np.float32
    np.testing.assert_array_equal(together.run(1).W, alone.W)
    np.testing.assert_array_equal(together.run(1).b, alone.b)
    large = initial_network(np.random.default_rng(3), **(shape | {"width": 40, "depth": 50}))
    assert large.W.std() == pytest.approx(0.001, rel=0.02)


@pytest.mark.parametrize(
    ("W", "b"),
    [((5, 6, 4), (5, 6)), ((5, 6, 6), (4, 6)), ((5, 6, 6), (5, 7)), ((5, 2, 6, 6), (5, 6))],
    ids=["not square", "other depth", "other width", "other runs"],
)
def test_weights_and_biases_that_do_not_fit_are_refused(W, b):
    with pytest.raises(UserError, match="do not fit"):
        Network(np.zeros(W), np.zeros(b), 1.0, example().network.activation)


def test_images_of_another_width_are_refused():
    with pytest.raises(UserError, match=r"wanted images of 6 pixels.*found 5"):
        example().network.columns(np.zeros((7, 5)))
