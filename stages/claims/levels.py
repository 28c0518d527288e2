"""Levels: each printed number of Tables 1 to 3 beside ours, with the prediction interval of a new mean.

The paper prints the mean m and the standard deviation s of five runs. The mean of n further runs from the same
distribution lies, with probability 95 %, within

    m ± t s √(1/5 + 1/n)

with Student's t for four degrees of freedom: 3.04 s for one run. A printed s of 0.00 is taken as 0.005, the largest
value that rounds to it.
"""

import math
from collections import Counter

from stages.claims import measurements
from stages.claims.chance import student
from stages.claims.measured import Measured, Unusable
from stages.claims.printed_numbers import RUNS
from stages.names.labels import attack_label
from stages.statistics.printed_deviation import as_printed

COLUMNS = ("table", "what", "attack", "paper_mean", "paper_std", "low", "high", "ours", "runs", "level")
INSIDE, OUTSIDE, NOT_RUN = "inside", "outside", "not run"
NOT_COMPARED = "not compared"  # there is no number, for no attack succeeded, or its network is not accurate enough


def level_rows(numbers, printed):
    """Return one row per printed number; two for Table 3, as the paper does not say which outputs the attack uses."""
    rows = []
    for (quantity, key), (table, what, mean, std) in printed.cells.items():
        row = {"table": table, "what": what, "attack": "" if isinstance(key, str) else attack_label(key[0])}
        row |= {"paper_mean": f"{mean:.2f}", "paper_std": f"{std:.2f}", "low": "", "high": "", "ours": "", "runs": ""}
        ours = numbers.get(quantity, key)
        missing = isinstance(ours, Unusable) and ours.reason.startswith(measurements.NOT_RUN)
        row["level"] = NOT_RUN if missing else NOT_COMPARED
        if isinstance(ours, Measured) and math.isfinite(ours.mean):
            count = len(ours.runs)
            half = half_width(std, count)
            row |= {"low": f"{mean - half:.4f}", "high": f"{mean + half:.4f}", "ours": f"{ours.mean:.4f}"}
            row |= {"runs": count, "level": INSIDE if abs(ours.mean - mean) <= half else OUTSIDE}
        rows.append(row)
    return rows


def half_width(std, count):
    return student(RUNS - 1) * as_printed(std) * math.sqrt(1 / RUNS + 1 / count)


def counted_levels(rows):
    """Return {(table, attack): how many numbers are inside, outside, not compared, not run}."""
    counts = {}
    for row in rows:
        counts.setdefault((row["table"], row["attack"]), Counter())[row["level"]] += 1
    return counts
