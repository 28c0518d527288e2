"""Claims on robustness to noise (Figure 3), by the area under the noise curve. Each returns the groups of its comparisons."""

from stages.experiment import model_name
from stages.report.verdicts import Group, better, no_effect

ACTIVATIONS, LOSSES = ("relu", "tanh"), ("ce", "l2")
POINTS = "points"


def c07(found):
    """Weight decay: no effect on accuracy, less robustness for NCG."""
    grid = [(loss, activation) for loss in LOSSES for activation in ACTIVATIONS]
    pairs = [
        tuple(found.get("accuracy", model_name(trainer + decay, *combination)) for decay in ("", "-wd"))
        for trainer in ("sgd", "ncg")
        for combination in grid
    ]
    robustness = [
        better(
            f"NCG without over with weight decay, {activation}, {loss}",
            found.get("noise_area", model_name("ncg", loss, activation)),
            found.get("noise_area", model_name("ncg-wd", loss, activation)),
            POINTS,
        )
        for loss, activation in grid
    ]
    accuracy = no_effect("with beside without weight decay", pairs, found.thresholds["comparable"], POINTS)
    return [Group("test accuracy", [accuracy]), Group("mean accuracy under noise", robustness)]


def c08(found):
    """Both Sobolev tanh models above every other model."""
    first = [model_name("ncg-sobolev", loss, "tanh") for loss in LOSSES]
    others = [
        model_name(trainer, loss, activation)
        for trainer in ("sgd", "sgd-wd", "ncg", "ncg-wd", "ncg-sobolev")
        for loss in LOSSES
        for activation in ACTIVATIONS
    ]
    comparisons = [
        better(f"{model} over {other}", found.get("noise_area", model), found.get("noise_area", other), POINTS)
        for model in first
        for other in others
        if other not in first
    ]
    return [Group("mean accuracy under noise", comparisons)]


def c09(found):
    """NCG over SGD with l2 loss, beside it with cross-entropy; no weight decay."""
    areas = {
        (loss, activation): [
            found.get("noise_area", model_name(trainer, loss, activation)) for trainer in ("ncg", "sgd")
        ]
        for loss in LOSSES
        for activation in ACTIVATIONS
    }
    over = [better(f"NCG over SGD, {activation}", *areas["l2", activation], POINTS) for activation in ACTIVATIONS]
    pairs = [areas["ce", activation] for activation in ACTIVATIONS]
    beside = no_effect("NCG beside SGD", pairs, found.thresholds["comparable"], POINTS)
    return [
        Group("mean accuracy under noise, ℓ² loss", over),
        Group("mean accuracy under noise, cross-entropy", [beside]),
    ]


CLAIMS = {"C07": c07, "C08": c08, "C09": c09}
