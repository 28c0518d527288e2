"""How well a confidence measure separates right answers from wrong ones.

confidence (sample,): larger means more confident; right (sample,): whether the answer is right. Ties count as the mean
over all their orders, so that no result depends on the order of the images.
"""

import numpy as np


def roc_area(confidence, right):
    """Return the area under the ROC curve: the probability that a right answer has more confidence than a wrong one.

    Ties count half. 1: a threshold separates them; ½: no better than chance; nan: all are right, or all wrong.
    """
    right = np.asarray(right, bool)
    return float(roc_parts(confidence, right)[right].mean()) if right.any() and not right.all() else np.nan


def roc_parts(confidence, right):
    """Return the contribution of each answer (sample,) to the area: the mean over right, or over wrong, answers.

    For a right answer the share of wrong ones with less confidence, for a wrong one the share of right ones with more.
    """
    confidence, right = np.asarray(confidence), np.asarray(right, bool)
    parts = np.empty(len(right))
    for kind in (True, False):
        others = np.sort(confidence[right != kind])
        below = sum(np.searchsorted(others, confidence[right == kind], side) for side in ("left", "right")) / 2
        share = below / max(len(others), 1)
        parts[right == kind] = share if kind else 1 - share
    return parts


def risk_against_coverage(confidence, right):
    """Return coverage and risk, each (sample,): the risk is the error rate of the 1, 2, ... most confident answers."""
    wrong = 1.0 - np.asarray(right, float)
    values, group, count = np.unique(-np.asarray(confidence), return_inverse=True, return_counts=True)
    mean = np.bincount(group, wrong, len(values)) / count
    kept = np.arange(1, len(wrong) + 1)
    return kept / len(wrong), np.repeat(mean, count).cumsum() / kept


def accuracy_of_the_most_confident(confidence, right, handed_over):
    """Return the accuracy of the remaining answers if a person takes the share `handed_over` with least confidence."""
    _, risk = risk_against_coverage(confidence, right)
    left = len(risk) - round(handed_over * len(risk))
    return float(1 - risk[left - 1]) if left else np.nan
