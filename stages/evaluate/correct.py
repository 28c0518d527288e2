"""Which images a network reads rightly: what an accuracy is the mean of, and what resampling images needs."""

from stages.arrays import to_host
from stages.model.classify import class_scores
from stages.model.direct import final_state


def correct(network, images, labels, classes, solve=final_state):
    """Return whether each of images (sample, pixel) gets its label, on the host: (sample,)."""
    return to_host(class_scores(network, images, classes, solve).argmax(axis=-1) == labels)
