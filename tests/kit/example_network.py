"""Small random networks, images and labels that many tests share, with weights far from their small initial values."""

from dataclasses import dataclass

import numpy as np

from stages.catalogues import ACTIVATIONS
from stages.model.activations.base import Activation
from stages.model.build import in_the_loss
from stages.model.cost import Cost, one_hot
from stages.model.network import Network


def identity(a, out):
    out[...] = a
    return out


def identity_derivative(s, out):
    out[...] = 1
    return out


# σ(a) = a makes the network linear in its state, so that exact answers are known.
IDENTITY = Activation("identity", identity, identity_derivative)

# Each loss term alone, the two combinations of the paper, and all together.
LOSSES = {
    "squares": {"mu1": 1.0, "mu2": 0.0, "mu3": 0.0},
    "cross-entropy": {"mu1": 0.0, "mu2": 1.0, "mu3": 0.0},
    "size": {"mu1": 0.0, "mu2": 0.0, "mu3": 0.7},
    "paper's ce": {"mu1": 0.0, "mu2": 1.0, "mu3": 0.4},
    "all": {"mu1": 0.3, "mu2": 1.1, "mu3": 0.4},
}


@dataclass
class Example:
    network: Network
    images: np.ndarray  # (..., sample, pixel)
    labels: np.ndarray  # (..., sample)
    classes: int

    @property
    def x0(self):
        return self.network.columns(self.images)

    @property
    def y(self):
        return one_hot(self.labels, self.network.width, self.network.W.dtype, np)

    def cost(self, loss="squares", weight_decay=0.0, components="classes"):
        seen = in_the_loss({"classes": self.classes, "components": components}, self.network)
        return Cost(**LOSSES[loss], weight_decay=weight_decay, **seen)


def example(
    activation="tanh",
    *,
    seed=0,
    runs=None,
    width=6,
    depth=5,
    samples=7,
    classes=3,
    interval=1.5,
    std=0.8,
    dtype="float64",
):
    """Return an Example; runs=3 stacks three networks and batches along a run axis, with seeds seed + r."""
    if runs is not None:
        shape = {"width": width, "depth": depth, "samples": samples, "classes": classes}
        alone = [
            example(activation, seed=seed + r, interval=interval, std=std, dtype=dtype, **shape) for r in range(runs)
        ]
        W = np.stack([one.network.W for one in alone], axis=1)
        b = np.stack([one.network.b for one in alone], axis=1)
        images, labels = np.stack([one.images for one in alone]), np.stack([one.labels for one in alone])
        return Example(Network(W, b, interval, alone[0].network.activation), images, labels, classes)
    generator = np.random.default_rng(seed)
    W = generator.normal(0, std, (depth, width, width)).astype(dtype)
    b = generator.normal(0, std, (depth, width)).astype(dtype)
    images = generator.random((samples, width)).astype(dtype)
    labels = generator.integers(0, classes, samples)
    found = IDENTITY if activation == "identity" else ACTIVATIONS.find(activation)
    return Example(Network(W, b, interval, found), images, labels, classes)
