"""Training several runs in lockstep gives each the bits that it gets alone."""

import functools
import itertools

import numpy as np
import pytest
from kit.example_convolution import convolutional_example
from kit.example_network import LOSSES, example

from stages.model.solvers.ode45 import Ode45
from stages.train.methods.ncg import ConjugateGradient
from stages.train.methods.rmsprop import RMSprop

RUNS = 3
ode45 = functools.partial(Ode45, rtol=1e-3, atol=1e-6, norm="rms")

TRAINERS = {
    "ncg": functools.partial(ConjugateGradient),
    "sobolev": functools.partial(ConjugateGradient, gradient="sobolev"),
    "ncg by ode45": functools.partial(ConjugateGradient, solver=ode45),
    "rmsprop": functools.partial(RMSprop, rate=0.01, rho=0.9, epsilon=1e-7),
}


def trained(make, shape, loss, decay, seed, runs=None, example=example):
    """Train on two batches; return the network and the history as arrays (iteration, ...)."""
    first, second = example(seed=seed, runs=runs, **shape), example(seed=seed + 100, runs=runs, **shape)
    trainer = make(first.network, first.cost(loss, decay), shape["samples"])
    histories = [trainer.train_on_batch(batch.x0, batch.y, 4) for batch in (first, second)]
    first_half, second_half = (vars(history) for history in histories)
    return first.network, {name: np.array(first_half[name] + second_half[name]) for name in first_half}


def assert_same_bits(make, shape, loss, decay=0.0, seed=0, **options):
    network, history = trained(make, shape, loss, decay, seed, RUNS, **options)
    for run in range(RUNS):
        alone, alone_history = trained(make, shape, loss, decay, seed + run, **options)
        np.testing.assert_array_equal(network.parameters[:, run], alone.parameters)
        for name, values in alone_history.items():
            np.testing.assert_array_equal(history[name][:, run], values, err_msg=name)
    return history


@pytest.mark.parametrize(
    ("trainer", "activation", "loss"), list(itertools.product(TRAINERS, ["relu", "tanh"], ["squares", "paper's ce"]))
)
def test_every_trainer(trainer, activation, loss):
    shape = {"activation": activation, "width": 12, "depth": 6, "samples": 9, "std": 0.3}
    assert_same_bits(TRAINERS[trainer], shape, loss, decay=0.01)


@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("trainer", ["ncg", "rmsprop"])
def test_at_the_papers_width(trainer, dtype):
    """Sizes at which BLAS takes its blocked paths."""
    shape = {"activation": "tanh", "width": 196, "depth": 3, "samples": 100, "classes": 10, "std": 0.05, "dtype": dtype}
    assert_same_bits(TRAINERS[trainer], shape, "paper's ce")


@pytest.mark.parametrize("trainer", TRAINERS)
def test_convolutional_networks(trainer):
    shape = {"activation": "tanh", "channels": 4, "side": 8, "depth": 4, "samples": 9}
    assert_same_bits(TRAINERS[trainer], shape, "paper's ce", decay=0.01, example=convolutional_example)


@pytest.mark.parametrize("trainer", ["ncg", "rmsprop"])
def test_convolutional_networks_of_the_size_that_is_trained(trainer):
    shape = {"activation": "tanh", "channels": 16, "side": 14, "depth": 2, "samples": 100, "std": 0.05}
    shape |= {"classes": 10, "dtype": "float32"}
    assert_same_bits(TRAINERS[trainer], shape, "squares", example=convolutional_example)


@pytest.mark.parametrize("loss", LOSSES)
def test_where_the_guards_work_in_some_runs_and_not_in_others(loss):
    worked = {"restarts": set(), "halvings": set()}
    for seed in range(0, 30, RUNS):
        shape = {"activation": "relu", "depth": 4, "samples": 7, "interval": 3.0}
        history = assert_same_bits(TRAINERS["ncg"], shape, loss, seed=seed)
        for name, seen in worked.items():
            seen.update((history[name] > 0).any(axis=0).tolist())
    assert worked["halvings"] == {True, False}
    assert worked["restarts"] == {True, False} or loss == "size"
