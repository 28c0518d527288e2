"""Kernels of our own: each does in one launch what NumPy does in several passes. CUDA wants Latin letters.

The sums are taken in float64, since a float32 sum over 38,612 weights is off by more than conjugate gradients forgive.
"""

import functools

import cupy

# σ(a), and h σ'(a) from s = σ(a). An activation without a line here runs by CuPy's functions, in more launches.
ACTIVATIONS = {
    "tanh": ("tanh(a)", "h - h * s * s"),
    "relu": ("a > T(0) ? a : (isnan(a) ? a : T(0))", "s > T(0) ? h : T(0)"),
}


@functools.cache
def advance(activation):
    """advance(x, h, y, slope): y holds a = W x + b and becomes x + h σ(a); slope becomes h σ'(a)."""
    value, slope = ACTIVATIONS[activation]
    code = f"T a = y; T s = {value}; slope = {slope}; y = x + h * s"
    return cupy.ElementwiseKernel("T x, T h", "T y, T slope", code, f"snode_advance_{activation}")


# g = slope ⊙ λ, of a layer
weigh = cupy.ElementwiseKernel("T slope, T back", "T g", "g = slope * back", "snode_weigh")

# ξ <- ξ + slope ⊙ rate, of a layer
carry = cupy.ElementwiseKernel("T slope, T rate", "T xi", "xi += slope * rate", "snode_carry")

# G <- G + µ θ, of all layers
decay = cupy.ElementwiseKernel("T p, T mu", "T G", "G += mu * p", "snode_decay")

# d <- γ d - G, of all layers; γ one a run
turn = cupy.ElementwiseKernel("T G, T conjugacy", "T d", "d = conjugacy * d - G", "snode_turn")

# d <- -G in the runs that restart
restart = cupy.ElementwiseKernel("T G, bool restarts", "T d", "if (restarts) d = -G", "snode_restart")

# θ <- θ + η d, of all layers; η one a run
move = cupy.ElementwiseKernel("T d, T eta", "T p", "p += eta * d", "snode_move")

# RMSprop's update of all layers, from the L² gradient G = p / h
rmsprop = cupy.ElementwiseKernel(
    "T G, T rho, T share, T epsilon, T step",
    "T v, T p",
    "v = rho * v + share * G * G; p -= step * (G / (sqrt(v) + epsilon))",
    "snode_rmsprop",
)

_sum_of_products = cupy.ReductionKernel(
    "T a, T b", "float64 sum", "(double)a * (double)b", "a + b", "sum = a", "0", "snode_sum_of_products"
)


def sum_of_products(a, b):
    """Return Σ a b over the last two axes, (...) in float64."""
    return _sum_of_products(a, b, axis=(-2, -1))
