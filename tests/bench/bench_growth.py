"""How cost and memory grow with depth, width, batch and runs in lockstep: exponents fitted over a factor of 4 or more.

The cost is that of training on one batch, two iterations; the memory is the peak of what is allocated for it.
"""

import math
import tracemalloc

import numpy as np
import subjects
from findings import plain
from subjects import CLASSES, WIDTH
from timing import interleaved

from stages.model.cost import one_hot
from stages.train.methods.ncg import ConjugateGradient

TITLE = "Growth of an NCG iteration"
ITERATIONS = 2
SHALLOW = 20
# what grows: sizes, the other sizes, the exponent that the algorithm has, and whether the cost is held against it
SERIES = {
    "depth": ([50, 100, 200], {}, 1, True),
    "width": ([196, 324, 484, 784], {"depth": SHALLOW}, 2, True),
    "batch": ([200, 400, 800], {"depth": SHALLOW}, 1, True),
    "runs": ([1, 2, 4], {"depth": SHALLOW}, 1, False),
}
TOLERANCE = 0.1


def run(repetitions):
    for quantity, (sizes, others, exponent, judged) in SERIES.items():
        trainings = {size: training(**{quantity: size}, **others) for size in sizes}
        seconds = interleaved({size: one() for size, one in trainings.items()}, max(3, repetitions // 2))
        fitted = [fit(sizes, [seconds[size][turn] for size in sizes]) for turn in range(len(seconds[sizes[0]]))]
        span = f"from {sizes[0]} to {sizes[-1]}"
        yield plain(f"cost against {quantity}, {span}", fitted, "", within=(exponent, TOLERANCE) if judged else None)
        yield plain(f"memory against {quantity}, {span}", [fit(sizes, list(map(peak, trainings.values())))], "")


def training(width=WIDTH, depth=subjects.DEPTH, batch=subjects.BATCH, runs=None):
    """Return a function that sets up a training and returns a function that trains on a batch."""

    def set_up():
        network = subjects.fresh_network("tanh", width, depth, runs)
        rng = np.random.default_rng(0)
        leading = network.leading
        x0 = network.columns(rng.random((*leading, batch, width), dtype="float32"))
        y = one_hot(rng.integers(0, CLASSES, (*leading, batch)), width, network.dtype, np)
        trainer, first = ConjugateGradient(network, subjects.cost("l2"), batch), network.parameters.copy()

        def train():
            np.copyto(network.parameters, first)  # every turn takes the same steps
            trainer.train_on_batch(x0, y, ITERATIONS)

        return train

    return set_up


def peak(set_up):
    """Return the most bytes in use at a time."""
    tracemalloc.start()
    set_up()()
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    return most


def fit(sizes, values):
    """Return the slope of log value against log size."""
    return float(np.polyfit(list(map(math.log, sizes)), list(map(math.log, values)), 1)[0])
