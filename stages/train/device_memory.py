"""How much of a device's memory a training takes, from its sizes: what is allocated, without CUDA's own share.

    3 or 4 arrays like [W b]      weights, gradient, direction (NCG) or v (RMSprop); one more with the Sobolev gradient
    3 arrays like the states      [x; 1], h σ'(a), g; with ODE45 6: [x; 1] and λ at the nodes, 2 each of W x + b and
                                  ω x + β at the nodes and between, and the solver's stages
    the digits, and a block of them in which accuracies are computed
    robust: h σ'(a) once more of the images that are moved, and the rows of its rivals, some of them at a time

CuPy hands out memory in blocks and keeps them: a tenth more.
"""

MARGIN = 1.1
STATES = {"euler": 3, "ode45": 6}  # of all layers
SMALL = 20  # states of a layer beside those that are kept of all layers
ROWS = 60  # the same of a robust training, four rivals each


def training_megabytes(
    *, width, depth, batch, runs, images, itemsize=4, sobolev=False, solver="euler", moved=0.0, block=500
):
    """Return the megabytes of a training of `runs` networks in lockstep on so many images (training and test).

    moved: the share of a batch that a robust training moves.
    """
    weights = (4 if sobolev else 3) * depth * width * (width + 1)
    states = (STATES[solver] * (depth + 1) + SMALL + moved * (depth + ROWS)) * (width + 1) * batch
    # For the accuracy a run's network is copied, and some states of a block of images are there at a time.
    accuracy = depth * width * (width + 1) + 5 * width * min(block, images)
    return MARGIN * (itemsize * (runs * (weights + states) + accuracy) + 4 * images * width) / 1e6
