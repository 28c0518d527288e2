"""The order of the training images: a fresh permutation an epoch, the same for every trainer and backend."""

import numpy as np

from stages.errors import UserError
from stages.seeds import generator


def batches_per_epoch(images, batch):
    """Return how many full batches there are; what is left over waits for another epoch's permutation."""
    if batch > images:
        raise UserError(
            f"wanted at least one full batch: training.batch is {batch}, but there are {images} training images; "
            "lower training.batch or raise data.train in config.yaml"
        )
    return images // batch


def epoch_batches(seed, run, epoch, images, batch):
    """Return the indices (batch number, sample) of one epoch of one run."""
    count = batches_per_epoch(images, batch)
    return generator(seed, "batches", run, epoch).permutation(images)[: count * batch].reshape(count, batch)


def lockstep_batches(seed, runs, epoch, images, batch):
    """Return the indices (batch number, run, sample) of one epoch of several runs, each as it would have alone."""
    return np.stack([epoch_batches(seed, run, epoch, images, batch) for run in runs], axis=1)
