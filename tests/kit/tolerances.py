"""Named tolerances, each with its reason, for numpy.testing.assert_allclose."""

# The same sums in another order, in float64.
ROUNDING = {"rtol": 1e-12, "atol": 1e-14}

# An image library computes in float32, with weights rounded to float32.
FLOAT32_IMAGE = {"rtol": 1e-5, "atol": 1e-6}

# A central difference in float64 with a step near 1e-6: truncation 1e-12, cancellation 1e-16 / 1e-6.
CENTRAL_DIFFERENCE = {"rtol": 1e-7, "atol": 1e-8}

# A few layers in float32 against float64: 6e-8 per step, amplified by the weights.
SINGLE_PRECISION = {"rtol": 1e-5, "atol": 1e-5}

# Numbers near 1e4 in float64 carry an absolute error of 1e-12, which an exponential makes relative.
SHIFTED_BY_1E4 = {"rtol": 1e-11, "atol": 0.0}

# An order of convergence measured from errors at finite steps.
ORDER = {"rtol": 0.0, "atol": 0.05}

# A tridiagonal system in float64 whose condition number is 4 / h²: 1e-16 times 1e4.
ELIMINATION = {"rtol": 1e-11, "atol": 1e-11}

# 40,000 float32 products, summed by BLAS in several partial sums to 1e-6; layers are added in float64.
SUMS_BY_LAYER = {"rtol": 2e-6, "atol": 0.0}

# An adaptive solver bounds the error of each step by rtol; errors add up over some dozen steps of a growing problem.
ADAPTIVE_ERROR_PER_RTOL = 50.0

# A few dozen additions of numbers near 1 in float64.
SHORT_SUMS = {"rtol": 0.0, "atol": 1e-12}

# Fifteen steps along normalised float32 gradients, each rounded at 1e-7 of a pixel and of its direction.
STEPS_IN_FLOAT32 = {"rtol": 0.0, "atol": 3e-5}

# Two adaptive solvers at rtol 1e-10; errors grow with the weights, and kinks of W(t) and σ cost some digits.
TIGHT_ADAPTIVE = {"rtol": 1e-6, "atol": 1e-7}

# The same from a few coarse grids.
ORDER_OF_A_COARSE_GRID = {"rtol": 0.0, "atol": 0.25}

# A mean over twenty images of which one or two may have taken another path through a line search.
LINE_SEARCHES = {"rtol": 0.02, "atol": 0.0}

# A solver for general constrained problems, which stops when the objective changes by less than 1e-15.
QUADRATIC_PROGRAM = {"rtol": 1e-6, "atol": 1e-7}

# A few hundred float64 products in another order, divided by a norm that may be small, over several steps.
LONG_SUMS = {"rtol": 1e-9, "atol": 1e-10}

# The zero of a derivative, computed to 1e-10; Newton's last step is more accurate.
ROOT_SEARCH = {"rtol": 1e-10, "atol": 0.0}

# A few iterations in float64: rounding and the root search's last digits, amplified by the curvature of the cost.
FEW_ITERATIONS = {"rtol": 1e-8, "atol": 1e-10}

# Conjugate gradients on four unknowns lose some digits to the condition number of the problem, about 100.
FOUR_CONJUGATE_STEPS = {"rtol": 1e-10, "atol": 1e-10}

# A few iterations in float32 against float64.
SINGLE_TRAINING = {"rtol": 1e-3, "atol": 1e-4}

# Recorded to ten digits; six iterations in float64 with another BLAS differ by less than this.
RECORDED = {"rtol": 1e-7, "atol": 1e-9}

# The same in float32, where the later conjugacies have errors of 1e-5.
RECORDED_FLOAT32 = {"rtol": 1e-4, "atol": 1e-6}

# The same solved adaptively: another BLAS may accept another step.
RECORDED_ADAPTIVE = {"rtol": 1e-2, "atol": 0.0}

# Euler against ODE45 over six iterations of training.
ANOTHER_DISCRETISATION = {"rtol": 0.05, "atol": 0.0}

# Attacks repeat normalised steps in float64 and store pixels in float32, which may round differently.
ATTACKED_PIXELS = {"rtol": 1e-6, "atol": 1e-6}

# The ends of some hundred steps, whose lengths depend on error estimates that are sensitive to rounding.
STEP_ENDS = {"rtol": 1e-4, "atol": 0.0}

# A few iterations in float64 on a device, with products and sums in another order. Largest seen in 436 comparisons:
# 1.5e-7, of weights after six iterations with ReLU and cross-entropy; with tanh 1e-8, without safeguards less.
ANOTHER_DEVICE = {"rtol": 1e-6, "atol": 1e-8}

# Carlini and Wagner's search: gradient descent whose line search halves or doubles the rate by comparing costs, tens of
# times in a row. Rounding affects the lengths of the last steps. Largest seen: 6.5e-5 of a norm, with softmax outputs.
LINE_SEARCH_STEPS = {"rtol": 1e-4, "atol": 1e-5}
# Where two costs are equal but for rounding, the search goes on elsewhere: largest share of images seen, 1 of 15, on a
# processor with AVX-512, with a norm 2 % apart.
OTHER_LINE_SEARCHES = {"share": 0.1, "rtol": 0.05}
