"""ReLU: σ(a) = max(a, 0), with σ'(0) = 0."""

import math

from stages.model.activations.base import Activation
from stages.runtime.arrays import namespace


def value(a, out):
    return a.clip(0.0, math.inf, out=out)  # in NumPy, half the time of maximum(a, 0)


def slope(a, out):
    return namespace(a).greater(a, 0, out=out)


def both(a, h, slope, scratch):
    """h σ(a) = h σ'(a) a: the value comes from the slope."""
    namespace(a).greater(a, 0, out=slope)
    slope *= h
    a *= slope
    return a


CUDA = "a > T(0) ? a : (isnan(a) ? a : T(0))", "s > T(0) ? h : T(0)"
ACTIVATION = Activation("ReLU", value, slope, both, nonnegative=True, flat=True, cuda=CUDA)
