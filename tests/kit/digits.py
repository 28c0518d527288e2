"""A small set of digit-like images for tests: blobs in places that depend on the class, easy to learn."""

import numpy as np

from kit.project_copy import ROOT
from stages.config import configuration
from stages.plan import stage_settings
from stages.storage import stores

CLASSES = 10


def blobs(samples, side=5, seed=0):
    """Return images (sample, pixel) in [0, 1] and labels: each class lights its own pixels, plus noise."""
    rng = np.random.default_rng(seed)
    patterns = np.random.default_rng(99).random((CLASSES, side * side)) < 0.3
    labels = rng.integers(0, CLASSES, samples)
    images = 0.8 * patterns[labels] + 0.2 * rng.random((samples, side * side))
    return images.astype(np.float32), labels


def write_digits(path, train=60, test=40, side=5):
    """Write a digits store as the data stage does."""
    train_image, train_label = blobs(train, side, seed=1)
    test_image, test_label = blobs(test, side, seed=2)
    stores.write(
        path,
        {
            "train_image": (("train", "pixel"), train_image),
            "train_label": (("train",), train_label),
            "test_image": (("test", "pixel"), test_image),
            "test_label": (("test",), test_label),
        },
        settings={"side": side},
        inputs={},
    )


# Layers of a convolutional network for images of 5 x 5 pixels, to be merged into settings of a training.
CONVOLUTION = {"network": {"initial_std": 0.1, "layer": {"kind": "convolution", "channels": 3, "kernel": 3}}}


def train_settings(model="ncg_l2_tanh", **changes):
    """Return settings of a tiny training, with `changes` merged into them."""
    config = configuration.load(ROOT, "smoke")
    settings = stage_settings.train_settings(config, model)
    configuration.merge(settings, {"network": {"depth": 4}, "batch": 20, "iterations": 3, "trainer": {"epochs": 2}})
    configuration.merge(settings, changes)
    return settings
