"""Estimate from one backward pass how certain each answer is, and how noise on pixels or weights affects the accuracy.

Beyond the paper, whose authors name uncertainty and sensitivity to weights as future work. For each test image: the
covariance of its scores, the distance to the nearest boundary between classes, confidence and gap of the scores. For
each strength of noise: the accuracy predicted from the clean images and the one measured with random noise, with the
contribution of every image.

settings: seed, noise (std), uncertainty (images, weight_std, draws, lines), trained (settings of the training).
"""

import logging

import numpy as np

from stages.evaluate import confidence_measures, evaluation
from stages.evaluate.correct import correct, correct_under_noise
from stages.evaluate.noise import noisy_images
from stages.evaluate.predicted_accuracy import dimensions, probability_right
from stages.evaluate.uncertainty import score_covariances
from stages.evaluate.weight_noise import noisy_network
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
    stds = strengths(settings)
    answers, covariances, predicted = estimated(network, images, labels, settings, xp)
    measured = {
        "pixel": correct_on_noisy_images(network, images, labels, settings, xp),
        "weight": correct_with_noisy_weights(network, images, labels, settings, xp),
    }
    variables = {name: (("sample",), answers[name], {"long_name": SAMPLE[name]}) for name in SAMPLE}
    variables["score"] = (("sample", "class"), answers["score"].astype("float32"), {"long_name": "class scores"})
    for kind, (coordinate, noisy) in KINDS.items():
        variables |= described(kind, coordinate, noisy, covariances[kind], predicted[kind], measured[kind])
    return variables, {
        coordinate: ((coordinate,), stds[kind], {"long_name": f"standard deviation of the noise on {noisy}"})
        for kind, (coordinate, noisy) in KINDS.items()
    }


def strengths(settings):
    """Return {kind of noise: its standard deviations}."""
    return {"pixel": settings["noise"]["std"], "weight": settings["uncertainty"]["weight_std"]}


def described(kind, coordinate, noisy, covariance, predicted, measured):
    """Return the store's variables for a kind of noise."""
    share = f"share of images classified correctly with noise on {noisy}"
    return {
        f"{kind}_covariance": (
            ("sample", "class", "other_class"),
            covariance.astype("float32"),
            {"long_name": f"covariance of the scores for noise of variance 1 on {noisy}, to first order"},
        ),
        f"{kind}_predicted": (
            (coordinate,),
            predicted.mean(axis=1),
            {"long_name": f"{share}, predicted from clean images"},
        ),
        f"{kind}_measured": ((coordinate,), measured.mean(axis=(1, 2)), {"long_name": f"{share}, mean over draws"}),
        f"{kind}_measured_by_draw": ((coordinate, "draw"), measured.mean(axis=2), {"long_name": share}),
        f"{kind}_surplus": (
            (coordinate, "sample"),
            (predicted - measured.mean(axis=1)).astype("float32"),
            {"long_name": "predicted probability of a right answer, less the share of draws with one"},
        ),
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
    parts, progress = [], Progress(len(images), "image")
    block = network.block(BLOCK)
    whole_block = Trajectory(network, min(block, len(images)))
    for start in range(0, len(images), block):
        part = slice(start, start + block)
        x0 = network.columns(xp.asarray(images[part]))
        memory = whole_block if x0.shape[-1] == whole_block.scratch.shape[-1] else None
        z, *covariances = score_covariances(network, x0, classes, memory)
        score = samples_first(z)
        covariance = dict(zip(KINDS, map(samples_first, covariances), strict=True))
        drawn = normal((len(score), lines, dimensions(classes)))
        answers = described_answers(score, covariance["pixel"], labels[part])
        probability = {
            kind: probability_right(score, covariance[kind], labels[part], stds, drawn).T
            for kind, stds in strengths(settings).items()
        }
        parts.append((answers, covariance, probability))
        progress.advance(units=len(score))
    answers, covariance, probability = map(joined, zip(*parts, strict=True))
    log.info("%d of %d images are classified correctly", answers["right"].sum(), len(images))
    return answers, covariance, {kind: values.T for kind, values in probability.items()}


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


def correct_on_noisy_images(network, images, labels, settings, xp):
    """Return which are classified correctly, (noise_std, draw, sample). Unclipped; draw 0 is the noise stage's."""
    device_labels = xp.asarray(labels)

    def measure(std, draw):
        noisy = noisy_images(images, std, settings["seed"], draw, clip=False)
        return correct(network, xp.asarray(noisy), device_labels, settings["trained"]["network"]["classes"])

    draws = settings["uncertainty"]["draws"]
    return correct_under_noise(measure, strengths(settings)["pixel"], draws, len(images), "pixel noise")


def correct_with_noisy_weights(network, images, labels, settings, xp):
    """Return which are classified correctly, (weight_std, draw, sample); all images share a draw of the weights."""
    device_images, device_labels = xp.asarray(images), xp.asarray(labels)

    def measure(std, draw):
        noisy = noisy_network(network, std, settings["seed"], draw)
        return correct(noisy, device_images, device_labels, settings["trained"]["network"]["classes"])

    draws = settings["uncertainty"]["draws"]
    return correct_under_noise(measure, strengths(settings)["weight"], draws, len(images), "weight noise")


def samples_first(array):
    """Return an array (..., sample) on the host as (sample, ...)."""
    return np.ascontiguousarray(np.moveaxis(arrays.to_host(array), -1, 0))


def joined(parts):
    """Join dictionaries of arrays along their first axis."""
    return {name: np.concatenate([part[name] for part in parts]) for name in parts[0]}


if __name__ == "__main__":
    evaluation.run(__doc__, evaluate)
