"""What a training tells its user beside its progress: a network that its images do not suit, classes that are lost."""

import numpy as np

DARK = 0.1  # a pixel up to this brightness counts as dark
FEW = 0.01  # share of images that may have a brighter pixel among the scores
FALL = 0.05  # of accuracy below the best epoch that is worth a word


def score_pixels_remark(images, network, classes):
    """Say where pixels that are class scores are not dark and can only grow; None where all is well.

    With an activation that is never negative a state never falls: a bright pixel stays in the score for good.
    """
    if network.affine.own_scores or network.affine.inputs != network.width or not network.activation.nonnegative:
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
    """Yield what is worth a word at the end of a training.

    predicted: the classes that the network gives the test images, (image,); accuracies: on them, after each epoch.
    """
    counts = np.bincount(predicted, minlength=classes)
    if (missing := np.flatnonzero(counts == 0)).size:
        yield f"no test image is classified as {', '.join(map(str, missing))}: these classes are lost"
    if (best := max(accuracies)) - accuracies[-1] > FALL:
        yield (
            f"the test accuracy ended at {100 * accuracies[-1]:.1f} %, after {100 * best:.1f} % in epoch "
            f"{int(np.argmax(accuracies)) + 1}"
        )
