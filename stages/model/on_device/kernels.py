"""Kernels over all layers: each does in one launch what NumPy does in several passes. CUDA allows only Latin letters.

Sums are in float64: the error of a float32 sum over 38,612 weights is too large for conjugate gradients.
"""

import cupy

# G <- G + µ θ
decay = cupy.ElementwiseKernel("T p, T mu", "T G", "G += mu * p", "snode_decay")

# d <- γ d - G, with one γ per run
turn = cupy.ElementwiseKernel("T G, T conjugacy", "T d", "d = conjugacy * d - G", "snode_turn")

# d <- -G in the runs that restart
restart = cupy.ElementwiseKernel("T G, bool restarts", "T d", "if (restarts) d = -G", "snode_restart")

# θ <- θ + η d, with one η per run
move = cupy.ElementwiseKernel("T d, T eta", "T p", "p += eta * d", "snode_move")


def _rmsprop(root, name):
    """RMSprop's update of all layers, from the L² gradient G = p / h."""
    update = f"v = rho * v + share * G * G; p -= step * (G / {root})"
    return cupy.ElementwiseKernel("T G, T rho, T share, T epsilon, T step", "T v, T p", update, name)


rmsprop = _rmsprop("(sqrt(v) + epsilon)", "snode_rmsprop")
rmsprop_in_root = _rmsprop("sqrt(v + epsilon)", "snode_rmsprop_in_root")

_sum_of_products = cupy.ReductionKernel(
    "T a, T b", "float64 sum", "(double)a * (double)b", "a + b", "sum = a", "0", "snode_sum_of_products"
)


def sum_of_products(a, b):
    """Return Σ a b over the last two axes, (...) in float64."""
    return _sum_of_products(a, b, axis=(-2, -1))
