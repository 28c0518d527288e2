import numpy as np
import pytest
from kit import tolerances
from kit.example_network import example

from stages.model.adjoint import Gradient
from stages.model.products import SumOfSquares, inner_product, sum_of_products


def random_parameters(network, seed):
    parameters = Gradient(network)
    parameters.parameters[...] = np.random.default_rng(seed).normal(0, 1, parameters.parameters.shape)
    return parameters


@pytest.mark.parametrize("runs", [None, 3])
def test_it_is_that_of_l2_for_each_run(runs):
    network = example(runs=runs).network
    a, b = random_parameters(network, 0), random_parameters(network, 1)
    expected = network.h * (a.parameters * b.parameters).sum(axis=(0, -2, -1))
    np.testing.assert_allclose(inner_product(network, a, b), expected, **tolerances.ROUNDING)


@pytest.mark.parametrize("runs", [None, 3])
def test_squares_added_layer_by_layer_make_the_norm(runs):
    network = example(runs=runs).network
    a = random_parameters(network, 0)
    squares = SumOfSquares(a)
    for layer in reversed(range(network.depth)):
        squares.add(layer)
    np.testing.assert_allclose(network.h * squares.total, inner_product(network, a, a), **tolerances.ROUNDING)


def test_sums_of_float32_are_float64():
    a = np.full((3, 5), 0.1, "float32")
    assert sum_of_products(a, a).dtype == np.float64
