"""Activations σ and their derivatives. A new one is two functions and a line in ACTIVATIONS.

Both work on preallocated arrays. The derivative is computed from the value s = σ(a), which the direct problem has at
hand, so that a need not be kept.
"""

from collections.abc import Callable
from dataclasses import dataclass

from stages.arrays import namespace


@dataclass(frozen=True)
class Activation:
    name: str
    value: Callable  # value(a, out): σ(a)
    derivative: Callable  # derivative(s, out): σ'(a), given s = σ(a)
    # scaled(s, hs, h, out): h σ'(a), given s and h s, where that takes fewer passes than derivative and a product
    scaled: Callable | None = None

    def scaled_derivative(self, s, hs, h, out):
        """Return h σ'(a), given s = σ(a), which is lost, and hs = h s.

        Only the last pass writes to `out`: s is in the cache, `out` is not yet.
        """
        if self.scaled is not None:
            return self.scaled(s, hs, h, out)
        return namespace(s).multiply(self.derivative(s, out=s), h, out=out)


def relu(a, out):
    return namespace(a).maximum(a, 0, out=out)


def relu_derivative(s, out):
    """1 where σ(a) > 0, that is a > 0; the derivative at 0 is taken as 0."""
    return namespace(s).greater(s, 0, out=out)


def tanh(a, out):
    return namespace(a).tanh(a, out=out)


def tanh_derivative(s, out):
    """sech² a = 1 - tanh² a."""
    xp = namespace(s)
    xp.square(s, out=out)
    return xp.subtract(1, out, out=out)


def tanh_scaled_derivative(s, hs, h, out):
    """h - (h s) s"""
    xp = namespace(s)
    xp.multiply(s, hs, out=s)
    return xp.subtract(h, s, out=out)


ACTIVATIONS = {
    "relu": Activation("relu", relu, relu_derivative),
    "tanh": Activation("tanh", tanh, tanh_derivative, tanh_scaled_derivative),
}
