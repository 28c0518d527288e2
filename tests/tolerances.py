"""Named tolerances, each with its reason, for numpy.testing.assert_allclose."""

# The same sums in another order, in float64.
ROUNDING = {"rtol": 1e-12, "atol": 1e-14}

# An image library computes in float32, with weights rounded to float32.
FLOAT32_IMAGE = {"rtol": 1e-5, "atol": 1e-6}
