"""Claims on robustness to noise (Figure 3), by the area under the noise curve. Each returns its groups."""

from stages.claims.verdicts import Group, better, no_effect
from stages.labels import activation_label, combination_label, model_label
from stages.model_name import model_name

ACTIVATIONS, LOSSES = ("relu", "tanh"), ("ce", "l2")
GRID = [(loss, activation) for loss in LOSSES for activation in ACTIVATIONS]
TRAINERS = ("sgd", "sgd-wd", "ncg", "ncg-wd", "ncg-sobolev")
POINTS = "points"
UNDER_NOISE = "mean accuracy under noise"


def c07(found):
    """Weight decay: no effect on accuracy, less robustness for NCG."""
    pairs = [
        tuple(found.get("accuracy", model_name(trainer + decay, *combination)) for decay in ("", "-wd"))
        for trainer in ("sgd", "ncg")
        for combination in GRID
    ]
    robustness = [
        better(
            f"NCG without over with weight decay, {combination_label(activation, loss)}",
            found.get("noise_area", model_name("ncg", loss, activation)),
            found.get("noise_area", model_name("ncg-wd", loss, activation)),
            POINTS,
        )
        for loss, activation in GRID
    ]
    accuracy = no_effect(
        "with beside without weight decay, mean difference", pairs, found.thresholds["comparable"], POINTS
    )
    return [Group("test accuracy", [accuracy]), Group(UNDER_NOISE, robustness)]


def c08(found):
    """Both Sobolev tanh models above every other model."""
    first = [model_name("ncg-sobolev", loss, "tanh") for loss in LOSSES]
    others = [model_name(trainer, *combination) for trainer in TRAINERS for combination in GRID]
    comparisons = [
        better(
            f"{model_label(model)} over {model_label(other)}",
            found.get("noise_area", model),
            found.get("noise_area", other),
            POINTS,
        )
        for model in first
        for other in others
        if other not in first
    ]
    return [Group(UNDER_NOISE, comparisons)]


def c09(found):
    """NCG over SGD with l2 loss, beside it with cross-entropy; no weight decay."""
    areas = {
        combination: [found.get("noise_area", model_name(trainer, *combination)) for trainer in ("ncg", "sgd")]
        for combination in GRID
    }
    over = [
        better(f"NCG over SGD, {activation_label(activation)}", *areas["l2", activation], POINTS)
        for activation in ACTIVATIONS
    ]
    pairs = [areas["ce", activation] for activation in ACTIVATIONS]
    beside = no_effect("NCG beside SGD, mean difference", pairs, found.thresholds["comparable"], POINTS)
    return [Group(f"{UNDER_NOISE}, ℓ²", over), Group(f"{UNDER_NOISE}, CE", [beside])]


CLAIMS = {"C07": c07, "C08": c08, "C09": c09}
