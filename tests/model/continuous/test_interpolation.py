import numpy as np
from kit import tolerances

from stages.model.continuous.interpolation import Remembered, linear


def test_is_linear_between_nodes_and_constant_after_the_last(rng):
    values = rng.normal(0, 1, (4, 3, 2))
    function = linear(values, 0.5)
    for t in (0.0, 0.2, 0.5, 0.75, 1.4999, 1.5, 1.7, 2.0):
        expected = [np.interp(t, [0, 0.5, 1.0, 1.5], entry) for entry in values.reshape(4, 6).T]
        np.testing.assert_allclose(function(t).ravel(), expected, **tolerances.ROUNDING)


def test_values_at_the_nodes_are_handed_out_as_they_are(rng):
    values = rng.normal(0, 1, (4, 3))
    assert np.shares_memory(linear(values, 0.5)(1.0), values)


def test_the_same_time_is_computed_once():
    times = []
    function = Remembered(lambda t, out: times.append(t) or t, None)
    assert [function(t) for t in (0.1, 0.2, 0.2, 0.1)] == [0.1, 0.2, 0.2, 0.1]
    assert times == [0.1, 0.2, 0.1]
