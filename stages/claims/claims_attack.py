"""Claims on adversarial attacks (Figures 5 and 12). Each returns its clauses.

Success is measured as the mean up to the norm claims.attack_norm, beyond which the paper calls a perturbation
perceptible, and as the mean over the whole curve.
"""

import numpy as np

from stages.claims.comparisons import better, similar, within
from stages.claims.grid import POINTS, WITHOUT_DECAY, about_model, models, over_the_grid
from stages.claims.measured import Unusable, combined
from stages.claims.verdicts import ALL, MOST, Clause
from stages.names.labels import model_label, trainer_label

OURS, SAME_STEP, LARGE_STEP, TARGETED = "sensitivity", "pgd-0.06", "pgd-0.6", "sensitivity-targeted"
SINGLE_STEP = "fgsm"
NAMES = {OURS: "sensitivity attack", SAME_STEP: "PGD 0.06", LARGE_STEP: "PGD 0.6", SINGLE_STEP: "FGSM"}
NAMES |= {"cw": "Carlini-Wagner"}
NCG = ("ncg", "ncg-sobolev")
ABOUT_NINE = (4.5, 18.0)  # within a factor of two


def measures(numbers):
    return {
        "success_up_to_norm": f"mean success up to norm {numbers.thresholds['attack_norm']:g}",
        "success_over_curve": "mean success over the curve",
    }


def _attacks(numbers, quantity, high, low, trainers, needed=None):
    """Compare two attacks on the same networks."""
    comparisons, asked = [], {"needed": needed, "same_network": True}
    for model in models(trainers):
        words = f"{NAMES[high]} over {NAMES[low]} on {model_label(model)}"
        success = [numbers.get(quantity, (attack, model)) for attack in (high, low)]
        parts = about_model(model, attack=f"over {NAMES[low]}", measure=measures(numbers)[quantity])
        comparisons.append(better(words, *success, POINTS, **asked, **parts))
    return comparisons


def _by_measure(numbers, high, low, trainers, quantifier=ALL, needed=None):
    """Compare two attacks by each measure of success."""
    return [
        Clause(words, _attacks(numbers, quantity, high, low, trainers, needed), quantifier)
        for quantity, words in measures(numbers).items()
    ]


def _networks(numbers, quantity, attack, high, low):
    """Compare the networks of two trainers under the same attack, over the four combinations."""
    words = f"{NAMES[attack]}: {trainer_label(high)} over {trainer_label(low)}"
    parts = {"trainer": trainer_label(low), "attack": NAMES[attack], "measure": measures(numbers)[quantity]}
    return over_the_grid(numbers, better, words, quantity, (high, low), under=attack, **parts)


def c14(numbers):
    """The sensitivity attack considerably above PGD of the same step, on most SGD models."""
    return _by_measure(numbers, OURS, SAME_STEP, ["sgd"], MOST, numbers.thresholds["considerably"])


def c15(numbers):
    """PGD of step 0.6 above the sensitivity attack on most NCG models."""
    return _by_measure(numbers, LARGE_STEP, OURS, NCG, MOST)


def c16(numbers):
    """SGD models above NCG and Sobolev NCG models, under both attacks of Figure 5."""
    return [
        Clause(
            f"{NAMES[attack]}, {words}",
            [each for trainer in NCG for each in _networks(numbers, quantity, attack, "sgd", trainer)],
        )
        for attack in (OURS, SAME_STEP)
        for quantity, words in measures(numbers).items()
    ]


def c17(numbers):
    """NCG above Sobolev NCG in most settings, or in all, which is more than the paper says."""
    return [
        Clause(
            words,
            [
                each
                for attack in (OURS, SAME_STEP)
                for each in _networks(numbers, quantity, attack, "ncg", "ncg-sobolev")
            ],
            MOST,
        )
        for quantity, words in measures(numbers).items()
    ]


def c18(numbers):
    """Moving target against the best of nine targets: equally successful, and about nine times cheaper."""
    clauses, limit, compared = [], numbers.thresholds["comparable_success"], models(WITHOUT_DECAY)
    for quantity, words in measures(numbers).items():
        comparisons = []
        for model in compared:
            success = [numbers.get(quantity, (attack, model)) for attack in (OURS, TARGETED)]
            parts = about_model(model)
            comparisons.append(similar(model_label(model), *success, limit, POINTS, same_network=True, **parts))
        clauses.append(Clause(words, comparisons))
    # The median over models, for each run.
    solves, seconds = (
        combined(
            _median_ratio, [numbers.get(name, (attack, model)) for model in compared for attack in (TARGETED, OURS)]
        )
        for name in ("solves", "attack_seconds")
    )
    beside = "" if isinstance(seconds, Unusable) else f" (in seconds of our own algorithm {seconds.mean:.2g})"
    words = f"nine targets over moving target, median over models{beside}"
    return [*clauses, Clause("problems to solve", [within(words, solves, ABOUT_NINE, "times")])]


def _median_ratio(values):
    """Return the median ratio over consecutive pairs (nine targets, moving target)."""
    return np.median(np.divide(values[::2], values[1::2]), axis=0)


def c22(numbers):
    """The sensitivity attack above PGD of the same settings, on all models."""
    return _by_measure(numbers, OURS, SAME_STEP, WITHOUT_DECAY)


def c23(numbers):
    """PGD above the other rivals, within imperceptible norms."""
    words = measures(numbers)["success_up_to_norm"]
    rivals = [_attacks(numbers, "success_up_to_norm", SAME_STEP, each, WITHOUT_DECAY) for each in (SINGLE_STEP, "cw")]
    return [Clause(words, [each for rival in rivals for each in rival], MOST)]


def c24(numbers):
    """PGD with large steps above PGD with small ones."""
    return _by_measure(numbers, LARGE_STEP, SAME_STEP, WITHOUT_DECAY, MOST)


CLAIMS = {"C14": c14, "C15": c15, "C16": c16, "C17": c17, "C18": c18, "C22": c22, "C23": c23, "C24": c24}
