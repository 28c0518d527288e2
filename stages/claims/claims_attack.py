"""Claims on adversarial attacks (Figures 5 and 12 to 15, Table 3). Each returns the groups of its comparisons.

Success is looked at twice: at the norm claims.attack_norm, and as the mean over the curve.
"""

import functools

import numpy as np

from stages.claims.verdicts import Comparison, Group, better, between, no_effect, rule_of
from stages.labels import combination_label, model_label, trainer_label
from stages.model_name import model_name
from stages.statistics.measured import Measured, Unusable, combined, first_unusable

GRID = [(loss, activation) for activation in ("relu", "tanh") for loss in ("ce", "l2")]
TRAINERS = ("sgd", "ncg", "ncg-sobolev")
POINTS = "points"
OURS, SAME_STEP, LARGE_STEP, TARGETED = "sensitivity", "pgd-0.06", "pgd-0.6", "sensitivity-targeted"
NAMES = {OURS: "sensitivity attack", SAME_STEP: "PGD 0.06", LARGE_STEP: "PGD 0.6"}
VARIANTS = ("cw", "cw-softmax")
SHOWN = ("pgd-0.06", "fgsm", "cw", "sensitivity")  # the attacks of Figures 14 and 15
ABOUT_NINE = (4.5, 18.0)  # within a factor of two: seconds depend on the machine and on what else it does


def _measures(found):
    return (
        ("success_at_norm", f"success at norm {found.thresholds['attack_norm']:g}"),
        ("success_over_curve", "mean success over the curve"),
    )


def _compare(found, quantity, high, low, what):
    """Compare two (attack, trainer) over the four combinations of loss and activation."""
    return [
        better(
            f"{what}, {combination_label(activation, loss)}",
            *(found.get(quantity, (attack, model_name(trainer, loss, activation))) for attack, trainer in (high, low)),
            POINTS,
        )
        for loss, activation in GRID
    ]


def c14(found):
    """The sensitivity attack over PGD of the same step on SGD models; the paper says "for most of" them."""
    what = "sensitivity attack over PGD 0.06 on SGD"
    return [
        Group(measure, _compare(found, quantity, (OURS, "sgd"), (SAME_STEP, "sgd"), what), most=True)
        for quantity, measure in _measures(found)
    ]


def c15(found):
    """PGD of step 0.6 over the sensitivity attack on most NCG models."""
    groups = []
    for quantity, measure in _measures(found):
        comparisons = []
        for trainer in ("ncg", "ncg-sobolev"):
            what = f"PGD 0.6 over sensitivity attack on {trainer_label(trainer)}"
            comparisons += _compare(found, quantity, (LARGE_STEP, trainer), (OURS, trainer), what)
        groups.append(Group(measure, comparisons, most=True))
    return groups


def c16(found):
    """SGD models above NCG and Sobolev NCG models, under both attacks of Figure 5."""
    groups = []
    for attack in (OURS, SAME_STEP):
        for quantity, measure in _measures(found):
            comparisons = []
            for trainer in ("ncg", "ncg-sobolev"):
                what = f"SGD over {trainer_label(trainer)}"
                comparisons += _compare(found, quantity, (attack, "sgd"), (attack, trainer), what)
            groups.append(Group(f"{NAMES[attack]}, {measure}", comparisons))
    return groups


def c17(found):
    """NCG above Sobolev NCG in most settings. No exception at all would be more than the paper says, and holds too."""
    groups = []
    for quantity, measure in _measures(found):
        comparisons = []
        for attack in (OURS, SAME_STEP):
            what = f"{NAMES[attack]}, NCG over Sobolev NCG"
            comparisons += _compare(found, quantity, (attack, "ncg"), (attack, "ncg-sobolev"), what)
        groups.append(Group(measure, comparisons, most=True))
    return groups


def c18(found):
    """Moving target beside the best of nine targets: as successful, and about nine times faster."""
    models = [model_name(trainer, *combination) for trainer in TRAINERS for combination in GRID]
    tolerance = found.thresholds["comparable_success"]
    groups = []
    for quantity, measure in _measures(found):
        pairs = [tuple(found.get(quantity, (attack, model)) for attack in (OURS, TARGETED)) for model in models]
        beside = no_effect("moving target beside nine, mean difference", pairs, tolerance, POINTS)
        groups.append(Group(measure, [beside]))
    seconds = [tuple(found.get("attack_seconds", (attack, model)) for attack in (TARGETED, OURS)) for model in models]
    # The median over models, for each run: one job that waited for the machine does not count.
    ratio = combined(_median_ratio, [value for pair in seconds for value in pair])
    groups.append(Group("seconds", [between("nine targets over moving target", ratio, *ABOUT_NINE, "times")]))
    return groups


def _median_ratio(seconds):
    """Return the median over pairs (nine targets, moving target), which follow each other."""
    return np.median(np.divide(seconds[::2], seconds[1::2]), axis=0)


def c19(found):
    """Norm per success: the smaller of the Carlini-Wagner variants above the larger of its rivals, for every model."""
    comparisons = []
    for trainer in TRAINERS:
        for combination in GRID:
            model = model_name(trainer, *combination)
            theirs = _extreme(found, VARIANTS, model, min, np.min)
            rivals = _extreme(found, (OURS, SAME_STEP), model, max, np.max)
            comparisons.append(_larger(model_label(model), theirs, rivals))
    return [Group("mean norm over share of successes, Carlini-Wagner over sensitivity attack and PGD", comparisons)]


def _extreme(found, attacks, model, choose, of_resampled):
    """Return the attack whose mean is smallest or largest: its values over runs; chosen anew in every resampling."""
    values = [found.get("norm_per_success", (attack, model)) for attack in attacks]
    chosen = first_unusable(values) or choose(values, key=lambda value: value.mean)
    if isinstance(chosen, Unusable) or chosen.resampled is None:
        return chosen
    return Measured(chosen.runs, of_resampled([value.resampled for value in values], axis=0))


def _larger(what, theirs, rivals):
    """Compare; an attack without any success needs an infinite norm per success."""
    usable = not isinstance(theirs, Unusable) and not isinstance(rivals, Unusable)
    if usable and np.isinf(theirs.runs).any() and np.isfinite(rivals.runs).all():
        return Comparison(what, "", np.inf, 0.0, np.inf, True, ">", rule=rule_of(theirs, rivals))
    return better(what, theirs, rivals)


def c20(found):
    """The largest pixel's share of the perturbation, mean over the attacks of Figures 14, 15; "in general"."""
    comparisons = []
    for loss, activation in GRID:
        means = []
        for trainer in ("sgd", "ncg-sobolev"):
            model = model_name(trainer, loss, activation)
            values = [found.get("single_pixel_share", (attack, model)) for attack in SHOWN]
            means.append(combined(functools.partial(np.mean, axis=0), values))
        comparisons.append(better(f"SGD over Sobolev NCG, {combination_label(activation, loss)}", *means))
    return [Group("largest pixel over norm of the perturbation", comparisons, most=True)]


CLAIMS = {"C14": c14, "C15": c15, "C16": c16, "C17": c17, "C18": c18, "C19": c19, "C20": c20}
