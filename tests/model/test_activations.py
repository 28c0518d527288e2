from dataclasses import replace

import numpy as np
import pytest
import tolerances

from stages.model.activations import ACTIVATIONS


@pytest.mark.parametrize("name", ACTIVATIONS)
def test_derivative_from_the_value_is_the_derivative(name, rng):
    a = rng.normal(0, 2, 1000)
    σ, step = ACTIVATIONS[name], 1e-6
    s = σ.value(a, out=np.empty_like(a))
    above, below = (σ.value(a + sign * step, out=np.empty_like(a)) for sign in (1, -1))
    found = σ.derivative(s, out=np.empty_like(a))
    np.testing.assert_allclose(found, (above - below) / (2 * step), **tolerances.CENTRAL_DIFFERENCE)


def test_relu_at_zero_has_derivative_zero():
    s = np.array([0.0, -0.0, 1e-300])
    assert ACTIVATIONS["relu"].derivative(s, out=np.empty_like(s)).tolist() == [0.0, 0.0, 1.0]


@pytest.mark.parametrize("name", ACTIVATIONS)
@pytest.mark.parametrize("both", ["as it is", "by value and derivative"])
def test_value_and_slope_of_a_step(name, both, rng):
    σ, a, h = ACTIVATIONS[name], np.append(rng.normal(0, 2, 1000), [0.0, -0.0]), 0.02
    s = σ.value(a, out=np.empty_like(a))
    expected = h * s, h * σ.derivative(s, out=np.empty_like(a))
    if both != "as it is":
        σ = replace(σ, both=None)
    slope, scratch = np.empty((2, a.size))
    assert σ.advance(a, h, slope, scratch) is a
    np.testing.assert_allclose((a, slope), expected, **tolerances.ROUNDING)


def test_a_state_that_is_no_number_stays_none():
    for σ in ACTIVATIONS.values():
        a = np.array([np.nan, 1.0])
        assert np.isnan(σ.value(a, out=np.empty_like(a))).tolist() == [True, False]
        assert np.isnan(σ.advance(a, 0.02, np.empty_like(a), np.empty_like(a))).tolist() == [True, False]


@pytest.mark.parametrize("name", ACTIVATIONS)
def test_activations_fill_the_array_they_are_given(name):
    a, out = np.array([-1.0, 0.5], "float32"), np.empty(2, "float32")
    assert ACTIVATIONS[name].value(a, out=out) is out
    assert ACTIVATIONS[name].derivative(a, out=out) is out
