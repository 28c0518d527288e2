"""From images to classes: the class with the largest score; the network's read-out takes the scores from x(T)."""

from stages.model.direct import final_state
from stages.runtime.arrays import namespace

# Images per block: large enough for fast products, small enough for the cache and for any memory.
BLOCK = 500


def in_blocks(function, images, block=BLOCK):
    """Apply function (..., sample, pixel) -> (..., sample, ...) block by block and join the results."""
    xp = namespace(images)
    axis = images.ndim - 2
    starts = range(0, images.shape[axis], block)
    parts = [function(images[..., start : start + block, :]) for start in starts]
    return xp.concatenate(parts, axis=axis) if len(parts) > 1 else parts[0]


def class_scores(network, images, classes, solve=final_state):
    """Return scores (..., sample, class) for images (..., sample, pixel)."""

    def scores(part):
        return network.readout.scores(solve(network, network.columns(part)), classes).swapaxes(-1, -2)

    return in_blocks(scores, images, network.block(BLOCK))


def predict(network, images, classes, solve=final_state):
    """Return the class (..., sample) of the largest score for each image."""
    return class_scores(network, images, classes, solve).argmax(axis=-1)


def accuracy(network, images, labels, classes, solve=final_state):
    """Return the share of images that are classified correctly: a scalar, or one per run."""
    return (predict(network, images, classes, solve) == labels).mean(axis=-1)
