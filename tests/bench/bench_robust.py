"""Robust training against the plain one: a batch with its six iterations, images moved before them or not."""

import itertools

import numpy as np
import subjects
from agreement import require_agreement
from findings import compared_with_a_floor
from subjects import BATCH, CLASSES, ITERATIONS
from timing import interleaved

from stages.attack.victim import Victim
from stages.config import configuration
from stages.perturbations.ball import confine
from stages.perturbations.least_perturbations import least_perturbations
from stages.train.methods.ncg import ConjugateGradient
from stages.train.methods.rmsprop import RMSprop
from stages.train.robust import RIVALS, Adversary

TITLE = "A batch of robust training"
GOAL = 1.25
LOSS = "ce"
TRAINERS = {"NCG": "ncg-robust", "NCG, Sobolev": "ncg-sobolev-robust", "RMSprop": "sgd-robust"}  # of config.yaml
SAME_IMAGES = 1e-6


def trainer_of(method, network):
    if method == "RMSprop":
        return RMSprop(network, subjects.cost(LOSS), BATCH, rate=0.01, rho=0.9, epsilon=1e-7)
    gradient = "sobolev" if method == "NCG, Sobolev" else "l2"
    return ConjugateGradient(network, subjects.cost(LOSS), BATCH, gradient=gradient)


def run(repetitions):
    trainers = configuration.load(subjects.ROOT, "paper")["trainers"]
    for activation, (method, name) in itertools.product(("relu", "tanh"), TRAINERS.items()):
        robust = trainers[name]["robust"]
        network = subjects.trained_network(activation, LOSS)
        first, trainer = network.parameters.copy(), trainer_of(method, network)
        adversary = Adversary(network, CLASSES, BATCH, **robust | {"from_batch": 0})
        x0, y = subjects.batch(network, subjects.TRAINED_BATCHES)
        labels = y.argmax(axis=0)
        check(f"{method}, {activation}", adversary, x0, labels)

        contenders = {
            "ours": lambda: train(trainer, x0, y, labels, adversary),
            "plain": lambda: train(trainer, x0, y, labels),
        }
        seconds = interleaved(contenders, repetitions, prepare=lambda _: np.copyto(network.parameters, first))
        subject = f"{method}, {activation}, {robust['share']:.0%} of the images moved"
        yield compared_with_a_floor(subject, seconds["ours"], seconds["plain"], GOAL, against="plain training")


def train(trainer, x0, y, labels, adversary=None):
    """Train on a batch; both contenders copy it, as a training does from the images."""
    x0 = x0.copy()
    if adversary is not None:
        adversary.move(x0, labels, 0)
    trainer.train_on_batch(x0, y, ITERATIONS)


def check(what, adversary, x0, labels):
    """Images are moved to the nearest of their rivals, none that is misread, up to the boundary or the ball."""
    count, found = adversary.count, x0.copy()
    adversary.move(found, labels, 0)
    victim = Victim(adversary.network, CLASSES)
    z = victim.read_out(victim.solve(x0))
    v, size, length = least_perturbations(victim.class_rows(), z, labels, 1.0)
    others = np.where(np.arange(CLASSES)[:, None] == labels, -np.inf, z)
    np.put_along_axis(length, np.argsort(-others, axis=0, kind="stable")[RIVALS:], np.inf, axis=0)
    target, here = length.argmin(axis=0), np.arange(len(labels))
    ξ = length[target, here].clip(0, adversary.radius).astype(x0.dtype) * (v / size)[:, target, here]
    expected = confine(x0 + ξ, x0, adversary.radius)
    require_agreement(what, expected[:, :count], found[:, :count], SAME_IMAGES)
