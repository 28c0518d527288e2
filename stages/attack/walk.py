"""Attacks that walk: steps of one length, in a direction that the network is asked for anew after each.

The sensitivity attack and PGD walk; they differ in the direction, and in that the first stops at the first misreading
while the second always takes all its steps. In a small ball both soon come to rest where the direction points straight
out of it: further steps would lead to the same image, and are counted without being made.
"""

import itertools
import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from stages.arrays import namespace
from stages.model.ball import confine, lengths


@dataclass(frozen=True)
class Walk:
    look: Callable  # look(x, who): the classes read in images x, and unit directions (zero: there is none)
    read: Callable  # read(x): the classes alone
    step: float
    iterations: int
    stops: bool  # at the first misreading; else the image after the last step is judged


def walk_on(walk, origin, x, taken, labels, who, radius=math.inf, path=None):
    """Walk on from images x (pixel, sample), which took `taken` steps from `origin`; both are updated in place.

    who: the images' numbers, handed on to `look`; path: (step, pixel, sample), filled if given, for a walk
    from the start.
    Returns (misread at the end, number of steps at the first misreading seen or -1). Images that are done leave the
    batch.
    """
    xp = namespace(x)
    first = xp.full(taken.shape, -1)
    going = xp.ones(taken.shape, bool)
    rounding = float(np.finfo(x.dtype).eps) / 2 * math.sqrt(x.shape[0])  # of an image's pixels
    for steps in itertools.count(1):
        active = xp.flatnonzero(going & (taken < walk.iterations))
        if not active.size:
            break
        found, direction = walk.look(x.take(active, axis=1), who[active])
        wrong = found != labels[active]
        _note(xp, first, active, wrong, taken)
        ends = ~direction.any(axis=0)
        if walk.stops:
            ends = ends | wrong
        going[active] = ~ends
        on = xp.flatnonzero(~ends)  # once: a device is waited for
        moving = active[on]
        before = x[:, moving]
        after = confine(before + walk.step * direction[:, on], origin[:, moving], radius)
        rests = (lengths(after - before) <= rounding) & math.isfinite(radius)
        x[:, moving] = after
        taken[moving] = xp.where(rests, walk.iterations, taken[moving] + 1)
        if path is not None:
            path[steps][:, moving] = after
    unread = xp.flatnonzero(first < 0) if walk.stops else xp.arange(first.size)
    wrong = walk.read(x.take(unread, axis=1)) != labels[unread]
    _note(xp, first, unread, wrong, taken)
    misread = first >= 0
    misread[unread] = wrong
    return misread, first


def _note(xp, first, which, wrong, taken):
    """Keep the number of steps of the first misreading."""
    first[which] = xp.where(wrong & (first[which] < 0), taken[which], first[which])
