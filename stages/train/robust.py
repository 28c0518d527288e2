"""Robust training with the sensitivity attack (beyond the paper, which leaves it as future work).

Before the iterations on a batch, a share of its images (the first ones; the order is random anyway) are moved as by the
sensitivity attack with a moving target, at the current weights; the labels stay:

    x <- confine( x + min(1, r / |ξ|) ξ )     where x is classified as its label, `steps` times

ξ is the shortest perturbation that makes one of the RIVALS overtake, to first order and without a margin (κ = 1), and
`confine` keeps x among the valid images in the ball of radius r around the original. A step takes one direct solve and
one pull-back; the iterations on the batch are unchanged.

So an image moves at most to the boundary of its class, and misclassified ones stay. Steps of length r for all images,
across the boundary and for misclassified ones further away from it, cost accuracy: NCG with ReLU and cross-entropy lost
two points that way (10,000 digits, 25 layers, two epochs) and loses none now. In the first batches the directions are
meaningless, so nothing is moved before `from_batch`.
"""

import functools
import math

import numpy as np

from stages.model.direct import solve_with_slopes
from stages.perturbations.ball import confine, norms, require_valid
from stages.perturbations.class_rows import pull_back_scores
from stages.perturbations.least_perturbations import nearest_rival
from stages.runtime.arrays import namespace, to_host
from stages.runtime.errors import UserError

SETTINGS = ("radius", "steps", "from_batch", "share")
# Number of classes, those with the best scores besides the label, of which the nearest is the target. More take time
# and do not make networks more robust. With all nine the sensitivity attack within 0.5 succeeded on 13.7, 17.1, 16.4
# and 22.5 % of 600 digits (RMSprop and NCG, ReLU with cross-entropy; the same, tanh with l2), with four on 9.5, 17.4,
# 11.5 and 19.4 %, at the same accuracy.
RIVALS = 4


class Adversary:
    PER_BATCH = {  # recorded for every batch
        "moved": "how many images of the batch were moved by the attack before its iterations",
        "moved_norm": "mean l2 norm of their perturbations; 0: none was moved",
    }

    def __init__(self, network, classes, samples, *, radius, steps, from_batch, share):
        """samples: images per batch; the other settings were checked by `require`."""
        self.network, self.classes = network, classes
        self.radius, self.steps, self.from_batch = radius, steps, from_batch
        self.count = round(share * samples)
        shape = (network.depth, *network.leading, network.width, self.count)
        self.slopes = namespace(network.parameters).empty(shape, network.dtype)

    def move(self, x0, labels, batch):
        """Move the first images of x0 (..., pixel, sample), in place; batch: number of batches before this one.

        Returns {name of PER_BATCH: (...)}: the number of moved images, and the mean norm of their perturbations.
        """
        if batch < self.from_batch:
            return {name: np.zeros(x0.shape[:-2]) for name in self.PER_BATCH}
        origin, labels = x0[..., : self.count].copy(), labels[..., : self.count]
        x = origin
        for _ in range(self.steps):
            x = confine(x + self._step(x, labels), origin, self.radius)
        x0[..., : self.count] = x
        norm = norms(x - origin)
        moved = (norm > 0).sum(axis=-1)
        mean = norm.sum(axis=-1) / namespace(x0).maximum(moved, 1)
        return {"moved": to_host(moved.astype("float64")), "moved_norm": to_host(mean)}

    def _step(self, x, labels):
        """Return ξ, shortened to length r if longer; zero for misclassified images."""
        network, slopes = self.network, self.slopes
        z = network.readout.scores(solve_with_slopes(network, x, slopes), self.classes)
        pulled_back = functools.partial(pull_back_scores, network, slopes)
        unit, length = nearest_rival(pulled_back, z, labels, RIVALS)
        return length.clip(0, self.radius).astype(x.dtype)[..., None, :] * unit


def adversary_of(settings, network, images):
    """Return the Adversary for robust training of this network; images: all that may be moved."""
    trainer, batch = settings["trainer"], settings["batch"]
    require(trainer["robust"], solver=trainer["solver"], pixels=network.affine.inputs, batch=batch)
    require_valid(images, "a robust training wants images scaled to that range (downsample_digits does)")
    return Adversary(network, settings["network"]["classes"], batch, **trainer["robust"])


def require(settings, *, solver, pixels, batch):
    """Refuse settings of `robust` that make no sense for this number of pixels or this batch size."""
    place = "config: trainers: robust"
    if solver != "euler":
        raise UserError(f"{place}: wanted solver: euler, for the attack knows Euler's networks only, found {solver}")
    if set(settings) != set(SETTINGS):
        raise UserError(f"{place}: wanted the keys {', '.join(SETTINGS)}, found {', '.join(settings) or 'none'}")
    radius, steps, from_batch, share = (settings[name] for name in SETTINGS)
    largest = math.sqrt(pixels)
    wanted = {
        f"radius: wanted a number above 0 and at most √pixels = {largest:g}, beyond which no valid image lies": (
            _is_number(radius) and 0 < radius <= largest
        ),
        "steps: wanted a whole number, at least 1": _is_whole(steps) and steps >= 1,
        "from_batch: wanted a whole number, at least 0": _is_whole(from_batch) and from_batch >= 0,
        f"share: wanted a number above 0 and at most 1 that makes at least one image of a batch of {batch}": (
            _is_number(share) and 0 < share <= 1 and round(share * batch) >= 1
        ),
    }
    for text, met in wanted.items():
        if not met:
            raise UserError(f"{place}.{text}; found {settings[text.partition(':')[0]]!r}")


def _is_number(value):
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def _is_whole(value):
    return isinstance(value, int) and not isinstance(value, bool)
