"""Estimate from one backward pass how certain each answer is, and how noise on pixels or weights affects the accuracy.

Beyond the paper, whose authors name uncertainty and sensitivity to weights as future work. For each test image: the
covariance of its scores, the distance to the nearest boundary between classes, confidence and gap of the scores. For
each strength of noise: the accuracy predicted from the clean images and the one measured with random noise, with the
contribution of every image.

settings: seed, noise (std), uncertainty (images, weight_std, draws, lines), trained (settings of the training).
"""

import functools
import logging

import numpy as np

from stages.evaluate import confidence_measures
from stages.evaluate.correct import correct_under_noise
from stages.evaluate.evaluation import run, variable
from stages.evaluate.noise import noisy_images, noisy_network
from stages.evaluate.predicted_accuracy import dimensions, probability_right
from stages.evaluate.uncertainty import score_covariances
from stages.model.direct import Trajectory
from stages.runtime import arrays
from stages.runtime.errors import UserError
from stages.runtime.progress import Progress
from stages.runtime.seeds import generator

log = logging.getLogger("stages")

BLOCK = 200  # images: states and slopes of the paper's network fit into 50 MB, their cotangents into 5

SAMPLE = {
    "label": "class of the image",
    "predicted": "class that the network gives the image",
    "right": "whether the image is classified correctly",
    "distance": "l2 distance to the nearest boundary between two classes, to first order",
    "behind": "class behind that boundary",
    "confidence": "largest entry of softmax(scores)",
    "gap": "difference of the two best scores",
}
KINDS = {  # kinds of noise: name of the coordinate, and what is noisy
    "pixel": ("noise_std", "pixels"),
    "weight": ("weight_std", "weights and biases"),
}


def evaluate(network, digits, settings, xp):
    images, labels = (digits[f"test_{part}"][: settings["uncertainty"]["images"]] for part in ("image", "label"))
    answers, covariances, predicted = estimated(network, images, labels, settings, xp)
    correct = measured(network, images, labels, settings, xp)
    variables = {name: variable("sample", answers[name], meaning) for name, meaning in SAMPLE.items()}
    variables["score"] = variable(("sample", "class"), answers["score"].astype("float32"), "class scores")
    for kind, (coordinate, noisy) in KINDS.items():
        variables |= described(kind, coordinate, noisy, covariances[kind], predicted[kind], correct[kind])
    return variables, {
        coordinate: variable(coordinate, stds, f"standard deviation of the noise on {noisy}")
        for stds, (coordinate, noisy) in zip(strengths(settings).values(), KINDS.values(), strict=True)
    }


def strengths(settings):
    """Return {kind of noise: its standard deviations}."""
    return {"pixel": settings["noise"]["std"], "weight": settings["uncertainty"]["weight_std"]}


def described(kind, coordinate, noisy, covariance, predicted, measured):
    """Return the store's variables for a kind of noise."""
    share = f"share of images classified correctly with noise on {noisy}"
    spread = f"covariance of the scores for noise of variance 1 on {noisy}, to first order"
    surplus = "predicted probability of a right answer, less the share of draws with one"
    difference = (predicted - measured.mean(axis=1)).astype("float32")
    return {
        f"{kind}_covariance": variable(("sample", "class", "other_class"), covariance.astype("float32"), spread),
        f"{kind}_predicted": variable(coordinate, predicted.mean(axis=1), f"{share}, predicted from clean images"),
        f"{kind}_measured": variable(coordinate, measured.mean(axis=(1, 2)), f"{share}, mean over draws"),
        f"{kind}_measured_by_draw": variable((coordinate, "draw"), measured.mean(axis=2), share),
        f"{kind}_surplus": variable((coordinate, "sample"), difference, surplus),
    }


def estimated(network, images, labels, settings, xp):
    """Return what follows from the clean images (sample, pixel), block by block, all on the host:

    {name: (sample, ...)} for each answer, {kind of noise: covariance (sample, class, class)} and
    {kind of noise: predicted probability of a right answer (std, sample)}.
    """
    if not bool(xp.isfinite(network.parameters).all()):
        raise UserError("uncertainty wants a network of finite weights, found nan or infinity; train it again")
    classes, lines = settings["trained"]["network"]["classes"], settings["uncertainty"]["lines"]
    # One stream for all images, drawn in their order: it does not depend on the size of blocks.
    normal = generator(settings["seed"], "uncertainty", "lines").standard_normal
    scores, covariances, probabilities = [], {kind: [] for kind in KINDS}, {kind: [] for kind in KINDS}
    progress, block = Progress(len(images), "image"), network.block(BLOCK)
    memory = functools.cache(lambda samples: Trajectory(network, samples))  # all blocks but the last have one size
    for start in range(0, len(images), block):
        part = slice(start, start + block)
        x0 = network.columns(xp.asarray(images[part]))
        score, *of_kinds = map(samples_first, score_covariances(network, x0, classes, memory(x0.shape[-1])))
        scores.append(score)
        drawn = normal((len(score), lines, dimensions(classes)))
        for (kind, stds), covariance in zip(strengths(settings).items(), of_kinds, strict=True):
            covariances[kind].append(covariance)
            probabilities[kind].append(probability_right(score, covariance, labels[part], stds, drawn))
        progress.advance(units=len(score))
    covariances = {kind: np.concatenate(parts) for kind, parts in covariances.items()}
    answers = described_answers(np.concatenate(scores), covariances["pixel"], labels)
    log.info("%d of %d images are classified correctly", answers["right"].sum(), len(images))
    return answers, covariances, {kind: np.concatenate(parts, axis=1) for kind, parts in probabilities.items()}


def described_answers(score, covariance, labels):
    """Return {name: (sample, ...)} for scores (sample, class) and their covariance under noise on pixels."""
    predicted = score.argmax(axis=1)
    distance, behind = confidence_measures.nearest_boundary(score, covariance)
    return {
        "score": score,
        "label": labels.astype("int64"),
        "predicted": predicted,
        "right": predicted == labels,
        "distance": distance,
        "behind": behind,
        "confidence": confidence_measures.confidence(score),
        "gap": confidence_measures.gap(score),
    }


def measured(network, images, labels, settings, xp):
    """Return {kind of noise: which images are classified correctly, (std, draw, sample)}.

    Noise on pixels is not clipped, and its draw 0 is the noise stage's. All images share a draw of the weights.
    """
    seed, device_images, device_labels = settings["seed"], xp.asarray(images), xp.asarray(labels)
    noisy = {
        "pixel": lambda std, draw: (network, xp.asarray(noisy_images(images, std, seed, draw, clip=False))),
        "weight": lambda std, draw: (noisy_network(network, std, seed, draw), device_images),
    }
    draws, classes = settings["uncertainty"]["draws"], settings["trained"]["network"]["classes"]
    return {
        kind: correct_under_noise(noisy[kind], stds, draws, device_labels, classes, f"{kind} noise")
        for kind, stds in strengths(settings).items()
    }


def samples_first(array):
    """Return an array (..., sample) on the host as (sample, ...)."""
    return np.ascontiguousarray(np.moveaxis(arrays.to_host(array), -1, 0))


if __name__ == "__main__":
    run(__doc__, evaluate)
