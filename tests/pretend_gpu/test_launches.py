"""How much a host hands to a device in an iteration of the paper's network: counted.

The counts follow from depth and runs, which are the paper's. Width and batch are small: they change none, and the
pretend device is slow.
"""

import cupy
import numpy as np
import pretend_cuda
import pytest
from kit.both_sides import TRAINERS
from kit.example_network import LOSSES

from stages.model.cost import Cost, one_hot
from stages.model.network import initial_network

WIDTH, DEPTH, SAMPLES, CLASSES, RUNS = 12, 150, 8, 4, 5
ITERATIONS = 3


@pytest.fixture
def network():
    """Five networks of the paper's depth."""
    generators = [np.random.default_rng(run) for run in range(RUNS)]
    shape = {"width": WIDTH, "depth": DEPTH, "interval": 3.0, "activation": "tanh", "std": 0.01, "dtype": "float32"}
    return initial_network(generators, **shape, xp=cupy)


def counts(network, trainer, loss, decay):
    """Return what an iteration adds up to, beyond what a batch takes to begin."""
    cost = Cost(**LOSSES[loss], weight_decay=decay, components=CLASSES)
    made = TRAINERS[trainer](network, cost, SAMPLES)
    x0 = cupy.full((*network.leading, WIDTH, SAMPLES), 0.5, network.dtype)
    labels = cupy.asarray(np.arange(RUNS * SAMPLES).reshape(RUNS, SAMPLES) % CLASSES)
    y = one_hot(labels, WIDTH, network.dtype, cupy)
    made.train_on_batch(x0, y, 1)
    found = []
    for iterations in (1, 1 + ITERATIONS):
        with pretend_cuda.counted() as counted:
            history = made.train_on_batch(x0, y, iterations)
        assert not np.nansum([history.restarts, history.halvings]), "guards take solves of their own"
        found.append(counted)
    return {name: (found[1][name] - found[0][name]) / ITERATIONS for name in pretend_cuda.COUNTS} | {
        "work": (found[1].work - found[0].work) / ITERATIONS
    }


@pytest.mark.parametrize(
    ("trainer", "loss", "decay", "most"),
    [
        ("ncg", "squares", 0.0, 1000),
        ("ncg", "paper's ce", 0.0, 1000),
        ("sobolev", "squares", 0.0, 1000),
        ("ncg", "squares", 1e-4, 1000),
        ("sobolev", "paper's ce", 1e-4, 1000),
        ("rmsprop", "squares", 0.0, 700),
        ("rmsprop", "paper's ce", 1e-4, 700),
    ],
)
def test_an_iteration_of_five_runs_is_few_launches(network, trainer, loss, decay, most, record_property):
    found = counts(network, trainer, loss, decay)
    record_property("launches", found)
    print(trainer, loss, decay, found)
    assert found["work"] <= most
    assert found["products"] >= 3 * (DEPTH - 1) - (DEPTH if trainer == "rmsprop" else 0)
    assert found["copies_on_device"] <= 5, "copies before products"
    assert found["allocations"] <= 1, "the pool's memory is used again"
