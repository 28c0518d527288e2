"""The attacks against the Adversarial Robustness Toolbox on the same network in PyTorch, on the same images.

The toolbox gets the network as it comes from training, and, for PGD, also with its weights frozen, so that PyTorch does
not compute their gradients for nothing. The moving target is also held against the paper's way to it, all of P.
"""

import logging
import warnings

import numpy as np
import subjects
from agreement import require_agreement
from findings import compared_with_a_floor, compared_with_an_alternative
from floor import LAYOUTS, Floor
from subjects import CLASSES, DEPTH, INTERVAL, WIDTH
from timing import fastest, interleaved

from stages.attack.loss_gradient import attacked_cost, loss_direction
from stages.attack.methods import cw as carlini_wagner
from stages.attack.methods import fgsm as fast_gradient
from stages.attack.methods import pgd as projected_gradient
from stages.attack.methods.sensitivity import nearest_direction
from stages.attack.victim import Victim
from stages.attack.walk import Walk, walk_on
from stages.perturbations.ball import norms
from stages.perturbations.least_perturbations import least_perturbations

TITLE = "Attacks"
GOAL_FLOOR, GOAL_PGD, GOAL_FROZEN, GOAL_MATRIX = 1.15, 2.0, 1.5, 8.0
IMAGES, STEP, ITERATIONS, RADIUS = 100, 0.06, 15, 0.5
RADII = [0.1 * number for number in range(1, 11)]
CW_IMAGES, MATRIX_IMAGES, MATRIX_STEPS = 2, 20, 3
SAME_PIXELS = 1e-3  # 15 steps along normalised float32 gradients
SAME_NORM = 0.05  # Carlini-Wagner: a line search in float32 may stop elsewhere for an image


def run(repetitions):
    victim = Victim(subjects.trained_network("relu", "ce"), CLASSES)
    images, labels = readable(victim, IMAGES)
    classifier = toolbox_classifier(victim.network)
    yield from pgd(victim, images, labels, classifier, repetitions)
    yield pgd_curve(victim, images, labels, classifier)
    yield fgsm(victim, images, labels, classifier, repetitions)
    yield carlini(victim, images[:CW_IMAGES], labels[:CW_IMAGES], classifier)
    yield moving_target(victim, images[:MATRIX_IMAGES], labels[:MATRIX_IMAGES])


def readable(victim, count):
    """Return the first test digits that the network reads correctly."""
    images, labels = subjects.digits("t10k")
    correct = np.flatnonzero(victim.predict(victim.network.columns(images)) == labels)[:count]
    return images[correct], labels[correct]


def toolbox_classifier(network):
    import network_in_torch
    import torch

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        from art.estimators.classification import PyTorchClassifier
    logging.getLogger("art").setLevel(logging.ERROR)
    model = network_in_torch.ResNet(
        network.W, network.b, interval=INTERVAL, activation=network.activation.label.lower(), classes=CLASSES
    )
    return PyTorchClassifier(
        model,
        loss=torch.nn.CrossEntropyLoss(),
        input_shape=(network.width,),
        nb_classes=CLASSES,
        clip_values=(0.0, 1.0),
        device_type="cpu",
    )


def toolbox_pgd(classifier, radius):
    from art.attacks.evasion import ProjectedGradientDescent

    return ProjectedGradientDescent(
        classifier, norm=2, eps=radius, eps_step=STEP, max_iter=ITERATIONS, batch_size=IMAGES, verbose=False
    )


def pgd(victim, images, labels, classifier, repetitions):
    """One ball, all iterations, success judged at the end."""
    cost, origin = attacked_cost(victim, "ce"), victim.network.columns(images)
    who, attack = np.arange(len(labels)), toolbox_pgd(classifier, RADIUS)
    walk = Walk(
        lambda x, who: loss_direction(victim, cost, x, labels[who]),
        victim,
        STEP,
        ITERATIONS,
        stop_when_misclassified=False,
    )

    def ours():
        x = origin.copy()
        misread, _ = walk_on(walk, origin, x, np.zeros(len(labels), int), labels, who, RADIUS)
        return x.T, misread

    def theirs():
        x = attack.generate(images, labels)
        return x, classifier.predict(x).argmax(axis=1) != labels

    (x, misread), (other_x, other_misread) = ours(), theirs()
    require_agreement("PGD, images", x, other_x, SAME_PIXELS)
    require_agreement("PGD, success", misread.sum(), other_misread.sum(), 0)
    contenders = {"ours": ours, "toolbox": theirs, "toolbox, weights frozen": theirs}
    floors = {layout: bare_products(Floor(layout, WIDTH, DEPTH, len(labels), "relu")) for layout in LAYOUTS}
    seconds = interleaved(
        contenders | floors, repetitions, prepare=lambda name: classifier.model.requires_grad_("frozen" not in name)
    )
    classifier.model.requires_grad_(True)
    subject = f"PGD in one ball, {len(labels)} images, {ITERATIONS} iterations"
    note = f"success {100 * misread.mean():.0f} % by both"
    yield compared_with_a_floor(subject, seconds["ours"], seconds[fastest(seconds, LAYOUTS)], GOAL_FLOOR, "s", 1)
    for name, goal in (("toolbox", GOAL_PGD), ("toolbox, weights frozen", GOAL_FROZEN)):
        yield compared_with_an_alternative(subject, seconds["ours"], seconds[name], name, goal, "s", 1, note=note)


def bare_products(floor):
    """The products and activation calls of PGD: its iterations', and those of its judgement, with every neuron.

    Ours may stay below: with ReLU its pull-back leaves out the neurons that sleep for all images.
    """

    def run():
        for _ in range(ITERATIONS):
            floor.direct()
            floor.pull_back()
        floor.inference()

    return run


def pgd_curve(victim, images, labels, classifier):
    """The curve of success against the radius: one run a radius for the toolbox, shared paths for ours."""

    curves = {}

    def ours():
        radius = projected_gradient.attack(
            victim, images, labels, RADII, lambda share: None, loss="ce", step=STEP, iterations=ITERATIONS
        ).radius
        curves["ours"] = [(radius <= r + 1e-9).mean() for r in RADII]

    def theirs():
        attacked = [toolbox_pgd(classifier, radius).generate(images, labels) for radius in RADII]
        misread = [classifier.predict(x).argmax(axis=1) != labels for x in attacked]
        curves["theirs"] = np.logical_or.accumulate(misread).mean(axis=1)

    seconds = interleaved({"ours": ours, "theirs": theirs}, 1, warm_up=False)
    require_agreement("PGD, curve", curves["ours"], curves["theirs"], 1.5 / len(labels))
    subject = f"PGD's curve over {len(RADII)} balls, {len(labels)} images"
    return compared_with_an_alternative(subject, seconds["ours"], seconds["theirs"], "toolbox", None, "s", 1)


def fgsm(victim, images, labels, classifier, repetitions):
    from art.attacks.evasion import FastGradientMethod

    attack = FastGradientMethod(classifier, norm=2, eps=RADIUS, batch_size=IMAGES)

    def ours():
        found = fast_gradient.attack(victim, images, labels, [RADIUS], lambda share: None, loss="ce")
        return ~np.isnan(found.radius)

    def theirs():
        return classifier.predict(attack.generate(images, labels)).argmax(axis=1) != labels

    require_agreement("FGSM, success", ours().sum(), theirs().sum(), 0)
    seconds = interleaved({"ours": ours, "theirs": theirs}, repetitions)
    subject = f"FGSM, {len(labels)} images"
    return compared_with_an_alternative(subject, seconds["ours"], seconds["theirs"], "toolbox")


def carlini(victim, images, labels, classifier):
    from art.attacks.evasion import CarliniL2Method

    attack = CarliniL2Method(classifier, verbose=False)
    settings = {"outputs": "scores", "confidence": 0.0, "rate": 0.01, "searches": 10, "iterations": 10}

    found = {}

    def ours():
        outcome = carlini_wagner.attack(victim, images, labels, [], lambda share: None, **settings, constant=0.01)
        found["ours"] = outcome.adversarial

    def theirs():
        found["theirs"] = attack.generate(images, np.eye(CLASSES, dtype="float32")[labels])

    seconds = interleaved({"ours": ours, "theirs": theirs}, 1, warm_up=False)
    norms = [norms((x - images).T).mean() for x in found.values()]
    require_agreement("Carlini-Wagner, mean norm", *norms, SAME_NORM)
    subject = f"Carlini-Wagner, {len(labels)} images"
    return compared_with_an_alternative(subject, seconds["ours"], seconds["theirs"], "toolbox", None, "s", 1)


# --- the moving target by the full matrix -----------------------------------------------------------------------------


def moving_target(victim, images, labels):
    """A few steps of the attack; the rows of P by cotangents, or by pushing the identity forwards as the paper does."""
    origin, who = victim.network.columns(images), np.arange(len(labels))

    def attack(look):
        x = origin.copy()
        walk = Walk(
            lambda x, who: look(victim, x, labels[who], 1.0),
            victim,
            STEP,
            MATRIX_STEPS,
            stop_when_misclassified=True,
        )
        walk_on(walk, origin, x, np.zeros(len(labels), int), labels, who)
        return x

    require_agreement("moving target", attack(nearest_direction), attack(look_by_matrix), SAME_PIXELS)
    seconds = interleaved({"ours": lambda: attack(nearest_direction), "theirs": lambda: attack(look_by_matrix)}, 3)
    subject = f"moving target, {len(labels)} images, {MATRIX_STEPS} steps"
    return compared_with_an_alternative(
        subject, seconds["ours"], seconds["theirs"], "the full matrix P", GOAL_MATRIX, "s", 1
    )


def look_by_matrix(victim, x, labels, kappa):
    """The direction of `nearest_direction`, from all of P = dx(T)/dx(0)."""
    z = victim.solve(x)[:CLASSES]
    v, size, length = least_perturbations(full_matrix(victim)[:CLASSES].swapaxes(0, 1).copy(), z, labels, kappa)
    target = length.argmin(axis=0)
    return z.argmax(axis=0), np.take_along_axis(v / size, target[None, None, :], axis=1)[:, 0]


def full_matrix(victim):
    """P (neuron, pixel, sample): the sensitivity problem for every unit perturbation of every image at once."""
    network, slopes = victim.network, victim.slopes
    width, samples = slopes.shape[1:]
    P = np.zeros((width, width, samples), network.dtype)
    P[np.arange(width), np.arange(width)] = 1
    rate = np.empty((width, width * samples), network.dtype)
    for layer in range(DEPTH):
        np.matmul(network.W[layer], P.reshape(width, -1), out=rate)
        scaled = rate.reshape(P.shape)
        scaled *= slopes[layer][:, None, :]
        P += scaled
    return P
