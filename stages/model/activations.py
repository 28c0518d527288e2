"""Activations σ and their derivatives. A new one is two functions and a line in ACTIVATIONS.

Both work on preallocated arrays. The derivative is computed from the value s = σ(a), which the direct problem has at
hand, so that a need not be kept. Euler's method wants both at once, with its step h; a third function may take fewer
passes for that.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass

from stages.arrays import namespace


@dataclass(frozen=True)
class Activation:
    name: str
    value: Callable  # value(a, out): σ(a)
    derivative: Callable  # derivative(s, out): σ'(a), given s = σ(a)
    # both(a, h, slope, scratch): as `advance`, in fewer passes
    both: Callable | None = None
    sleeps: bool = False  # σ' is exactly zero on a whole range of a

    def advance(self, a, h, slope, scratch):
        """Turn a into h σ(a), in place, and fill `slope` with h σ'(a)."""
        if self.both is not None:
            return self.both(a, h, slope, scratch)
        self.value(a, out=a)
        self.derivative(a, out=slope)
        slope *= h
        a *= h
        return a


def relu(a, out):
    return a.clip(0.0, math.inf, out=out)  # in NumPy half the time of maximum(a, 0)


def relu_derivative(s, out):
    """1 where σ(a) > 0, that is a > 0; the derivative at 0 is taken as 0."""
    return namespace(s).greater(s, 0, out=out)


def relu_both(a, h, slope, scratch):
    """h σ(a) = h σ'(a) a: the value comes from the slope."""
    namespace(a).greater(a, 0, out=slope)
    slope *= h
    a *= slope
    return a


def tanh(a, out):
    return namespace(a).tanh(a, out=out)


def tanh_derivative(s, out):
    """sech² a = 1 - tanh² a."""
    xp = namespace(s)
    xp.square(s, out=out)
    return xp.subtract(1, out, out=out)


def tanh_both(a, h, slope, scratch):
    """h σ'(a) = h - (h s) s"""
    xp, s = namespace(a), scratch
    xp.tanh(a, out=s)
    xp.multiply(s, h, out=a)
    s *= a
    xp.subtract(h, s, out=slope)  # the only pass over `slope`, which is not in the cache yet
    return a


ACTIVATIONS = {
    "relu": Activation("relu", relu, relu_derivative, relu_both, sleeps=True),
    "tanh": Activation("tanh", tanh, tanh_derivative, tanh_both),
}
