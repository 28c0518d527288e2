"""The GPU memory of a training, from its sizes: what is allocated, without CUDA's own share.

    arrays in the shape of [W b]        the method's `weight_arrays`; one more with the Sobolev gradient
    arrays of the states of all layers  the solver's `kept_states`
    the digits, and the block of them for which accuracies are computed
    robust training: h σ'(a) again for the images that are moved, and the rows of the rivals, some at a time

CuPy allocates memory in blocks and keeps them: ten percent more.
"""

from stages.model.classify import BLOCK

MARGIN = 1.1
SMALL = 20  # temporary states of one layer
ROWS = 60  # the same for robust training, with four rivals


def training_megabytes(*, width, depth, batch, runs, images, weight_arrays, kept_states, itemsize=4, moved=0.0):
    """Return the megabytes of a training of `runs` networks in lockstep; images: training and test images together.

    moved: the share of a batch that robust training moves.
    """
    weights = weight_arrays * depth * width * (width + 1)
    states = (kept_states * (depth + 1) + SMALL + moved * (depth + ROWS)) * (width + 1) * batch
    # Computing accuracies takes a copy of one run's network and a few states of a block of images.
    accuracy = depth * width * (width + 1) + 5 * width * min(BLOCK, images)
    return MARGIN * (itemsize * (runs * (weights + states) + accuracy) + 4 * images * width) / 1e6
