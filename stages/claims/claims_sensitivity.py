"""Claims on the sensitivity problem (Figures 4, 7 to 10) and on smooth weights (Figure 6)."""

from stages.claims.verdicts import Group, at_most, better, no_effect
from stages.labels import combination_label, loss_label, model_label, trainer_label
from stages.model_name import model_name

ACTIVATIONS, LOSSES = ("relu", "tanh"), ("ce", "l2")
GRID = [(loss, activation) for loss in LOSSES for activation in ACTIVATIONS]
TRAINERS = ("sgd", "sgd-wd", "ncg", "ncg-wd", "ncg-sobolev")
GROWTH = "growth of the perturbation from 0 to T"


def c10(found):
    """The largest relative error over the depth, for every model of Table 2: mean over images, and the typical image.

    The error is relative to each image's own perturbation, so that a few images whose perturbation nearly vanishes can
    carry the mean. The paper does not say which it shows; both have to be small.
    """
    limit = found.thresholds["small_error"]
    models = [model_name(trainer, *combination) for trainer in TRAINERS for combination in GRID]
    quantities = {"largest_error": "mean", "largest_median_error": "median"}
    return [
        Group(
            f"largest relative error over the depth, {what} over images",
            [at_most(model_label(model), found.get(quantity, model), limit) for model in models],
        )
        for quantity, what in quantities.items()
    ]


def c11(found):
    """Growth of the estimated perturbation with and without weight decay."""
    ncg = [
        better(
            f"NCG without over with weight decay, tanh, {loss_label(loss)}",
            found.get("growth", model_name("ncg", loss, "tanh")),
            found.get("growth", model_name("ncg-wd", loss, "tanh")),
        )
        for loss in LOSSES
    ]
    pairs = [
        tuple(found.get("growth", model_name(trainer, *combination)) for trainer in ("sgd", "sgd-wd"))
        for combination in GRID
    ]
    sgd = no_effect("SGD with beside without weight decay, mean difference", pairs)
    return [Group(GROWTH, ncg), Group(GROWTH, [sgd])]


def c12(found):
    """Growth of the estimated perturbation under l2 and cross-entropy."""
    sgd = [
        better(
            f"ℓ² over CE, {trainer_label(trainer)}, ReLU",
            *(found.get("growth", model_name(trainer, loss, "relu")) for loss in ("l2", "ce")),
        )
        for trainer in ("sgd", "sgd-wd")
    ]
    pairs = [
        tuple(found.get("growth", model_name(trainer, loss, activation)) for loss in LOSSES)
        for trainer in ("ncg", "ncg-wd")
        for activation in ACTIVATIONS
    ]
    ncg = no_effect("NCG, ℓ² beside CE, mean difference", pairs)
    return [Group(GROWTH, sgd), Group(GROWTH, [ncg])]


def c13(found):
    """Total variation over t: SGD above NCG above Sobolev NCG."""
    groups = []
    for quantity, what in (("norm_variation", "‖W(t)‖"), ("weight_variation", "W(t)")):
        comparisons = [
            better(
                f"{trainer_label(rough)} over {trainer_label(smooth)}, {combination_label(activation, loss)}",
                *(found.get(quantity, model_name(trainer, loss, activation)) for trainer in (rough, smooth)),
            )
            for rough, smooth in (("sgd", "ncg"), ("ncg", "ncg-sobolev"))
            for loss, activation in GRID
        ]
        groups.append(Group(f"total variation of {what} over t", comparisons))
    return groups


CLAIMS = {"C10": c10, "C11": c11, "C12": c12, "C13": c13}
