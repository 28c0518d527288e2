"""From comparisons to the verdict of a claim.

A claim consists of clauses, a clause of comparisons with the quantifier of the paper's sentence. The sentence holds as
worded if every clause does:

    all     every comparison was made and is as worded, at least half of them clearly (in the clause, or in the claim)
    most    more than half of the comparisons are as worded, clearly

Otherwise the claim holds in part if a whole clause, activation or loss is met, or at least half of the comparisons
agree; it is reversed if most comparisons are clearly against it and none is clearly for it; else it does not hold. It
is not decided if too little was run, if no more than one comparison in five is clear, or if all evidence against it is
within chance. There is no other correction for the number of comparisons: a claim about all of them is harder to meet.
"""

from dataclasses import dataclass
from functools import cached_property

from stages.claims import (
    AGAINST,
    FAILS,
    FOR,
    HOLDS,
    LEANS_AGAINST,
    LEANS_FOR,
    NOT_JUDGED,
    PARTLY,
    REVERSED,
    STATES,
    UNDECIDED,
)

ALL, MOST = "all", "most"
YES, NO, OPEN = "yes", "no", "open"
# A claim "holds in part" if one of these parts is met as a whole; two names stand for each pair of values.
WHOLE = (("clause",), ("activation",), ("loss",), ("measure", "activation"), ("measure", "loss"))
PARTS = (("clause",), ("activation",), ("loss",), ("trainer",), ("attack",))  # to say where a claim holds
# Without any effect one comparison in twenty is clear by chance: up to one in five decides nothing.
BY_CHANCE = 0.2
APART = 0.5  # the agreeing shares of such parts must differ by this much


@dataclass(frozen=True)
class Clause:
    """Comparisons that are judged together."""

    what: str
    comparisons: list
    quantifier: str = ALL

    @property
    def as_worded(self):
        """Whether the clause holds as the paper words it: yes, no, or open."""
        made = _made(self.comparisons)
        met = [each for each in made if each.as_worded]
        clearly = [each for each in met if each.state == FOR]
        refuted = [each for each in made if each.state == AGAINST or (each.state == FOR and not each.as_worded)]
        half = len(self.comparisons) / 2
        if self.quantifier == MOST:
            return YES if len(clearly) > half else NO if len(refuted) >= half and refuted else OPEN
        if refuted:
            return NO
        return YES if made and len(met) == len(self.comparisons) and len(clearly) >= half else OPEN


@dataclass(frozen=True)
class Verdict:
    """The verdict on a claim, from its clauses."""

    clauses: list

    @cached_property
    def comparisons(self):
        return [each for clause in self.clauses for each in clause.comparisons]

    @cached_property
    def counts(self):
        """The number of comparisons in each state."""
        return {state: sum(each.state == state for each in self.comparisons) for state in STATES}

    @property
    def agreeing(self):
        return self.counts[FOR] + self.counts[LEANS_FOR]

    @property
    def made(self):
        return len(self.comparisons) - self.counts[NOT_JUDGED]

    @cached_property
    def worded(self):
        """Whether the sentence holds as it is worded: yes, no or open.

        If nothing contradicts it, all comparisons of the claim count together.
        """
        each_worded = [clause.as_worded for clause in self.clauses]
        if NO in each_worded or not self.comparisons:
            return NO if self.comparisons else OPEN
        together = all(each.as_worded for each in self.comparisons) and 2 * self.counts[FOR] >= len(self.comparisons)
        return YES if together or OPEN not in each_worded else OPEN

    @cached_property
    def word(self):
        counts, made = self.counts, self.made
        if self.worded == YES:
            return HOLDS
        if counts[FOR] + counts[AGAINST] <= BY_CHANCE * made or 2 * made < len(self.comparisons):
            return UNDECIDED
        # What was run agrees; the rest was not run, or too much is within chance.
        if self.worded == OPEN and not counts[AGAINST] + counts[LEANS_AGAINST]:
            return UNDECIDED
        if _turned(_made(self.comparisons)):
            return REVERSED
        parts = [part for names in WHOLE for part in self.made_by_part(names).values()]
        if 2 * self.agreeing >= made or any(_wholly(part) for part in parts):
            return PARTLY
        return FAILS if counts[AGAINST] else UNDECIDED

    @cached_property
    def where(self):
        """Where the claim holds, by the part that separates best: "ReLU 8 of 8, tanh 0 of 8 (reversed)"."""
        best, words = APART, ""
        for names in PARTS:
            parts = self.made_by_part(names)
            shares = [_agreeing(made) / len(made) for made in parts.values()]
            if len(parts) > 1 and max(shares) - min(shares) > best - 1e-9:
                best = max(shares) - min(shares) + 1e-6
                words = ", ".join(f"{value} {_told(made)}" for value, made in parts.items())
        return words

    def made_by_part(self, names):
        """Group comparisons that were made by the value of a part, or by pairs: {"ReLU": ..., "tanh": ...}."""
        groups = {}
        for clause in self.clauses:
            for each in clause.comparisons:
                values = tuple(clause.what if name == "clause" else each.about.get(name) for name in names)
                if None not in values:
                    groups.setdefault(", ".join(values), []).append(each)
        return {value: made for value, comparisons in groups.items() if (made := _made(comparisons))}


def _made(comparisons):
    return [each for each in comparisons if each.state != NOT_JUDGED]


def _wholly(made):
    """Whether all comparisons of a part agree, at least half of them clearly."""
    clearly = sum(each.state == FOR for each in made)
    return all(each.as_worded for each in made) and 2 * clearly >= len(made)


def _turned(made):
    """Whether most of these are clearly reversed and none is clearly for the claim; "similar" cannot be reversed."""
    opposite = sum(each.state == AGAINST and each.directed for each in made)
    return 2 * opposite > len(made) and not any(each.state == FOR for each in made)


def _agreeing(made):
    return sum(each.state in (FOR, LEANS_FOR) for each in made)


def _told(made):
    return f"{_agreeing(made)} of {len(made)}" + (" (reversed)" if _turned(made) else "")
