"""A network: the weights and biases on the nodes t_l = l h, the interval and the activation.

Weights and biases are stored in one array, [W b], and states have an additional row of ones, [x; 1]. Then the affine
map is one product, W x + b = [W b] [x; 1], and so is the gradient of both, g [x; 1]ᵀ. This saves several passes over
states and weights in each layer. Only the affine map knows whether W is a matrix or the kernels of a convolution, and
only the read-out knows where in x(T) the class scores are.
"""

import numpy as np

from stages.catalogues import ACTIVATIONS, LAYERS
from stages.model.readout import FIRST_COMPONENTS
from stages.runtime.arrays import namespace
from stages.runtime.errors import UserError


class Parameters:
    """An array [W b], (layer, ..., out, in + 1), with views of its two parts."""

    def __init__(self, parameters):
        self.parameters = parameters

    @property
    def W(self):
        """(layer, ..., out, in)"""
        return self.parameters[..., :-1]

    @property
    def b(self):
        """(layer, ..., out)"""
        return self.parameters[..., -1]


class Network(Parameters):
    def __init__(self, W, b, interval, activation, affine=None, readout=FIRST_COMPONENTS, ink=1.0):
        """W (layer, ..., out, in) and b (layer, ..., out) are copied; interval: T; activation: an Activation.

        affine: the affine map, a dense one if none is given; readout: where the class scores are; ink: x(0) is the
        image times this number.
        """
        affine = affine or _dense(W.shape[-1])
        if W.ndim < 3 or W.shape[-2:] != affine.shape or b.shape != W.shape[:-1]:
            raise UserError(
                f"weights and biases do not fit: wanted W (layer, ..., {', '.join(map(str, affine.shape))}) and "
                f"b (layer, ..., {affine.shape[0]}), found W {W.shape} and b {b.shape}"
            )
        super().__init__(namespace(W).concatenate([W, b[..., None]], axis=-1))
        self.interval, self.activation, self.affine, self.readout = interval, activation, affine, readout
        self.ink = ink

    @property
    def depth(self):
        return self.parameters.shape[0]

    @property
    def width(self):
        return self.affine.width

    @property
    def dtype(self):
        return self.parameters.dtype

    @property
    def h(self):
        """Euler's step, by which the equivalent ResNet scales its activations."""
        return self.interval / self.depth

    @property
    def leading(self):
        """The leading axes: () for one network, (runs,) for several in lockstep."""
        return self.parameters.shape[1:-2]

    def columns(self, images):
        """Return images (..., sample, pixel) as contiguous columns (..., pixel, sample) of the network's type."""
        pixels = self.affine.inputs
        if images.shape[-1] != pixels:
            raise UserError(f"wanted images of {pixels} pixels, as the network takes them; found {images.shape[-1]}")
        return namespace(self.parameters).ascontiguousarray(images.swapaxes(-1, -2), dtype=self.dtype)

    def run(self, index):
        """Return one of the networks that train in lockstep."""
        return self.like(self.parameters[:, index])

    def each(self):
        """Return an iterator over the networks that train in lockstep, or over this one alone."""
        return map(self.run, range(*self.leading)) if self.leading else iter([self])

    def like(self, parameters):
        """Return a network of the same kind with these weights and biases, [W b], which are copied."""
        W, b = parameters[..., :-1], parameters[..., -1]
        return Network(W, b, self.interval, self.activation, self.affine, self.readout, self.ink)

    def block(self, images):
        """Return the batch size that takes as much memory as `images` images in a dense network."""
        return max(1, images * self.affine.inputs // self.width)


def _dense(width):
    return LAYERS.find("dense")(width)


def initial_network(
    generators,
    *,
    depth,
    interval,
    activation,
    std,
    dtype,
    xp=np,
    width=None,
    affine=None,
    readout=FIRST_COMPONENTS,
    ink=1.0,
):
    """Draw normal weights and biases on the host: one network per generator, stacked along a run axis.

    A single generator (not in a list) gives a network with the same numbers but without that axis. The network is dense
    with the given width, unless another affine map is given.
    """
    affine = affine or _dense(width)
    several, drawn = isinstance(generators, (list, tuple)), []
    for generator in generators if several else [generators]:
        W = generator.normal(0.0, std, (depth, *affine.shape)).astype(dtype)
        b = generator.normal(0.0, std, (depth, affine.shape[0])).astype(dtype)
        drawn.append((W, b))
    W, b = (np.stack(arrays, axis=1) for arrays in zip(*drawn, strict=True)) if several else drawn[0]
    return Network(xp.asarray(W), xp.asarray(b), interval, ACTIVATIONS.find(activation), affine, readout, ink)
