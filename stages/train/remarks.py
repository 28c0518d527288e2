"""Warnings of a training to its user: images that do not suit the network, classes that are lost."""

import numpy as np

from stages.model.readout import FIRST_COMPONENTS

DARK = 0.1  # a pixel up to this brightness counts as dark
FEW = 0.01  # share of images that may have a brighter pixel among the scores
FALL = 0.05  # warn if the accuracy ends this far below that of the best epoch


def score_pixels_remark(images, network, classes):
    """Return a warning if pixels that are class scores are bright and can only grow, or None.

    With a nonnegative activation states never decrease: a bright pixel stays in the score, unless ink is negative.
    """
    pixels = network.readout is FIRST_COMPONENTS and not network.affine.own_scores
    if not pixels or not network.activation.nonnegative or network.ink < 0:
        return None
    first = images[:, :classes]
    share = float((first > DARK).any(axis=1).mean())
    if share <= FEW:
        return None
    return (
        f"the first {classes} pixels are the class scores at t = 0, and with {network.activation.label} a score can "
        f"only grow; here {100 * share:.0f} % of the training images have one of them brighter than {DARK:g} (mean "
        f"brightness {float(first.mean()):.2f}), which stays in the scores: set network.scores: own in config.yaml"
    )


def outcome_remarks(predicted, classes, accuracies):
    """Yield warnings at the end of a training.

    predicted: predicted classes of the test images, (image,); accuracies: test accuracies after each epoch.
    """
    counts = np.bincount(predicted, minlength=classes)
    if (missing := np.flatnonzero(counts == 0)).size:
        yield f"no test image is classified as {', '.join(map(str, missing))}: these classes are lost"
    if (best := max(accuracies)) - accuracies[-1] > FALL:
        yield (
            f"the test accuracy ended at {100 * accuracies[-1]:.1f} %, after {100 * best:.1f} % in epoch "
            f"{int(np.argmax(accuracies)) + 1}"
        )
