"""Which images a network classifies correctly: accuracies are their means, and bootstrapping over images needs them."""

import numpy as np

from stages.model.classify import class_scores
from stages.model.direct import final_state
from stages.runtime.arrays import to_host
from stages.runtime.progress import Progress


def correct(network, images, labels, classes, solve=final_state):
    """Return whether each of images (sample, pixel) is classified correctly, (sample,) on the host."""
    return to_host(class_scores(network, images, classes, solve).argmax(axis=-1) == labels)


def correct_under_noise(measure, stds, draws, images, noise="noise"):
    """Return measure(std, draw), which images are classified correctly, for all stds and draws: (std, draw, sample)."""
    found = np.empty((len(stds), draws, images), dtype=bool)
    progress = Progress(len(stds) * draws, f"{noise} level")
    for level, std in enumerate(stds):
        for draw in range(draws):
            # Without noise all draws are the same.
            found[level, draw] = found[level, 0] if std == 0 and draw else measure(std, draw)
            progress.advance(f"std {std}: accuracy {100 * found[level, draw].mean():.2f} %")
    return found
