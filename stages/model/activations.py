"""Activations σ and their derivatives. A new one is a function, its derivative and a line in ACTIVATIONS.

Both work in place on preallocated arrays. The derivative is computed from the value s = σ(a), which the direct
problem has at hand, so that a need not be kept.
"""

from dataclasses import dataclass
from typing import Callable

from stages.arrays import namespace


@dataclass(frozen=True)
class Activation:
    name: str
    value: Callable  # value(a, out): σ(a)
    derivative: Callable  # derivative(s, out): σ'(a), given s = σ(a)


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


ACTIVATIONS = {
    "relu": Activation("relu", relu, relu_derivative),
    "tanh": Activation("tanh", tanh, tanh_derivative),
}
