"""A network: the weights and biases on the nodes t_l = l h, the interval and the activation."""

from dataclasses import dataclass

import numpy as np

from stages.arrays import namespace
from stages.errors import UserError
from stages.model.activations import ACTIVATIONS, Activation


@dataclass
class Network:
    W: object  # (layer, ..., out, in)
    b: object  # (layer, ..., out)
    interval: float  # T
    activation: Activation

    def __post_init__(self):
        width = self.W.shape[-1]
        if self.W.shape[-2] != width or self.b.shape != self.W.shape[:-1]:
            raise UserError(
                f"weights and biases do not fit: wanted W (layer, ..., n, n) and b (layer, ..., n), "
                f"found W {self.W.shape} and b {self.b.shape}"
            )

    @property
    def depth(self):
        return self.W.shape[0]

    @property
    def width(self):
        return self.W.shape[-1]

    @property
    def h(self):
        """Euler's step, by which the equivalent ResNet scales its activations."""
        return self.interval / self.depth

    @property
    def leading(self):
        """The leading axes: () for one network, (runs,) for several in lockstep."""
        return self.W.shape[1:-2]

    def columns(self, images):
        """Turn images (..., sample, pixel) into a contiguous state (..., neuron, sample) of the network's type."""
        if images.shape[-1] != self.width:
            raise UserError(f"wanted images of {self.width} pixels, the network's width; found {images.shape[-1]}")
        xp = namespace(self.W)
        return xp.ascontiguousarray(images.swapaxes(-1, -2), dtype=self.W.dtype)

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
