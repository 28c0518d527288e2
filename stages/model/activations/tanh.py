"""The hyperbolic tangent: σ'(a) = 1 - tanh² a."""

from stages.model.activations.base import Activation
from stages.runtime.arrays import namespace


def value(a, out):
    return namespace(a).tanh(a, out=out)


def slope(a, out):
    xp = namespace(a)
    xp.tanh(a, out=out)
    xp.square(out, out=out)
    return xp.subtract(1, out, out=out)


def both(a, h, slope, scratch):
    """h σ'(a) = h - (h s) s"""
    xp, s = namespace(a), scratch
    xp.tanh(a, out=s)
    xp.multiply(s, h, out=a)
    s *= a
    xp.subtract(h, s, out=slope)  # the only pass over `slope`, which is not in the cache yet
    return a


ACTIVATION = Activation("tanh", value, slope, both, cuda=("tanh(a)", "h - h * s * s"))
