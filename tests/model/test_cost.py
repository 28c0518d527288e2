import itertools

import numpy as np
import pytest
from kit import reference_network, tolerances
from kit.example_network import LOSSES, example

from stages.model.cost import log_sum_exp, one_hot, softmax

CASES = list(itertools.product(LOSSES, ["classes", "all", "norms"]))


@pytest.mark.parametrize(("loss", "components"), CASES)
def test_value_and_derivative_agree_with_the_judge(loss, components, rng):
    case = example()
    cost, x = case.cost(loss, components=components), rng.normal(0, 2, (6, 7))
    settings = LOSSES[loss] | {"components": cost.components, "in_softmax": cost.in_softmax}
    value = reference_network.value(x.T, case.labels, **settings)
    derivative = reference_network.derivative(x.T, case.labels, **settings)
    np.testing.assert_allclose(cost.value(x, case.y), value, **tolerances.ROUNDING)
    np.testing.assert_allclose(cost.derivative(x, case.y), derivative.T, **tolerances.ROUNDING)


def test_the_loss_is_blind_outside_its_components(rng):
    case = example()
    x = rng.normal(0, 1, (6, 7))
    elsewhere = x.copy()
    elsewhere[3:] += 10
    cost = case.cost("all")
    assert cost.value(x, case.y) == cost.value(elsewhere, case.y)
    assert not cost.derivative(x, case.y)[3:].any()


def test_with_norms_of_all_components_the_softmax_sees_the_classes_alone():
    cost = example().cost("paper's ce", components="norms")
    assert (cost.components, cost.in_softmax) == (6, 3)
    x, y = np.zeros((6, 1)), np.eye(6)[:, :1]
    np.testing.assert_allclose(cost.value(x, y), np.log(3), **tolerances.ROUNDING)
    x[3:] = 2.0  # outside the classes: the norm alone
    np.testing.assert_allclose(cost.value(x, y), np.log(3) + 0.2 * 12, **tolerances.ROUNDING)


@pytest.mark.parametrize("shift", [-1e4, 1e4])
def test_scores_of_any_size_do_not_overflow(shift):
    u = np.array([[1.0, -3.0], [2.0, 5.0]])
    np.testing.assert_allclose(softmax(u + shift), softmax(u), **tolerances.SHIFTED_BY_1E4)
    np.testing.assert_allclose(log_sum_exp(u + shift), log_sum_exp(u) + shift, **tolerances.SHIFTED_BY_1E4)


def test_weight_decay_is_the_norm_in_l2():
    case = example()
    network, cost = case.network, case.cost(weight_decay=0.3)
    expected = 0.15 * network.h * ((network.W**2).sum() + (network.b**2).sum())
    np.testing.assert_allclose(cost.decay(network), expected, **tolerances.ROUNDING)
    assert case.cost().decay(network) == 0


def test_costs_are_computed_in_float64_from_float32_states(rng):
    case = example(dtype="float32")
    cost, x = case.cost("all"), rng.normal(0, 1, (6, 7)).astype("float32")
    assert cost.value(x, case.y).dtype == np.float64
    assert cost.derivative(x, case.y).dtype == np.float32
    assert cost.value(x, case.y) == cost.value(x.astype("float64"), case.y)


def test_targets_are_one_at_the_label():
    expected = [[[0, 1], [1, 0], [0, 0]], [[1, 0], [0, 0], [0, 1]]]
    found = one_hot(np.array([[1, 0], [0, 2]]), 3, "float32", np)
    assert found.dtype == np.float32
    np.testing.assert_array_equal(found, expected)
