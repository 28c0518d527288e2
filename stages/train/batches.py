"""The order of the training images: a new one for every epoch, the same for every trainer and backend.

stratified: every batch has the classes in the proportions of the whole set. Within a class the order is random; image
number i of the n of its class gets the key (i + u) / n, u uniform in [0, 1), and the keys of all classes are sorted.
random: any permutation. With ReLU and cross-entropy a class that is rare in the first batch can then be lost for good:
its score is pushed below zero in every layer, where the slope is zero (workflow/docs/decisions.md,
"The reading that reproduces").
"""

import numpy as np

from stages.runtime.errors import UserError
from stages.runtime.seeds import generator


def batches_per_epoch(images, batch):
    """Return the number of full batches; an epoch skips the remaining images."""
    if batch > images:
        raise UserError(
            f"wanted at least one full batch: training.batch is {batch}, but there are {images} training images; "
            "lower training.batch or raise data.train in config.yaml"
        )
    return images // batch


def random_order(rng, labels):
    return rng.permutation(len(labels))


def stratified_order(rng, labels):
    """Return a permutation of the images in which every segment has the classes in the proportions of the whole set."""
    keys = np.empty(len(labels))
    for label in np.unique(labels):
        members = np.flatnonzero(labels == label)
        keys[members] = (rng.permutation(len(members)) + rng.random(len(members))) / len(members)
    return np.argsort(keys, kind="stable")


ORDERS = {"stratified": stratified_order, "random": random_order}


def epoch_batches(order, seed, run, epoch, labels, batch):
    """Return the indices (batch number, sample) of one epoch of one run; order: a key of ORDERS."""
    count = batches_per_epoch(len(labels), batch)
    return ORDERS[order](generator(seed, "batches", run, epoch), labels)[: count * batch].reshape(count, batch)
