"""Comparisons of a claim: "better", "similar", "at most", "not worse", each defined once.

A claim says that a statistic lies in a region: a difference above zero, or within a tolerance around it. The statistic
has a 95 % interval (chance.py). Clearly for: the whole interval lies in the region; clearly against: none of it does;
otherwise the comparison is within chance, and leans to the side of the statistic itself. If the interval of a
difference contains zero, the difference is not significant: "similar" leans for.
"""

import math
from dataclasses import dataclass, field, replace

import numpy as np

from stages.claims import AGAINST, FOR, LEANS_AGAINST, LEANS_FOR, NOT_JUDGED
from stages.claims.chance import comparable, of_difference, of_value, why_not

ABOVE_ZERO = (np.nextafter(0, 1), np.inf)
# Decimals of a statistic and its interval. Differences of percentages carry rounding errors of about 1e-14, by which a
# tie would count as a difference, and one of exactly the tolerance as a larger one.
DECIMALS = 9
WORDS = {FOR: "agrees", LEANS_FOR: "within chance", LEANS_AGAINST: "within chance", AGAINST: "disagrees"}


@dataclass(frozen=True)
class Comparison:
    """A statistic, its interval and the region that the claim states."""

    what: str
    unit: str = ""
    statistic: float | None = None
    low: float | None = None  # of the 95 % interval
    high: float | None = None
    region: tuple = ABOVE_ZERO
    needed: float | None = None  # the least statistic that the paper's wording implies: "considerably", "strongly"
    factor: float | None = None  # one value over the other, to report the size of the effect
    rule: str = ""  # by which the interval was computed
    reason: str = ""  # why it cannot be judged
    agrees: bool | None = None  # whether the statistic itself is on the claim's side
    about: dict = field(default_factory=dict)  # {"activation": "ReLU", ...}: used to say where a claim holds

    @property
    def state(self):
        if self.reason:
            return NOT_JUDGED
        if self.region[0] <= self.low and self.high <= self.region[1]:
            return FOR
        if self.high < self.region[0] or self.region[1] < self.low:
            return AGAINST
        return LEANS_FOR if self.agrees else LEANS_AGAINST

    @property
    def directed(self):
        """Whether the claim says that one is above the other, so that it can be reversed."""
        return math.isinf(self.region[1])

    @property
    def verdict(self):
        """One word: agrees, within chance, disagrees or not run."""
        return WORDS.get(self.state, NOT_JUDGED)

    @property
    def as_worded(self):
        """Whether the statistic is in the region, by as much as the paper's wording implies."""
        return bool(self.agrees) and (self.needed is None or self.statistic >= self.needed)

    @property
    def margin(self):
        """How far the statistic lies inside of its region (positive) or outside of it."""
        low, high = self.region[0] if self.needed is None else self.needed, self.region[1]
        return None if self.statistic is None else float(min(self.statistic - low, high - self.statistic))

    @property
    def needs(self):
        """The region in words."""
        low, high = self.region
        if self.needed is not None:
            return f"≥ {self.needed:g}"
        if self.region == ABOVE_ZERO:
            return "> 0"
        if math.isinf(high):
            return f"≥ {low:g}"
        return f"≤ {high:g}" if math.isinf(low) else f"{low:g} to {high:g}"


def better(what, high, low, unit="", *, needed=None, same_network=False, **about):
    """`high` exceeds `low`; needed: by how much, if the paper's wording implies more than a difference."""
    return _of_difference(Comparison(what, unit, needed=needed, about=about), high, low, same_network)


def similar(what, one, other, tolerance, unit="", *, same_network=False, **about):
    """The difference is no larger than the tolerance, or than chance."""
    asked = Comparison(what, unit, region=(-tolerance, tolerance), about=about)
    return _of_difference(asked, one, other, same_network, no_effect=0.0)


def not_worse(what, one, other, tolerance, unit="", **about):
    """`one` is above `other`, or below it by no more than the tolerance."""
    return _of_difference(Comparison(what, unit, region=(-tolerance, np.inf), about=about), one, other)


def at_most(what, value, limit, unit="", **about):
    return within(what, value, (-np.inf, limit), unit, **about)


def within(what, value, region, unit="", *, needed=None, no_effect=None, **about):
    """A value lies in a region; no_effect: the value without any effect."""
    asked, (value,) = Comparison(what, unit, region=region, needed=needed, about=about), comparable(value)
    if reason := why_not(value):
        return replace(asked, reason=reason)
    return _judged(asked, value.mean, of_value(value), no_effect)


def _of_difference(asked, one, other, same_network=False, no_effect=None):
    one, other = comparable(one, other)
    if reason := why_not(one, other):
        return replace(asked, reason=reason)
    factor = one.mean / other.mean if other.mean else math.inf
    chance = of_difference(one, other, same_network)
    return _judged(replace(asked, factor=factor), one.mean - other.mean, chance, no_effect)


def _judged(asked, statistic, chance, no_effect):
    """Return a comparison with its statistic; chance: (low, high, rule) of its interval."""
    *interval, rule = chance
    statistic, low, high = (round(float(each), DECIMALS) + 0.0 for each in (statistic, *interval))  # -0.0 becomes 0.0
    inside = asked.region[0] <= statistic <= asked.region[1]
    agrees = inside or (no_effect is not None and low <= no_effect <= high)
    return replace(asked, statistic=statistic, low=low, high=high, rule=rule, agrees=agrees)
