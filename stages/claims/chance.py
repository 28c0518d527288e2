"""The 95 % interval of a statistic, from the available information.

With two or more runs it comes from their spread (Student's t; pooled variance for two networks; paired differences if
both values are of the same network). For a single run it comes from resampling the test images (bootstrap.py); if one
of two networks has a single run, the first runs of both are compared. That does not include retraining: if the paper
prints the standard deviations s₁, s₂ over its runs, a difference must also exceed 2 √(s₁² + s₂²). Two values of the
same network vary together when it is trained again, so for their difference the images suffice.
"""

import math

import numpy as np

from stages.claims.bootstrap import interval
from stages.claims.measured import Unusable, measured

RUNS = "spread over runs"
IMAGES = "sampling of the test images"
PRINTED = "the paper's printed deviations"
VALUE = "single value"
BOTH = f"{IMAGES} and {PRINTED}"
RULES = {  # what each rule includes and does not include
    RUNS: "Judged by the spread over runs (Student's t, 95 %): the same models trained again would probably give the "
    "same answer. With few runs the spread itself is uncertain, so that little is clear.",
    IMAGES: "Judged on one run by resampling the test images (paired bootstrap, 95 %): other test images would "
    "probably give the same answer for these networks. It does not tell whether networks trained again would.",
    PRINTED: "Where the paper prints standard deviations over its runs, a difference on one run must also exceed "
    "2 √(s₁² + s₂²): networks trained again would then probably give the same answer.",
    VALUE: "Quantities of one run that are not averages over test images (weights, medians) are compared directly, "
    "without an interval: the answer is true of these networks, and how far chance could move it is not known.",
}

# Student's t, two-sided 95 %, by degrees of freedom.
STUDENT = (12.7062, 4.3027, 3.1824, 2.7764, 2.5706, 2.4469, 2.3646, 2.3060, 2.2622, 2.2281)
STUDENT += (2.2010, 2.1788, 2.1604, 2.1448, 2.1314, 2.1199, 2.1098, 2.1009, 2.0930, 2.0860)
PRINTED_FACTOR = 2.0


def explanations(rows):
    """Return what each rule by which some of these rows of claims.csv were judged includes and does not include."""
    return [explanation for rule, explanation in RULES.items() if any(rule in row["rule"] for row in rows)]


def student(freedom):
    """Return the two-sided 95 % quantile of Student's t; above 20 degrees of freedom from its expansion."""
    if freedom <= len(STUDENT):
        return STUDENT[freedom - 1]
    z = 1.959964
    return z + (z**3 + z) / (4 * freedom) + (5 * z**5 + 16 * z**3 + 3 * z) / (96 * freedom**2)


def why_not(*quantities):
    """Return why quantities cannot be compared, or an empty string."""
    for each in quantities:
        if isinstance(each, Unusable):
            return each.reason
        if np.isnan(each.runs).any():
            return "no number in some run"
        if len(each.runs) == 1 and each.resampled is not None and np.isnan(each.resampled).any():
            return "too few images to resample: no number in some resampling"
    return ""


def comparable(*quantities):
    """Return the quantities as they are compared: if one has a single run, the first run of each."""
    quantities = [measured(each) for each in quantities]
    counts = [len(each.runs) for each in quantities if not isinstance(each, Unusable)]
    if 1 not in counts:
        return quantities
    return [each if isinstance(each, Unusable) else each.first_run for each in quantities]


def of_value(value):
    """Return (low, high, rule) of one quantity's mean."""
    value = measured(value)
    if (runs := len(value.runs)) > 1:
        return *_around(value.mean, _standard_error(value.runs), runs - 1, value.runs), RUNS
    if value.resampled is not None:
        return *interval(value.resampled), IMAGES
    return value.mean, value.mean, VALUE


def of_difference(one, other, same_network=False):
    """Return (low, high, rule) of one minus the other."""
    difference, counts = one.mean - other.mean, (len(one.runs), len(other.runs))
    if min(counts) > 1:
        if same_network and counts[0] == counts[1]:
            return of_value(one.runs - other.runs)
        variances = [np.var(each.runs, ddof=1) * (len(each.runs) - 1) for each in (one, other)]
        freedom = sum(counts) - 2
        error = math.sqrt(sum(variances) / freedom * sum(1 / count for count in counts))
        return *_around(difference, error, freedom, (difference,)), RUNS
    low, high, rule = difference, difference, VALUE
    if one.resampled is not None and other.resampled is not None:
        with np.errstate(invalid="ignore"):  # infinity minus infinity: `interval` handles nan
            (low, high), rule = interval(one.resampled - other.resampled), IMAGES
    if not same_network and None not in (one.printed_std, other.printed_std):
        half = PRINTED_FACTOR * math.hypot(one.printed_std, other.printed_std)
        low, high = min(low, difference - half), max(high, difference + half)
        rule = BOTH if rule == IMAGES else PRINTED
    return low, high, rule


def _standard_error(runs):
    return math.sqrt(np.var(runs, ddof=1) / len(runs)) if np.isfinite(runs).all() else math.nan


def _around(centre, error, freedom, values):
    """Return the interval; for infinite values their range."""
    if not math.isfinite(error) or not math.isfinite(centre):
        return float(np.min(values)), float(np.max(values))
    return centre - student(freedom) * error, centre + student(freedom) * error
