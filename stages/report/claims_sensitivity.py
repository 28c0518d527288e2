"""Claims on the sensitivity problem (Figures 4, 7 to 10) and on smooth weights (Figure 6)."""

from stages.experiment import model_name
from stages.report.verdicts import Group, at_most, better, no_effect

ACTIVATIONS, LOSSES = ("relu", "tanh"), ("ce", "l2")
TRAINERS = ("sgd", "sgd-wd", "ncg", "ncg-wd", "ncg-sobolev")
TIMES = "times"


def c10(found):
    """The largest relative error over the depth, for every model of Table 2."""
    limit = found.thresholds["small_error"]
    models = [
        model_name(trainer, loss, activation) for trainer in TRAINERS for loss in LOSSES for activation in ACTIVATIONS
    ]
    comparisons = [at_most(model, found.get("largest_error", model), limit) for model in models]
    return [Group("largest relative error over the depth", comparisons)]


def c11(found):
    """Growth of the estimated perturbation with and without weight decay."""
    ncg = [
        better(
            f"NCG without over with weight decay, tanh, {loss}",
            found.get("growth", model_name("ncg", loss, "tanh")),
            found.get("growth", model_name("ncg-wd", loss, "tanh")),
            TIMES,
        )
        for loss in LOSSES
    ]
    pairs = [
        tuple(found.get("growth", model_name(trainer, loss, activation)) for trainer in ("sgd", "sgd-wd"))
        for loss in LOSSES
        for activation in ACTIVATIONS
    ]
    sgd = no_effect("SGD with beside without weight decay", pairs, unit=TIMES)
    return [
        Group("growth of the perturbation from 0 to T", ncg),
        Group("growth of the perturbation from 0 to T", [sgd]),
    ]


def c12(found):
    """Growth of the estimated perturbation under l2 and cross-entropy."""
    sgd = [
        better(f"ℓ² over CE, {trainer}, relu", *_growth_of(found, trainer, "relu", ("l2", "ce")), TIMES)
        for trainer in ("sgd", "sgd-wd")
    ]
    pairs = [
        _growth_of(found, trainer, activation, LOSSES) for trainer in ("ncg", "ncg-wd") for activation in ACTIVATIONS
    ]
    ncg = no_effect("NCG, ℓ² beside CE", pairs, unit=TIMES)
    return [
        Group("growth of the perturbation from 0 to T", sgd),
        Group("growth of the perturbation from 0 to T", [ncg]),
    ]


def c13(found):
    """Total variation over t: SGD above NCG above Sobolev NCG."""
    groups = []
    for quantity, what in (("norm_variation", "the norm of W(t)"), ("weight_variation", "W(t) itself")):
        comparisons = [
            better(
                f"{rough} over {smooth}, {activation}, {loss}",
                *(found.get(quantity, model_name(trainer, loss, activation)) for trainer in (rough, smooth)),
            )
            for rough, smooth in (("sgd", "ncg"), ("ncg", "ncg-sobolev"))
            for loss in LOSSES
            for activation in ACTIVATIONS
        ]
        groups.append(Group(f"total variation of {what}", comparisons))
    return groups


def _growth_of(found, trainer, activation, losses):
    return tuple(found.get("growth", model_name(trainer, loss, activation)) for loss in losses)


CLAIMS = {"C10": c10, "C11": c11, "C12": c12, "C13": c13}
