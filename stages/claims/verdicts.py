"""From numbers to verdicts: what "better", "no significant effect" and "most" mean, once for all claims.

A claim is made of groups, a group of comparisons. A comparison has a statistic and a threshold, and holds where its
margin is positive. A group holds if all of its comparisons hold, or most of them where the paper says "most" or "in
general". A claim holds if all of its groups hold. What cannot be judged (too few runs, a store missing, a network
trained too little) is undecided, and the claim with it, unless the rest settles it: one failure among "all" is enough.
"""

import math
from dataclasses import dataclass, field

import numpy as np

from stages.statistics.measurements import Unusable

HOLDS, FAILS, UNDECIDED = "holds", "does not hold", "not decided"
FEWEST_RUNS = 2


@dataclass(frozen=True)
class Comparison:
    """One statistic against its threshold; `margin` says by how much it holds (positive) or fails (negative)."""

    what: str
    unit: str = ""
    statistic: float | None = None
    threshold: float | None = None
    margin: float | None = None
    holds: bool | None = None
    relation: str = ""  # of the statistic to the threshold, where it holds
    reason: str = ""  # why it cannot be judged

    @property
    def verdict(self):
        return UNDECIDED if self.holds is None else HOLDS if self.holds else FAILS

    @property
    def relative_margin(self):
        """The margin in units of the threshold, to tell a clear case from a close one."""
        return self.margin / (abs(self.threshold) or 1.0)


@dataclass(frozen=True)
class Group:
    """Comparisons that are judged together."""

    what: str
    comparisons: list = field(default_factory=list)
    most: bool = False  # more than half of them must hold, instead of all

    @property
    def verdict(self):
        found = [comparison.verdict for comparison in self.comparisons]
        if not found:
            return UNDECIDED
        if not self.most:
            return FAILS if FAILS in found else UNDECIDED if UNDECIDED in found else HOLDS
        held, undecided, half = found.count(HOLDS), found.count(UNDECIDED), len(found) / 2
        return HOLDS if held > half else UNDECIDED if held + undecided > half else FAILS


def claim_verdict(groups):
    """Return the verdict of a claim: all of its groups must hold."""
    found = [group.verdict for group in groups]
    return FAILS if FAILS in found else UNDECIDED if UNDECIDED in found or not found else HOLDS


# --- comparisons ------------------------------------------------------------------------------------------------------


def better(what, high, low, unit=""):
    """The mean of `high` exceeds that of `low` by more than the pooled standard deviation over runs."""
    reason = _unusable(high, low)
    if reason:
        return Comparison(what, unit, reason=reason)
    difference, pooled = float(np.mean(high) - np.mean(low)), pooled_std(high, low)
    return Comparison(what, unit, difference, pooled, difference - pooled, difference > pooled, ">")


def no_effect(what, pairs, tolerance=0.0, unit=""):
    """Over several pairs, the mean size of the difference is within the spread over runs, or within `tolerance`.

    The mean over pairs, because with few runs a difference exceeds the spread now and then by chance alone: judged
    pair by pair, "no effect" would fail in most experiments without any effect.
    """
    reason = "; ".join(dict.fromkeys(filter(None, (_unusable(*pair) for pair in pairs))))
    if reason:
        return Comparison(what, unit, reason=reason)
    size = float(np.mean([abs(np.mean(one) - np.mean(other)) for one, other in pairs]))
    allowed = float(np.mean([max(pooled_std(one, other), tolerance) for one, other in pairs]))
    return Comparison(what, unit, size, allowed, allowed - size, size <= allowed, "≤")


def at_most(what, values, limit, unit=""):
    """The mean over runs does not exceed the limit."""
    reason = _unusable(values)
    if reason:
        return Comparison(what, unit, reason=reason)
    mean = float(np.mean(values))
    return Comparison(what, unit, mean, limit, limit - mean, mean <= limit, "≤")


def close(what, one, other, limit, unit=""):
    """The means over runs differ by no more than the limit, whatever the spread."""
    reason = _unusable(one, other)
    if reason:
        return Comparison(what, unit, reason=reason)
    size = abs(float(np.mean(one) - np.mean(other)))
    return Comparison(what, unit, size, limit, limit - size, size <= limit, "≤")


def between(what, values, low, high, unit=""):
    """The mean over runs lies within [low, high]; the threshold reported is the nearer end."""
    reason = _unusable(values)
    if reason:
        return Comparison(what, unit, reason=reason)
    mean = float(np.mean(values))
    margin = min(mean - low, high - mean)
    nearer, relation = (low, "≥") if mean - low < high - mean else (high, "≤")
    return Comparison(what, unit, mean, nearer, margin, margin >= 0, relation)


def pooled_std(one, other):
    """Return the square root of the mean of the two variances over runs."""
    return math.sqrt((np.var(one, ddof=1) + np.var(other, ddof=1)) / 2)


def _unusable(*sets):
    """Return why these values over runs cannot be compared, or nothing."""
    for values in sets:
        if isinstance(values, Unusable):
            return values.reason
        if len(values) < FEWEST_RUNS:
            return f"{len(values)} run, wanted at least {FEWEST_RUNS}"
        if not np.isfinite(values).all():
            return "no number in some run"
    return ""
