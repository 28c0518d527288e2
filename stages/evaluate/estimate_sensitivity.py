"""Estimate how perturbations grow with depth by the sensitivity problem, and measure it by a second solve.

The input is perturbed, as in the paper. The settings may ask for perturbed weights and biases too, which the paper's
authors name as future work: the same problem with its other right-hand side.
"""

import functools

import numpy as np

from stages.evaluate.evaluation import run, variable
from stages.evaluate.perturbation import PerturbationRatios
from stages.runtime import arrays
from stages.runtime.progress import Progress
from stages.runtime.seeds import gaussian

BLOCK = 200  # images: with fewer, the products are small and each image costs more

RATIOS = {
    "estimated": "|xi| / |x|, perturbation estimated by the sensitivity problem",
    "measured": "|delta| / |x|, perturbation measured by a second solve",
    "relative_error": "|xi - delta| / |xi|",
}
SUMMARIES = {"": np.mean, "_median": np.median, "_spread": np.std}  # the median too: one outlier can move a mean


def evaluate(network, digits, settings, xp):
    images = digits["test_image"][: settings["sensitivity"]["images"]]
    ratios = input_ratios(network, images, settings, xp)
    variables = summarise("", ratios) | by_image(ratios)
    if settings["sensitivity"]["weight_std"] or settings["sensitivity"]["bias_std"]:
        variables |= summarise("weights_", weight_ratios(network, images, settings, xp))
    nodes = [node * network.h for node in range(network.depth + 1)]
    return variables, {"t": variable("t", nodes, "depth, as time")}


def input_ratios(network, images, settings, xp):
    """Return the ratios (3, node, sample) for noise on the input."""
    noise = gaussian(images.shape, settings["sensitivity"]["std"], settings["seed"], "sensitivity", "input")
    return in_blocks(network, images, noise, None, xp)


def weight_ratios(network, images, settings, xp):
    """Return the ratios (3, node, sample) for noise on weights and biases, the same for all images."""
    noise = gaussian(network.parameters.shape, 1.0, settings["seed"], "sensitivity", "weights")
    noise[..., :-1] *= np.float32(settings["sensitivity"]["weight_std"])
    noise[..., -1] *= np.float32(settings["sensitivity"]["bias_std"])
    return in_blocks(network, images, np.zeros_like(images), xp.asarray(noise).astype(network.dtype), xp)


def in_blocks(network, images, noise, perturbed, xp):
    """Return the ratios (3, node, sample), computed block by block; perturbed: [ω β], or None."""
    parts, progress, block = [], Progress(len(images), "image"), network.block(BLOCK)
    ratios = functools.cache(lambda samples: PerturbationRatios(network, samples, perturbed))
    for start in range(0, len(images), block):
        part = slice(start, start + block)
        x0, ξ0 = network.columns(xp.asarray(images[part])), network.columns(xp.asarray(noise[part]))
        parts.append(arrays.to_host(ratios(x0.shape[-1])(x0, ξ0)))
        progress.advance(units=parts[-1].shape[-1])
    return np.concatenate(parts, axis=-1).astype(np.float64)


def summarise(prefix, ratios):
    """Return the store's variables: mean, median and standard deviation over images of each ratio."""
    return {
        f"{prefix}{name}{suffix}": variable("t", summary(values, axis=-1), f"{summary.__name__} of {meaning}")
        for (name, meaning), values in zip(RATIOS.items(), ratios, strict=True)
        for suffix, summary in SUMMARIES.items()
    }


def by_image(ratios):
    """Return the store's variables per image: claims bootstrap over them."""
    estimated, _, error = ratios
    worst = error.mean(axis=-1).argmax()
    kept = {
        "estimated_at_start": (estimated[0], "estimated", "at depth 0"),
        "estimated_at_end": (estimated[-1], "estimated", "at depth T"),
        "largest_error": (error[worst], "relative_error", "at the depth where its mean over images is largest"),
    }
    return {
        name: variable("sample", values.astype(np.float32), f"{RATIOS[ratio]}, {where}")
        for name, (values, ratio, where) in kept.items()
    }


if __name__ == "__main__":
    run(__doc__, evaluate)
