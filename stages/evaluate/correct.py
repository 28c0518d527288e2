"""Which images a network classifies correctly: accuracies are their means, and bootstrapping over images needs them."""

import numpy as np

from stages.model.classify import predict
from stages.model.direct import final_state
from stages.runtime.arrays import to_host
from stages.runtime.progress import Progress


def correct(network, images, labels, classes, solve=final_state):
    """Return whether each of images (sample, pixel) is classified correctly, (sample,) on the host."""
    return to_host(predict(network, images, classes, solve) == labels)


def correct_under_noise(noisy, stds, draws, labels, classes, noise="noise"):
    """Return which images are classified correctly for all stds and draws, (std, draw, sample), on the host.

    noisy(std, draw): the network and its images (sample, pixel), either of them with noise; labels: on their device.
    """
    found = np.empty((len(stds), draws, len(labels)), dtype=bool)
    progress = Progress(len(stds) * draws, f"{noise} level")
    for level, std in enumerate(stds):
        for draw in range(draws):
            # Without noise all draws are the same.
            again = std == 0 and draw > 0
            found[level, draw] = found[level, 0] if again else correct(*noisy(std, draw), labels, classes)
            progress.advance(f"std {std}: accuracy {100 * found[level, draw].mean():.2f} %")
    return found
