"""Claims on adversarial attacks (Figures 5 and 12). Each returns its clauses.

Success is measured as the mean up to the norm claims.attack_norm, beyond which the paper calls a perturbation
perceptible, and as the mean over the whole curve.
"""

import numpy as np

from stages.claims.comparisons import better, similar, within
from stages.claims.grid import GRID, POINTS, WITHOUT_DECAY, about
from stages.claims.measured import Unusable, combined
from stages.claims.verdicts import MOST, Clause
from stages.names.labels import combination_label, model_label, trainer_label
from stages.names.model_name import model_name

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


def _attacks(numbers, quantity, high, low, trainers, **more):
    """Compare two attacks on the same networks."""
    return [
        better(
            f"{NAMES[high]} over {NAMES[low]} on {model_label(model)}",
            *(numbers.get(quantity, (attack, model)) for attack in (high, low)),
            POINTS,
            same_network=True,
            **more,
            **about(
                loss,
                activation,
                trainer=trainer_label(trainer),
                attack=f"over {NAMES[low]}",
                measure=measures(numbers)[quantity],
            ),
        )
        for trainer in trainers
        for loss, activation in GRID
        for model in [model_name(trainer, loss, activation)]
    ]


def _networks(numbers, quantity, attack, high, low):
    """Compare the networks of two trainers under the same attack, over the four combinations."""
    return [
        better(
            f"{NAMES[attack]}: {trainer_label(high)} over {trainer_label(low)}, {combination_label(activation, loss)}",
            *(numbers.get(quantity, (attack, model_name(trainer, loss, activation))) for trainer in (high, low)),
            POINTS,
            **about(
                loss, activation, trainer=trainer_label(low), attack=NAMES[attack], measure=measures(numbers)[quantity]
            ),
        )
        for loss, activation in GRID
    ]


def c14(numbers):
    """The sensitivity attack considerably above PGD of the same step, on most SGD models."""
    needed = numbers.thresholds["considerably"]
    return [
        Clause(words, _attacks(numbers, quantity, OURS, SAME_STEP, ["sgd"], needed=needed), MOST)
        for quantity, words in measures(numbers).items()
    ]


def c15(numbers):
    """PGD of step 0.6 above the sensitivity attack on most NCG models."""
    return [
        Clause(words, _attacks(numbers, quantity, LARGE_STEP, OURS, NCG), MOST)
        for quantity, words in measures(numbers).items()
    ]


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
    models = [(model_name(trainer, *each), each, trainer) for trainer in WITHOUT_DECAY for each in GRID]
    clauses = [
        Clause(
            words,
            [
                similar(
                    model_label(model),
                    *(numbers.get(quantity, (attack, model)) for attack in (OURS, TARGETED)),
                    numbers.thresholds["comparable_success"],
                    POINTS,
                    same_network=True,
                    **about(*combination, trainer=trainer_label(trainer)),
                )
                for model, combination, trainer in models
            ],
        )
        for quantity, words in measures(numbers).items()
    ]
    # The median over models, for each run.
    solves, seconds = (
        combined(
            _median_ratio, [numbers.get(name, (attack, model)) for model, *_ in models for attack in (TARGETED, OURS)]
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
    return [
        Clause(words, _attacks(numbers, quantity, OURS, SAME_STEP, WITHOUT_DECAY))
        for quantity, words in measures(numbers).items()
    ]


def c23(numbers):
    """PGD above the other rivals, within imperceptible norms."""
    words = measures(numbers)["success_up_to_norm"]
    rivals = [_attacks(numbers, "success_up_to_norm", SAME_STEP, each, WITHOUT_DECAY) for each in (SINGLE_STEP, "cw")]
    return [Clause(words, [each for rival in rivals for each in rival], MOST)]


def c24(numbers):
    """PGD with large steps above PGD with small ones."""
    return [
        Clause(words, _attacks(numbers, quantity, LARGE_STEP, SAME_STEP, WITHOUT_DECAY), MOST)
        for quantity, words in measures(numbers).items()
    ]


CLAIMS = {"C14": c14, "C15": c15, "C16": c16, "C17": c17, "C18": c18, "C22": c22, "C23": c23, "C24": c24}
