"""One NCG iteration against the floor, JAX and PyTorch (width 196, 150 layers, batches of 100, float32)."""

import itertools
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import subjects
from agreement import require_agreement
from findings import compared_with_a_floor, compared_with_an_alternative
from floor import LAYOUTS, Floor
from subjects import BATCH, CLASSES, DEPTH, INTERVAL, ITERATIONS, LOSSES, WIDTH
from timing import fastest, interleaved

from stages.train.methods.ncg import ConjugateGradient

TITLE = "One NCG iteration"
GOAL_FLOOR = {"l2": 1.2, "sobolev": 1.3}
GOALS = {"JAX, grad and jvp": 1.4, "JAX, linearize": None, "PyTorch": 2.5}
TIMED = 3  # iterations a turn
CLOSER = 3  # times as many repetitions beside the floor
# Six iterations in float32 with the sums in another order, relative to the largest cost and the largest change.
SAME_COST, SAME_CHANGE = 1e-3, 2e-2


@dataclass
class Contender:
    restart: Callable  # puts the first weights back
    iterate: Callable  # iterate(n) trains on one batch and returns the n costs
    weights: Callable  # returns W (layer, out, in)


def run(repetitions):
    for activation, loss, gradient in itertools.product(("relu", "tanh"), LOSSES, ("l2", "sobolev")):
        yield from compare(activation, loss, gradient, repetitions)


def compare(activation, loss, gradient, repetitions):
    contenders = all_contenders(activation, loss, gradient)
    check(contenders)
    timed = {name: (lambda contender=contender: contender.iterate(TIMED)) for name, contender in contenders.items()}

    def prepare(name):
        if name in contenders:
            contenders[name].restart()

    with_floor = {"ours": timed["ours"], "start": lambda: contenders["ours"].iterate(0)}
    for layout in LAYOUTS:
        with_floor[layout] = repeated(Floor(layout, WIDTH, DEPTH, BATCH, activation).iteration)
    # The floor is near: to tell 1.2 from 1.25 on a shared machine takes more repetitions than the alternatives do.
    near = each(interleaved(with_floor, CLOSER * repetitions, prepare))
    far = each(interleaved(timed | {"start": with_floor["start"]}, repetitions, prepare))
    subject = f"{activation}, {loss}, {'Sobolev' if gradient == 'sobolev' else 'L2'} gradient"
    yield compared_with_a_floor(subject, near["ours"], near[fastest(near, LAYOUTS)], GOAL_FLOOR[gradient])
    for name, goal in GOALS.items():
        yield compared_with_an_alternative(subject, far["ours"], far[name], name, goal)


def each(seconds):
    """Return the seconds of one iteration, from those of a turn."""
    # Our trainer solves the direct problem once more than it iterates: it ends with the cost that it reached.
    seconds["ours"] = [whole - start for whole, start in zip(seconds["ours"], seconds["start"], strict=True)]
    return {name: [value / TIMED for value in values] for name, values in seconds.items()}


def repeated(iteration):
    def run():
        for _ in range(TIMED):
            iteration()

    return run


def check(contenders):
    """All go through the same costs and end with the same weights."""
    first = contenders["ours"].weights().copy()
    costs, changes = {}, {}
    for name, contender in contenders.items():
        contender.restart()
        costs[name] = contender.iterate(ITERATIONS)
        changes[name] = contender.weights() - first
        require_agreement(f"{name}, costs", costs["ours"], costs[name], SAME_COST)
        require_agreement(f"{name}, change of the weights", changes["ours"], changes[name], SAME_CHANGE)


def all_contenders(activation, loss, gradient):
    import ncg_in_jax
    import network_in_torch
    import torch

    network = subjects.trained_network(activation, loss)
    first, W, b = network.parameters.copy(), network.W.copy(), network.b.copy()
    trainer = ConjugateGradient(network, subjects.cost(loss), BATCH, gradient=gradient)
    x0, y = batch_without_guards(network, trainer)
    np.copyto(network.parameters, first)
    rows, targets = np.ascontiguousarray(x0.T), np.ascontiguousarray(y[:CLASSES].T)
    tensors = torch.as_tensor(rows), torch.as_tensor(targets)
    shape = {"interval": INTERVAL, "activation": activation, "classes": CLASSES}
    smoother = ncg_in_jax.smoothing_matrix(DEPTH, network.h) if gradient == "sobolev" else None

    def in_jax(linearized):
        other = ncg_in_jax.Trainer(W, b, **shape, loss=LOSSES[loss], smoother=smoother, linearized=linearized)
        return Contender(
            other.restart, lambda n: other.train_on_batch(rows, targets, n), lambda: np.asarray(other.parameters[0])
        )

    model = network_in_torch.ResNet(W, b, **shape)
    in_torch = network_in_torch.NCG(model, LOSSES[loss], smoother)
    return {
        "ours": Contender(
            lambda: np.copyto(network.parameters, first),
            lambda n: trainer.train_on_batch(x0, y, n).loss,
            lambda: network.W,
        ),
        "JAX, grad and jvp": in_jax(False),
        "JAX, linearize": in_jax(True),
        "PyTorch": Contender(
            lambda: model.load(W, b), lambda n: in_torch.train_on_batch(*tensors, n), lambda: model.weights()
        ),
    }


def batch_without_guards(network, trainer):
    """Return a batch on which no step is halved and no direction given up: the alternatives have no such guards."""
    first = network.parameters.copy()
    for number in range(subjects.TRAINED_BATCHES, 100):
        np.copyto(network.parameters, first)
        batch = subjects.batch(network, number)
        history = trainer.train_on_batch(*batch, ITERATIONS)
        if not np.any(history.halvings) and not np.any(history.restarts):
            return batch
    raise SystemExit("found no batch on which NCG's guards stay silent: choose other digits in subjects.py")
