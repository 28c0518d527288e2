"""Iterative attacks: steps of fixed length, in a direction that is computed again after each step.

The sensitivity attack and PGD are of this kind. They differ in the direction, and the first stops at the first wrong
answer while the second always takes all its steps. In a small ball both soon reach a fixed point, where the direction
points straight out of the ball: further steps would give the same image, and are counted without being computed.
"""

import itertools
import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from stages.attack.victim import Victim
from stages.perturbations.ball import confine, norms
from stages.runtime.arrays import namespace


@dataclass(frozen=True)
class Walk:
    direction: Callable  # direction(x, indices): predicted classes of images x, and unit directions (or zero)
    victim: Victim  # whose prediction counts
    step: float
    iterations: int
    stop_when_misclassified: bool  # otherwise the image after the last step counts


def walk_on(walk, origin, x, taken, labels, indices, radius=math.inf, path=None):
    """Continue from images x (pixel, sample), which took `taken` steps from `origin`; x and taken are updated in place.

    indices: the images' numbers, passed to `direction`; path: (step, pixel, sample), filled if given, for a walk from
    the start. Returns (misclassified at the end, number of steps when first misclassified, or -1). Images that are done
    leave the batch.
    """
    xp = namespace(x)
    first = xp.full(taken.shape, -1)
    going = xp.ones(taken.shape, bool)
    rounding = float(np.finfo(x.dtype).eps) / 2 * math.sqrt(x.shape[0])  # of an image's pixels
    for steps in itertools.count(1):
        active = xp.flatnonzero(going & (taken < walk.iterations))
        if not active.size:
            break
        predicted, direction = walk.direction(x.take(active, axis=1), indices[active])
        wrong = predicted != labels[active]
        _note(xp, first, active, wrong, taken)
        ends = ~direction.any(axis=0)
        if walk.stop_when_misclassified:
            ends = ends | wrong
        going[active] = ~ends
        on = xp.flatnonzero(~ends)  # once, since the host waits for a GPU here
        moving = active[on]
        before = x[:, moving]
        after = confine(before + walk.step * direction[:, on], origin[:, moving], radius)
        rests = (norms(after - before) <= rounding) & math.isfinite(radius)
        x[:, moving] = after
        taken[moving] = xp.where(rests, walk.iterations, taken[moving] + 1)
        if path is not None:
            path[steps][:, moving] = after
    unseen = xp.flatnonzero(first < 0) if walk.stop_when_misclassified else xp.arange(first.size)
    wrong = walk.victim.predict(x.take(unseen, axis=1)) != labels[unseen]
    _note(xp, first, unseen, wrong, taken)
    misclassified = first >= 0
    misclassified[unseen] = wrong
    return misclassified, first


def _note(xp, first, which, wrong, taken):
    """Record the number of steps at which images are misclassified for the first time."""
    first[which] = xp.where(wrong & (first[which] < 0), taken[which], first[which])
