from dataclasses import replace

import jax
import numpy as np
import pytest
from kit import tolerances

from stages.catalogues import ACTIVATIONS

JUDGES = {"relu": jax.nn.relu, "tanh": jax.numpy.tanh, "gelu": jax.nn.gelu}  # jax.nn.gelu is the approximation by tanh


@pytest.mark.parametrize("name", ACTIVATIONS.names)
def test_the_slope_is_the_derivative_by_central_differences(name, rng):
    a = rng.normal(0, 2, 1000)
    σ, step = ACTIVATIONS.find(name), 1e-6
    above, below = (σ.value(a + sign * step, out=np.empty_like(a)) for sign in (1, -1))
    found = σ.slope(a, out=np.empty_like(a))
    np.testing.assert_allclose(found, (above - below) / (2 * step), **tolerances.CENTRAL_DIFFERENCE)


@pytest.mark.parametrize("name", ACTIVATIONS.names)
def test_value_and_slope_agree_with_jax_in_float64(name, rng):
    a, σ, judge = rng.normal(0, 3, 1000), ACTIVATIONS.find(name), JUDGES[name]
    with jax.enable_x64(True):
        value, slope = np.asarray(judge(a)), np.asarray(jax.vmap(jax.grad(judge))(a))
    # 1 + tanh loses its digits far below zero, where GELU vanishes: an absolute error of some roundings of 1.
    allowed = tolerances.ROUNDING | {"atol": 1e-13}
    np.testing.assert_allclose(σ.value(a, out=np.empty_like(a)), value, **allowed)
    np.testing.assert_allclose(σ.slope(a, out=np.empty_like(a)), slope, **allowed)


def test_relu_at_zero_has_derivative_zero():
    a = np.array([0.0, -0.0, 1e-300])
    assert ACTIVATIONS.find("relu").slope(a, out=np.empty_like(a)).tolist() == [0.0, 0.0, 1.0]


@pytest.mark.parametrize("name", ACTIVATIONS.names)
@pytest.mark.parametrize("both", ["as it is", "by value and slope"])
def test_value_and_slope_of_a_step(name, both, rng):
    σ, a, h = ACTIVATIONS.find(name), np.append(rng.normal(0, 2, 1000), [0.0, -0.0]), 0.02
    expected = h * σ.value(a, out=np.empty_like(a)), h * σ.slope(a, out=np.empty_like(a))
    if both != "as it is":
        σ = replace(σ, both=None)
    slope, scratch = np.empty((2, a.size))
    assert σ.advance(a, h, slope, scratch) is a
    np.testing.assert_allclose((a, slope), expected, **tolerances.ROUNDING)


def test_a_state_that_is_no_number_stays_none():
    for σ in map(ACTIVATIONS.find, ACTIVATIONS):
        a = np.array([np.nan, 1.0])
        assert np.isnan(σ.value(a, out=np.empty_like(a))).tolist() == [True, False]
        assert np.isnan(σ.advance(a, 0.02, np.empty_like(a), np.empty_like(a))).tolist() == [True, False]


@pytest.mark.parametrize("name", ACTIVATIONS.names)
@pytest.mark.parametrize("function", ["value", "slope"])
def test_activations_fill_the_array_they_are_given_which_may_be_their_argument(name, function):
    a, out = np.array([-1.0, 0.5], "float32"), np.empty(2, "float32")
    assert getattr(ACTIVATIONS.find(name), function)(a, out=out) is out
    assert getattr(ACTIVATIONS.find(name), function)(a, out=a) is a
    np.testing.assert_array_equal(a, out)
    assert a.dtype == np.float32
