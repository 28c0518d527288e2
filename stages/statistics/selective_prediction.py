"""What a measure of sureness is worth: does it tell wrong answers from right ones?

sureness (sample,): the larger, the surer; right (sample,): whether the answer is. Equal values count as the mean over
all orders of them, so that no result depends on the order of the images.
"""

import numpy as np


def roc_area(sureness, right):
    """Return the area under the ROC curve: the probability that a right answer is surer than a wrong one.

    Equal ones count half. 1: a threshold parts them; ½: the measure says nothing; nan: all are right, or all wrong.
    """
    right = np.asarray(right, bool)
    return float(roc_parts(sureness, right)[right].mean()) if right.any() and not right.all() else np.nan


def roc_parts(sureness, right):
    """Return what each answer (sample,) adds to the area: of a right one the share of wrong ones that are less sure,

    of a wrong one the share of right ones that are surer; equal ones count half. The mean over either kind is the area.
    """
    sureness, right = np.asarray(sureness), np.asarray(right, bool)
    parts = np.empty(len(right))
    for kind in (True, False):
        others = np.sort(sureness[right != kind])
        below = sum(np.searchsorted(others, sureness[right == kind], side) for side in ("left", "right")) / 2
        share = below / max(len(others), 1)
        parts[right == kind] = share if kind else 1 - share
    return parts


def risk_against_coverage(sureness, right):
    """Return coverage and risk, each (sample,): the share of wrong answers among the surest 1, 2, ... of all."""
    wrong = 1.0 - np.asarray(right, float)
    values, group, count = np.unique(-np.asarray(sureness), return_inverse=True, return_counts=True)
    mean = np.bincount(group, wrong, len(values)) / count
    kept = np.arange(1, len(wrong) + 1)
    return kept / len(wrong), np.repeat(mean, count).cumsum() / kept


def accuracy_of_the_surest(sureness, right, handed_over):
    """Return the accuracy of the answers left when the share `handed_over`, the least sure, goes to a person."""
    _, risk = risk_against_coverage(sureness, right)
    left = len(risk) - round(handed_over * len(risk))
    return float(1 - risk[left - 1]) if left else np.nan
