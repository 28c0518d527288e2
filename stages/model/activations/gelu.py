"""GELU in its usual approximation by tanh (Hendrycks and Gimpel, 2016), beyond the paper.

    σ(a) = a/2 (1 + τ),     τ = tanh u,     u = √(2/π) (a + c a³),     c = 0.044715
    σ'(a) = (1 + τ)/2 + a/2 (1 - τ²) u',     u' = √(2/π) (1 + 3 c a²)

The slope is not a function of the value, since GELU is not monotone. The exact GELU needs the error function, which
NumPy lacks.
"""

import math

from stages.model.activations.base import Activation
from stages.runtime.arrays import namespace

ROOT, CUBIC = math.sqrt(2 / math.pi), 0.044715


def _tau(a):
    xp = namespace(a)
    u = a * a
    u *= CUBIC
    u += 1
    u *= a
    u *= ROOT
    return xp.tanh(u, out=u)


def value(a, out):
    τ = _tau(a)
    τ += 1
    τ *= 0.5
    return namespace(a).multiply(a, τ, out=out)


def slope(a, out):
    τ = _tau(a)
    inner = a * a
    inner *= 3 * CUBIC
    inner += 1
    inner *= a
    inner *= ROOT * (1 - τ * τ)
    inner += τ
    inner += 1
    return namespace(a).multiply(inner, 0.5, out=out)


ACTIVATION = Activation("GELU", value, slope)
