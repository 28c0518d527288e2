"""Golden numbers: six iterations of NCG at the paper's width and depth on 100 of the digits shipped with the project.

The same code on the full MNIST gave the numbers of an earlier implementation by another hand to every printed digit;
these were recorded right after. A change here means that the mathematics changed, or the digits.
"""

import functools
import gzip

import numpy as np
import pytest
from kit import tolerances

from stages.catalogues import ACTIVATIONS
from stages.model.cost import Cost, one_hot
from stages.model.network import Network
from stages.model.solvers.ode45 import Ode45
from stages.train.methods.ncg import ConjugateGradient

DEPTH, WIDTH, INTERVAL = 150, 196, 3.0
L2, CE = {"mu1": 1.0, "mu2": 0.0, "mu3": 0.0}, {"mu1": 0.0, "mu2": 1.0, "mu3": 0.4}


def read(path, header):
    with gzip.open(path) as file:
        return np.frombuffer(file.read(), np.uint8, offset=header)


@pytest.fixture(scope="module")
def start(request):
    """Return initial W, b and the batch, from one generator."""
    folder = request.config.rootpath / "workflow" / "sample"
    labels = read(folder / "train-labels-idx1-ubyte.gz", 8)
    pixels = read(folder / "train-images-idx3-ubyte.gz", 16).reshape(-1, 14, 2, 14, 2)
    images = (pixels.mean(axis=(2, 4)) / 255).reshape(-1, WIDTH)
    rng = np.random.default_rng(0)
    W = rng.standard_normal((DEPTH, WIDTH, WIDTH), dtype=np.float32) * np.float32(1e-3)
    b = rng.standard_normal((DEPTH, WIDTH), dtype=np.float32) * np.float32(1e-3)
    batch = rng.permutation(len(images))[:100]
    return W, b, images[batch], labels[batch]


def train(start, activation, loss, dtype, **options):
    W, b, images, labels = start
    network = Network(W.astype(dtype), b.astype(dtype), INTERVAL, ACTIVATIONS.find(activation))
    trainer = ConjugateGradient(network, Cost(**loss, weight_decay=0.0, components=10), 100, **options)
    return trainer.train_on_batch(network.columns(images), one_hot(labels, WIDTH, dtype, np), 6)


# name: (activation, loss, options, costs before each iteration and after the last, conjugacy, step size)
GOLDEN = {
    "l2": (
        "tanh",
        L2,
        {},
        [0.4979240502, 0.4183022888, 0.2356452010, 0.1837648584, 0.1602669217, 0.1402234153, 0.1225609885],
        [0.0, 0.2347458880, 0.1844119840, 5.1954678949, 0.0917593306, 6.8821078442],
        [0.0426567101, 0.4201570241, 0.6410205431, 0.0549751618, 0.5123377083, 0.0659923551],
    ),
    "ce": (
        "relu",
        CE,
        {},
        [2.3010182314, 2.2541878852, 2.1680649862, 1.9411596362, 1.7760405887, 1.7568901606, 1.7566588878],
        [0.0, 7.0171603077, 0.8275901658, 0.2682103545, 0.1551004766, 3.8364202630],
        [0.8795414421, 0.1787188403, 0.2226632267, 0.5238309086, 1.3565977875, 0.2206435972],
    ),
    "sobolev": (
        "tanh",
        L2,
        {"gradient": "sobolev"},
        [0.4979240502, 0.4183021652, 0.2356032165, 0.1828543147, 0.1601334260, 0.1381651041, 0.1226343885],
        [0.0, 0.2346258253, 0.1820938087, 5.1911717137, 0.0912750932, 6.7616827500],
        [0.0426568284, 0.4203337313, 0.6585762412, 0.0539292075, 0.5711063107, 0.0600169924],
    ),
}


@pytest.mark.parametrize(
    ("name", "dtype"),
    [("l2", "float64"), ("l2", "float32"), ("ce", "float64"), ("ce", "float32"), ("sobolev", "float32")],
)
def test_six_iterations_give_the_recorded_numbers(start, name, dtype):
    activation, loss, options, costs, conjugacy, steps = GOLDEN[name]
    history = train(start, activation, loss, dtype, **options)
    tolerance = tolerances.RECORDED if dtype == "float64" else tolerances.RECORDED_FLOAT32
    np.testing.assert_allclose([*history.loss, history.loss_after[-1]], costs, **tolerance)
    np.testing.assert_allclose(history.conjugacy, conjugacy, **tolerance)
    np.testing.assert_allclose(history.step_size, steps, **tolerance)
    assert not np.any(history.halvings)
    assert not np.any(history.restarts)


def test_ode45_goes_the_same_way_at_first(start):
    """It solves another discretisation: costs agree with Euler's where the weights are still smooth."""
    solver = functools.partial(Ode45, rtol=1e-3, atol=1e-3, norm="rms")
    history = train(start, "tanh", L2, "float32", solver=solver)
    recorded = [0.4978216992, 0.4181296124, 0.2355890228, 0.1868430317, 0.1603072054, 0.1446010228, 0.1224844443]
    costs = [*history.loss, history.loss_after[-1]]
    np.testing.assert_allclose(costs, recorded, **tolerances.RECORDED_ADAPTIVE)
    np.testing.assert_allclose(costs, GOLDEN["l2"][3], **tolerances.ANOTHER_DISCRETISATION)
