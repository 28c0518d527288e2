"""How many comparisons of a claim agree in each run by itself.

With few runs hardly any comparison is clear: a paired difference must exceed 12.7 standard errors with two runs, and
4.3 with three. That it is on the claim's side in each run can still be seen. It is shown; no verdict depends on it.
"""

from dataclasses import replace

from stages.claims import NOT_JUDGED
from stages.claims.measured import Unusable


def in_every_run(judge, numbers):
    """Return {id: "22 of 24"}: of the comparisons that can be made in every run, how many agree in each of them.

    judge: of measurements, returns {id: Verdict}. Empty for one run; a claim is left out if no comparison has others.
    """
    if numbers.runs < 2:
        return {}
    by_run = [judge(numbers.changed(_run(run))) for run in range(numbers.runs)]
    counts = {}
    for number in by_run[0]:
        over_runs = zip(*(verdicts[number].comparisons for verdicts in by_run), strict=True)
        made = [runs for runs in over_runs if all(each.state != NOT_JUDGED for each in runs)]
        if made:
            agreeing = sum(all(each.agrees for each in runs) for runs in made)
            counts[number] = f"{agreeing} of {len(made)}"
    return counts


def _run(run):
    """Return the function that keeps the value of one run alone, without its uncertainty."""

    def kept(value):
        if run >= len(value.runs):
            return Unusable("not in every run")
        return replace(value, runs=value.runs[run : run + 1], resampled=None, printed_std=None)

    return kept
