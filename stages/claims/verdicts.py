"""From numbers to verdicts: what "better", "no significant effect" and "most" mean, once for all claims.

A claim is made of groups, a group of comparisons. A comparison has a statistic and a threshold, and holds where its
margin is positive. A group holds if all of its comparisons hold, or most of them where the paper says "most" or "in
general". A claim holds if all of its groups hold. What cannot be judged (not run, a network trained too little) is
undecided, and the claim with it, unless the rest settles it: one failure among "all" is enough.

Two or more runs are judged by their spread. A single run is judged by the sampling error of the test images, from
resampled images (stages/statistics/bootstrap.py): what a claim asserts has to be true of the whole 95 % interval, and
"no effect" stands unless the differences are larger than chance and the tolerance. Where images have no say (weights,
seconds), the value of the single run decides. Every comparison names its rule. No rule corrects for the number of
comparisons: a claim that needs all of them is the harder to hold.
"""

import math
from dataclasses import dataclass, field

import numpy as np

from stages.claims import FAILS, HOLDS, UNDECIDED
from stages.statistics.bootstrap import interval, largest_by_chance
from stages.statistics.measured import Unusable, measured

RUNS, IMAGES, VALUE = "spread over runs", "sampling of the test images", "single value"
RULES = {  # what each can and cannot tell
    RUNS: "Judged by the spread over runs: the same models trained again would probably say the same. Few runs know "
    "their own spread poorly.",
    IMAGES: "Judged on one run by resampling the test images (paired bootstrap, 95 %): other images would probably say "
    "the same of these very networks. Whether networks trained again would do so, it cannot tell.",
    VALUE: "Judged by the value of one run, where that is no mean over test images (weights, seconds, medians): it is "
    "true of these very networks. How far chance could move it, nothing here can tell.",
}


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
    rule: str = ""  # by which it was judged
    low: float | None = None  # 95 % interval of the statistic, where the test images were resampled
    high: float | None = None

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
    """`high` exceeds `low`: by more than the pooled standard deviation over runs; on one run, in the whole interval."""
    (high, low), rule, reason = _judged_by(high, low)
    if reason:
        return Comparison(what, unit, reason=reason)
    difference = high.mean - low.mean
    if rule == RUNS:
        pooled = pooled_std(high.runs, low.runs)
        return Comparison(what, unit, difference, pooled, difference - pooled, difference > pooled, ">", rule=rule)
    first, last = _interval(difference, rule, lambda: high.resampled - low.resampled)
    return Comparison(what, unit, difference, 0.0, first, first > 0, ">", **_shown(rule, first, last))


def no_effect(what, pairs, tolerance=0.0, unit=""):
    """Over several pairs, the mean size of the difference is within what chance gives, or within `tolerance`.

    Chance is the spread over runs; on one run it is what resampled images exceed in 5 % without any effect. The mean
    over pairs, because with few runs a difference exceeds the spread now and then by chance alone: judged pair by pair,
    "no effect" would fail in most experiments without any effect.
    """
    judged = [_judged_by(*pair) for pair in pairs]
    reason = "; ".join(dict.fromkeys(reason for _, _, reason in judged if reason))
    if reason:
        return Comparison(what, unit, reason=reason)
    pairs = [pair for pair, _, _ in judged]
    # Where images have no say in one of the pairs, they have none in the mean.
    rule = min((rule for _, rule, _ in judged), key=(RUNS, VALUE, IMAGES).index)
    differences = [one.mean - other.mean for one, other in pairs]
    size, allowed = float(np.mean(np.abs(differences))), tolerance
    if rule == RUNS:
        allowed = float(np.mean([max(pooled_std(one.runs, other.runs), tolerance) for one, other in pairs]))
    if rule == IMAGES:
        resampled = np.array([one.resampled - other.resampled for one, other in pairs])
        allowed = max(largest_by_chance(differences, resampled), tolerance)
    return Comparison(what, unit, size, allowed, allowed - size, size <= allowed, "≤", rule=rule)


def at_most(what, values, limit, unit=""):
    """The mean over runs does not exceed the limit; on one run, nor does the interval."""
    (values,), rule, reason = _judged_by(values)
    if reason:
        return Comparison(what, unit, reason=reason)
    first, last = _interval(values.mean, rule, lambda: values.resampled)
    margin = limit - last
    return Comparison(what, unit, values.mean, limit, margin, margin >= 0, "≤", **_shown(rule, first, last))


def close(what, one, other, limit, unit=""):
    """The means over runs differ by no more than the limit, whatever the spread; on one run, so does the interval."""
    (one, other), rule, reason = _judged_by(one, other)
    if reason:
        return Comparison(what, unit, reason=reason)
    difference = one.mean - other.mean
    first, last = _interval(difference, rule, lambda: one.resampled - other.resampled)
    farthest, nearest = max(abs(first), abs(last)), 0.0 if first <= 0 <= last else min(abs(first), abs(last))
    margin = limit - farthest
    return Comparison(what, unit, abs(difference), limit, margin, margin >= 0, "≤", **_shown(rule, nearest, farthest))


def between(what, values, low, high, unit=""):
    """The mean over runs, on one run the interval, lies within [low, high]; the threshold told is the nearer end."""
    (values,), rule, reason = _judged_by(values)
    if reason:
        return Comparison(what, unit, reason=reason)
    mean = values.mean
    first, last = _interval(mean, rule, lambda: values.resampled)
    margin = min(first - low, high - last)
    nearer, relation = (low, "≥") if first - low < high - last else (high, "≤")
    return Comparison(what, unit, mean, nearer, margin, margin >= 0, relation, **_shown(rule, first, last))


def pooled_std(one, other):
    """Return the square root of the mean of the two variances over runs."""
    return math.sqrt((np.var(one, ddof=1) + np.var(other, ddof=1)) / 2)


def rule_of(*quantities):
    """Return the rule by which quantities over as many runs are judged."""
    if all(len(each.runs) > 1 for each in quantities):
        return RUNS
    return VALUE if any(each.resampled is None for each in quantities) else IMAGES


def _judged_by(*quantities):
    """Return (quantities as Measured, rule, reason): the reason says why they cannot be compared, or nothing."""
    quantities = [measured(each) for each in quantities]
    for each in quantities:
        if isinstance(each, Unusable):
            return quantities, "", each.reason
        if not np.isfinite(each.runs).all():
            return quantities, "", "no number in some run"
        if each.resampled is not None and np.isnan(each.resampled).any():
            return quantities, "", "too few images to resample: no number in some resampling"
    counts = sorted({len(each.runs) for each in quantities})
    if len(counts) > 1 and counts[0] == 1:
        return quantities, "", f"1 run beside {counts[-1]}: neither a spread nor the same images"
    return quantities, rule_of(*quantities), ""


def _interval(statistic, rule, resampled):
    """Return the interval of a statistic: what the rule knows of it, at least the value itself."""
    if rule != IMAGES:
        return statistic, statistic
    with np.errstate(invalid="ignore"):  # infinite less infinite: the interval knows what to make of it
        return interval(resampled())


def _shown(rule, low, high):
    return {"rule": rule, "low": low, "high": high} if rule == IMAGES else {"rule": rule}
