"""What is measured on: the paper's network and batch, and the digits shipped with the project."""

import functools
import gzip
from pathlib import Path

import numpy as np

from stages.catalogues import ACTIVATIONS
from stages.model.cost import Cost, one_hot
from stages.model.network import Network, initial_network
from stages.train.methods.ncg import ConjugateGradient

ROOT = Path(__file__).resolve().parents[2]
WIDTH, DEPTH, BATCH, CLASSES, INTERVAL, ITERATIONS = 196, 150, 100, 10, 3.0, 6
LOSSES = {"l2": {"mu1": 1.0, "mu2": 0.0, "mu3": 0.0}, "ce": {"mu1": 0.0, "mu2": 1.0, "mu3": 0.4}}
TRAINED_BATCHES = 12  # about two thirds of the digits are read right then: like a trained network, in six seconds


@functools.cache
def digits(split):
    """Return (images (sample, 196) float32 in [0, 1], labels) of the shipped "train" (10,000) or "t10k" (2,000)."""
    folder = ROOT / "workflow" / "sample"
    pixels = gzip.decompress((folder / f"{split}-images-idx3-ubyte.gz").read_bytes())[16:]
    labels = gzip.decompress((folder / f"{split}-labels-idx1-ubyte.gz").read_bytes())[8:]
    tiles = np.frombuffer(pixels, np.uint8).reshape(-1, 14, 2, 14, 2)
    images = tiles.mean(axis=(2, 4), dtype=np.float32).reshape(-1, WIDTH) / 255
    return np.ascontiguousarray(images, np.float32), np.frombuffer(labels, np.uint8).astype(np.int64)


def cost(loss):
    return Cost(**LOSSES[loss], weight_decay=0.0, components=CLASSES)  # the loss sees the classes alone


def fresh_network(activation, width=WIDTH, depth=DEPTH, runs=None, seed=0):
    """Return an untrained network in float32; runs=3 gives three in lockstep."""
    generators = [np.random.default_rng(seed + run) for run in range(runs or 1)]
    shape = {"width": width, "depth": depth, "interval": INTERVAL}
    return initial_network(
        generators if runs else generators[0], **shape, activation=activation, std=0.001, dtype="float32"
    )


def batch(network, number=0, samples=BATCH):
    """Return states and targets (neuron, sample) of one batch of training digits."""
    images, labels = (array[number * samples : (number + 1) * samples] for array in digits("train"))
    return network.columns(images), one_hot(labels, network.width, network.dtype, np)


@functools.cache
def trained_parameters(activation, loss):
    network = fresh_network(activation)
    trainer = ConjugateGradient(network, cost(loss), BATCH)
    for number in range(TRAINED_BATCHES):
        trainer.train_on_batch(*batch(network, number), ITERATIONS)
    return network.W.copy(), network.b.copy()


def trained_network(activation, loss, depth=DEPTH):
    """Return a briefly trained network of the paper's size, or its first `depth` layers."""
    W, b = trained_parameters(activation, loss)
    return Network(W[:depth], b[:depth], INTERVAL * depth / DEPTH, ACTIVATIONS.find(activation))
