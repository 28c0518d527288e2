"""A network: the weights and biases on the nodes t_l = l h, the interval and the activation.

Weights and biases lie side by side in one array, [W b], and states carry a row of ones below, [x; 1]: then the affine
map is one product, W x + b = [W b] [x; 1], and so is the gradient of both, g [x; 1]ᵀ. That spares several passes over
states and weights in each layer.
"""

import numpy as np

from stages.arrays import namespace
from stages.errors import UserError
from stages.model.activations import ACTIVATIONS


class Parameters:
    """An array [W b], (layer, ..., out, in + 1), with its two parts as views."""

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
    def __init__(self, W, b, interval, activation):
        """W (layer, ..., n, n) and b (layer, ..., n) are copied; interval: T; activation: an Activation."""
        if W.ndim < 3 or W.shape[-2] != W.shape[-1] or b.shape != W.shape[:-1]:
            raise UserError(
                f"weights and biases do not fit: wanted W (layer, ..., n, n) and b (layer, ..., n), "
                f"found W {W.shape} and b {b.shape}"
            )
        super().__init__(namespace(W).concatenate([W, b[..., None]], axis=-1))
        self.interval, self.activation = interval, activation

    @property
    def depth(self):
        return self.parameters.shape[0]

    @property
    def width(self):
        return self.parameters.shape[-2]

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
        """Turn images (..., sample, pixel) into a contiguous state (..., neuron, sample) of the network's type."""
        if images.shape[-1] != self.width:
            raise UserError(f"wanted images of {self.width} pixels, the network's width; found {images.shape[-1]}")
        return namespace(self.parameters).ascontiguousarray(images.swapaxes(-1, -2), dtype=self.dtype)

    def run(self, index):
        """Return one of the networks that train in lockstep."""
        return Network(self.W[:, index], self.b[:, index], self.interval, self.activation)


def initial_network(generators, *, width, depth, interval, activation, std, dtype, xp=np):
    """Draw normal weights and biases on the host: one network a generator, stacked along a run axis.

    A single generator (not in a list) gives a network without that axis, of the same numbers.
    """
    single = not isinstance(generators, (list, tuple))
    W, b = [], []
    for generator in [generators] if single else generators:
        W.append(generator.normal(0.0, std, (depth, width, width)).astype(dtype))
        b.append(generator.normal(0.0, std, (depth, width)).astype(dtype))
    if single:
        W, b = W[0], b[0]
    else:
        W, b = np.stack(W, axis=1), np.stack(b, axis=1)
    return Network(xp.asarray(W), xp.asarray(b), interval, ACTIVATIONS[activation])
