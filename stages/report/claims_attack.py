"""Claims on adversarial attacks (Figures 5 and 12 to 15, Table 3). Each returns the groups of its comparisons.

Success is looked at twice: at the norm claims.attack_norm, and as the mean over the curve.
"""

import numpy as np

from stages.experiment import model_name
from stages.report.verdicts import Comparison, Group, Unusable, better, between, no_effect

ACTIVATIONS, LOSSES = ("relu", "tanh"), ("ce", "l2")
GRID = [(loss, activation) for activation in ACTIVATIONS for loss in LOSSES]
POINTS = "points"
OURS, SAME_STEP, LARGE_STEP, TARGETED = "sensitivity", "pgd-0.06", "pgd-0.6", "sensitivity-targeted"
VARIANTS = ("cw", "cw-softmax")
SHOWN = ("pgd-0.06", "fgsm", "cw", "sensitivity")  # the attacks of Figures 14 and 15
ABOUT_NINE = (4.5, 18.0)  # within a factor of two: seconds depend on the machine and on what else it does


def _measures(found):
    return (
        ("success_at_norm", f"success at norm {found.thresholds['attack_norm']:g}"),
        ("success_over_curve", "mean success over the curve"),
    )


def _compare(found, quantity, high, low, what):
    """Compare (attack, trainer) pairs over the four combinations of loss and activation."""
    return [
        better(
            f"{what}, {activation}, {loss}",
            found.get(quantity, (high[0], model_name(high[1], loss, activation))),
            found.get(quantity, (low[0], model_name(low[1], loss, activation))),
            POINTS,
        )
        for loss, activation in GRID
    ]


def c14(found):
    """The sensitivity attack over PGD of the same step on SGD models; the paper says "for most of" them."""
    return [
        Group(
            what, _compare(found, quantity, (OURS, "sgd"), (SAME_STEP, "sgd"), "sensitivity over PGD 0.06"), most=True
        )
        for quantity, what in _measures(found)
    ]


def c15(found):
    """PGD of step 0.6 over the sensitivity attack on most NCG models."""
    return [
        Group(
            what,
            [
                comparison
                for trainer in ("ncg", "ncg-sobolev")
                for comparison in _compare(
                    found, quantity, (LARGE_STEP, trainer), (OURS, trainer), f"{trainer}: PGD 0.6 over sensitivity"
                )
            ],
            most=True,
        )
        for quantity, what in _measures(found)
    ]


def c16(found):
    """SGD models above NCG and Sobolev NCG models, under both attacks of Figure 5."""
    return [
        Group(
            f"{what}, {attack}",
            [
                comparison
                for trainer in ("ncg", "ncg-sobolev")
                for comparison in _compare(found, quantity, (attack, "sgd"), (attack, trainer), f"sgd over {trainer}")
            ],
        )
        for attack in (OURS, SAME_STEP)
        for quantity, what in _measures(found)
    ]


def c17(found):
    """NCG above Sobolev NCG in most settings. No exception at all would be more than the paper says, and holds too."""
    return [
        Group(
            what,
            [
                comparison
                for attack in (OURS, SAME_STEP)
                for comparison in _compare(
                    found, quantity, (attack, "ncg"), (attack, "ncg-sobolev"), f"{attack}: ncg over sobolev"
                )
            ],
            most=True,
        )
        for quantity, what in _measures(found)
    ]


def c18(found):
    """Moving target beside the best of nine targets: as successful, and about nine times faster."""
    models = [
        model_name(trainer, loss, activation) for trainer in ("sgd", "ncg", "ncg-sobolev") for loss, activation in GRID
    ]
    tolerance = found.thresholds["comparable_success"]
    groups = []
    for quantity, what in _measures(found):
        pairs = [tuple(found.get(quantity, (attack, model)) for attack in (OURS, TARGETED)) for model in models]
        groups.append(Group(what, [no_effect("moving beside nine targets", pairs, tolerance, POINTS)]))
    ratios = []
    for model in models:
        moving, nine = (found.get("attack_seconds", (attack, model)) for attack in (OURS, TARGETED))
        if isinstance(moving, Unusable) or isinstance(nine, Unusable):
            ratios = next(each for each in (moving, nine) if isinstance(each, Unusable))
            break
        ratios.append(nine / moving)
    if not isinstance(ratios, Unusable):
        ratios = np.median(
            ratios, axis=0
        )  # over models, for each run: one job that waited for the machine does not count
    groups.append(Group("seconds of nine targets over moving target", [between("ratio", ratios, *ABOUT_NINE, "times")]))
    return groups


def c19(found):
    """Norm per success: the smaller of the two Carlini-Wagner variants above the larger of its rivals, for every model."""
    comparisons = []
    for trainer in ("sgd", "ncg", "ncg-sobolev"):
        for loss, activation in GRID:
            model = model_name(trainer, loss, activation)
            theirs = _extreme(found, VARIANTS, model, min)
            rivals = _extreme(found, (OURS, SAME_STEP), model, max)
            comparisons.append(_larger(model, theirs, rivals))
    return [Group("mean norm over share of successes, Carlini-Wagner over its rivals", comparisons)]


def _extreme(found, attacks, model, choose):
    """Return the values over runs of the attack whose mean is smallest or largest."""
    values = [found.get("norm_per_success", (attack, model)) for attack in attacks]
    unusable = [each for each in values if isinstance(each, Unusable)]
    return unusable[0] if unusable else choose(values, key=np.mean)


def _larger(what, theirs, rivals):
    """Compare; an attack without any success needs an infinite norm per success."""
    if not isinstance(theirs, Unusable) and not isinstance(rivals, Unusable) and np.isfinite(rivals).all():
        if np.isinf(theirs).any():
            return Comparison(what, "", np.inf, 0.0, np.inf, holds=True)
    return better(what, theirs, rivals)


def c20(found):
    """The largest pixel's share of the perturbation, mean over the attacks of Figures 14 and 15; the paper: "in general"."""
    comparisons = []
    for loss, activation in GRID:
        means = []
        for trainer in ("sgd", "ncg-sobolev"):
            model = model_name(trainer, loss, activation)
            values = [found.get("single_pixel_share", (attack, model)) for attack in SHOWN]
            unusable = [each for each in values if isinstance(each, Unusable)]
            means.append(unusable[0] if unusable else np.nanmean(values, axis=0))
        comparisons.append(better(f"SGD over Sobolev NCG, {activation}, {loss}", *means))
    return [Group("largest pixel over norm of the perturbation", comparisons, most=True)]


CLAIMS = {"C14": c14, "C15": c15, "C16": c16, "C17": c17, "C18": c18, "C19": c19, "C20": c20}
