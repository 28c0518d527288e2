"""Small networks that classify small digits well enough to be attacked, trained in a second on the shipped sample."""

import functools
import gzip

import numpy as np

from kit.project_copy import ROOT
from stages.attack.victim import Victim
from stages.catalogues import ACTIVATIONS
from stages.model.cost import Cost, one_hot
from stages.model.network import Network, initial_network
from stages.train.methods.ncg import ConjugateGradient

SAMPLE = ROOT / "workflow" / "sample"
SIDE, DEPTH, CLASSES, INTERVAL = 7, 8, 10, 3.0
LOSS = {"mu1": 0.0, "mu2": 1.0, "mu3": 0.4, "components": CLASSES}


@functools.cache
def digits(count=1200):
    """Return (images (sample, 49) float32 in [0, 1], labels) of the first shipped test digits."""
    pixels = gzip.decompress((SAMPLE / "t10k-images-idx3-ubyte.gz").read_bytes())[16:]
    labels = gzip.decompress((SAMPLE / "t10k-labels-idx1-ubyte.gz").read_bytes())[8:]
    images = np.frombuffer(pixels, np.uint8).reshape(-1, SIDE, 4, SIDE, 4)[:count]
    small = images.mean(axis=(2, 4)).reshape(len(images), -1) / 255
    return small.astype("float32"), np.frombuffer(labels, np.uint8)[:count].astype("int64")


@functools.cache
def _trained(activation):
    images, labels = digits()
    generator = np.random.default_rng(7)
    network = initial_network(
        generator,
        width=SIDE**2,
        depth=DEPTH,
        interval=INTERVAL,
        activation=activation,
        std=0.001,
        dtype="float32",
    )
    trainer = ConjugateGradient(network, Cost(**LOSS, weight_decay=0.0), 100)
    for start in range(200, 1200, 100):
        x0, batch = network.columns(images[start : start + 100]), labels[start : start + 100]
        trainer.train_on_batch(x0, one_hot(batch, network.width, network.dtype, np), 6)
    return network.W.copy(), network.b.copy()


def network(activation="tanh", dtype="float32"):
    """Return a trained network; the digits before number 200 were not used in its training."""
    W, b = _trained(activation)
    return Network(W.astype(dtype), b.astype(dtype), INTERVAL, ACTIVATIONS.find(activation))


def victim(activation="tanh", dtype="float32"):
    return Victim(network(activation, dtype), CLASSES, LOSS)


def readable(found, count):
    """Return the first `count` digits (images, labels) that the victim classifies correctly."""
    images, labels = (array[:200] for array in digits())
    correct = np.flatnonzero(found.predict(found.network.columns(images)) == labels)[:count]
    return images[correct], labels[correct]


def silent(share):
    """Ignore reports of progress."""
