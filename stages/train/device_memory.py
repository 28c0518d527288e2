"""How much of a device's memory a training takes, from its sizes: what is allocated, without CUDA's own share.

    arrays like [W b]             as many as the method keeps; one more with the Sobolev gradient
    arrays like the states        as many as the solver keeps, of all layers
    the digits, and a block of them in which accuracies are computed
    robust: h σ'(a) once more of the images that are moved, and the rows of its rivals, some of them at a time

CuPy hands out memory in blocks and keeps them: a tenth more.
"""

MARGIN = 1.1
SMALL = 20  # states of a layer beside those that are kept of all layers
ROWS = 60  # the same of a robust training, four rivals each


def training_megabytes(
    *, width, depth, batch, runs, images, weight_arrays, kept_states, itemsize=4, moved=0.0, block=500
):
    """Return the megabytes of a training of `runs` networks in lockstep on so many images (training and test).

    moved: the share of a batch that a robust training moves.
    """
    weights = weight_arrays * depth * width * (width + 1)
    states = (kept_states * (depth + 1) + SMALL + moved * (depth + ROWS)) * (width + 1) * batch
    # For the accuracy a run's network is copied, and some states of a block of images are there at a time.
    accuracy = depth * width * (width + 1) + 5 * width * min(block, images)
    return MARGIN * (itemsize * (runs * (weights + states) + accuracy) + 4 * images * width) / 1e6
