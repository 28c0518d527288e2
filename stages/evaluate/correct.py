"""Which images a network classifies correctly: an accuracy is their mean, and what resampling images needs."""

import numpy as np

from stages.model.classify import class_scores
from stages.model.direct import final_state
from stages.runtime.arrays import to_host
from stages.runtime.progress import Progress


def correct(network, images, labels, classes, solve=final_state):
    """Return whether each of images (sample, pixel) is classified as its label, on the host: (sample,)."""
    return to_host(class_scores(network, images, classes, solve).argmax(axis=-1) == labels)


def correct_under_noise(measure, stds, draws, images, noise="noise"):
    """Return measure(std, draw), whether each of so many images is classified correctly, as (std, draw, sample)."""
    found = np.empty((len(stds), draws, images), dtype=bool)
    progress = Progress(len(stds) * draws, f"{noise} level")
    for level, std in enumerate(stds):
        for draw in range(draws):
            # Without noise all draws are one.
            found[level, draw] = found[level, 0] if std == 0 and draw else measure(std, draw)
            progress.advance(f"std {std}: accuracy {100 * found[level, draw].mean():.2f} %")
    return found
