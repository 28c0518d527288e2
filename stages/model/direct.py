"""The direct problem (paper, eq. 1): x'(t) = σ(W(t) x(t) + b(t)), x(0) given, by Euler's method.

    a_l = W_l x_l + b_l,     x_{l+1} = x_l + h σ(a_l),     l = 0 .. L-1

which is a ResNet of L layers whose activations are scaled by h = T / L.
"""

from stages.model.active_rows import looks_for_inactive
from stages.runtime.arrays import namespace


class Trajectory:
    """What the adjoint and sensitivity problems need from a direct solve, in arrays that are allocated once and reused.

    x: (layer + 1, ..., neuron, sample), the states; slope: (layer, ..., neuron, sample), h σ'(a_l), with the factor h
    because σ' is never used without it. active: (layer, ..., neuron), true for active neurons, or None if they are not
    determined (`stages.model.active_rows`).
    """

    def __init__(self, network, samples):
        xp = namespace(network.parameters)
        shape = (*network.leading, network.width, samples)
        self.width = network.width
        self.x_one = xp.ones((network.depth + 1, *network.leading, network.affine.rows, samples), network.dtype)
        self.slope = xp.empty((network.depth, *shape), network.dtype)
        self.scratch = xp.empty(shape, network.dtype)
        self.active = xp.empty(self.slope.shape[:-1], bool) if looks_for_inactive(network) else None

    @property
    def x(self):
        return self.x_one[..., : self.width, :]


def solve_direct(network, x0, trajectory, before_layer=None):
    """Solve from images x0 (..., pixel, sample), keep the states in `trajectory` and return the last.

    before_layer(l) is called just before the weights of layer l are used: a trainer may update them there, since they
    pass through the cache anyway.
    """
    h, σ, affine = network.h, network.activation, network.affine
    x, scratch = trajectory.x, trajectory.scratch
    enter(network, x[0], x0)
    layers = zip(network.parameters, trajectory.x_one[:-1], x[:-1], x[1:], trajectory.slope, strict=True)
    for layer, (Wb, x_one, x_here, x_next, slope) in enumerate(layers):
        if before_layer is not None:
            before_layer(layer)
        # x_next holds a, then h σ(a), then x + h σ(a): one array fewer in the cache.
        affine.value(Wb, x_one, out=x_next)
        σ.advance(x_next, h, slope, scratch)
        x_next += x_here
        if trajectory.active is not None:
            slope.any(axis=-1, out=trajectory.active[layer])
    return x[-1]


def solve_with_slopes(network, x0, slopes):
    """Return x(T) and fill the slopes h σ'(a_l), (layer, ..., neuron, sample), without keeping the states."""
    h, σ = network.h, network.activation
    x_one, x = first_state(network, x0)
    a, scratch = namespace(x0).empty((2, *x.shape), network.dtype)
    for Wb, slope in zip(network.parameters, slopes, strict=True):
        network.affine.value(Wb, x_one, out=a)
        x += σ.advance(a, h, slope, scratch)
    return x


def final_state(network, x0):
    """Return x(T) alone, in the memory of two states."""
    h, σ = network.h, network.activation
    x_one, x = first_state(network, x0)
    s = namespace(x0).empty(x.shape, network.dtype)
    for layer in range(network.depth):
        network.affine.value(network.parameters[layer], x_one, out=s)
        σ.value(s, out=s)
        s *= h
        x += s
    return x


def first_state(network, x0):
    """Return x(0) for images x0 (..., pixel, sample) as input of the affine map, and the view of its rows x."""
    rows = network.affine.rows
    x_one = namespace(x0).ones((*x0.shape[:-2], rows, x0.shape[-1]), network.dtype)
    x = x_one[..., : network.width, :]
    enter(network, x, x0)
    return x_one, x


def enter(network, x, x0):
    """Copy images x0 (..., pixel, sample), times `ink`, into the neurons of x that are pixels; zero the others."""
    x[...] = 0
    x[..., network.affine.pixels, :] = x0 if network.ink == 1 else network.ink * x0


def leave(network, cotangents):
    """Return the cotangents (..., pixel, cotangent, sample) of images for those of x(0): the transpose of `enter`."""
    pixels = cotangents[..., network.affine.pixels, :, :]
    return pixels if network.ink == 1 else network.ink * pixels
