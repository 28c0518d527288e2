"""Small random convolutional networks, images and labels, with weights far from their small initial values."""

from dataclasses import dataclass

import numpy as np

from kit.example_network import IDENTITY, LOSSES, Example
from stages.catalogues import ACTIVATIONS
from stages.model.cost import Cost
from stages.model.layers.convolution import Convolution
from stages.model.network import Network
from stages.model.readout import Projection


@dataclass
class ConvolutionalExample(Example):
    def cost(self, loss="squares", weight_decay=0.0):
        seen = {"components": self.classes, "readout": self.network.readout}
        return Cost(**LOSSES[loss], weight_decay=weight_decay, **seen)

    @property
    def shape(self):
        """What the reference needs besides the weights."""
        network = self.network
        return {
            "side": network.affine.side,
            "interval": network.interval,
            "activation": network.activation.label.lower(),
            "cell": network.affine.cell,
        }

    @property
    def point(self):
        """Images, kernels and biases in the format of the reference."""
        return self.images, kernels(self.network, self.network.W), np.array(self.network.b)


def kernels(network, W):
    """Return W as kernels (layer, out, row, column, in), as in a store."""
    return W.reshape(len(W), *network.affine.stored[1])


def convolutional_example(
    activation="tanh",
    *,
    seed=0,
    runs=None,
    channels=4,
    kernel=3,
    side=6,
    inputs=1,
    cell=1,
    depth=4,
    samples=5,
    classes=3,
    interval=1.5,
    std=0.2,
    dtype="float64",
):
    """Return an example; runs=3 stacks three networks and batches along a run axis, with seeds seed + r."""
    sizes = {"channels": channels, "kernel": kernel, "side": side, "inputs": inputs, "cell": cell}
    sizes |= {"depth": depth, "samples": samples, "classes": classes, "interval": interval, "std": std, "dtype": dtype}
    if runs is not None:
        alone = [convolutional_example(activation, seed=seed + r, **sizes) for r in range(runs)]
        first = alone[0].network
        together = first.like(np.stack([one.network.parameters for one in alone], axis=1))
        images, labels = np.stack([one.images for one in alone]), np.stack([one.labels for one in alone])
        return ConvolutionalExample(together, images, labels, classes)
    generator = np.random.default_rng(seed)
    affine = Convolution(channels, kernel, side, inputs, cell)
    W = generator.normal(0, std, (depth, *affine.shape)).astype(dtype)
    b = generator.normal(0, std, (depth, channels)).astype(dtype)
    images = generator.random((samples, affine.inputs)).astype(dtype)
    labels = generator.integers(0, classes, samples)
    # The same read-out for all runs, as in an experiment.
    R = np.random.default_rng(99).normal(0, 0.3, (classes, affine.width)).astype(dtype)
    σ = IDENTITY if activation == "identity" else ACTIVATIONS.find(activation)
    return ConvolutionalExample(Network(W, b, interval, σ, affine, Projection(R)), images, labels, classes)
