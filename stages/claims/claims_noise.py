"""Claims on robustness to noise (Figure 3), by the area under the noise curve. Each returns its clauses."""

from stages.claims.comparisons import better, similar
from stages.claims.grid import ACTIVATIONS, POINTS, models, over_the_grid
from stages.claims.verdicts import Clause
from stages.names.labels import activation_label, model_label, trainer_label
from stages.names.model_name import model_name, split_model
from stages.names.paper_rows import LOSSES, TRAINERS

UNDER_NOISE = "mean accuracy under noise"


def c07(numbers):
    """Weight decay: no effect on accuracy, much less robustness for NCG."""
    accuracy, limit, needed = [], numbers.thresholds["comparable"], numbers.thresholds["strongly"]
    for trainer in ("sgd", "ncg"):
        label, pair = trainer_label(trainer), (f"{trainer}-wd", trainer)
        words = f"{label} with and without weight decay"
        accuracy += over_the_grid(numbers, similar, words, "accuracy", pair, limit, trainer=label)
    words = "NCG without over with weight decay"
    robustness = over_the_grid(numbers, better, words, "noise_area", ("ncg", "ncg-wd"), needed=needed)
    return [Clause("test accuracy", accuracy), Clause(UNDER_NOISE, robustness)]


def c08(numbers):
    """Both Sobolev tanh models above every other model."""
    first = [model_name("ncg-sobolev", loss, "tanh") for loss in LOSSES]
    comparisons = [
        better(
            f"{model_label(model)} over {model_label(other)}",
            numbers.get("noise_area", model),
            numbers.get("noise_area", other),
            POINTS,
            trainer=f"over {_family(other)}",
        )
        for model in first
        for other in models(TRAINERS)
        if other not in first
    ]
    return [Clause(UNDER_NOISE, comparisons)]


def _family(model):
    trainer, _, activation = split_model(model)
    return f"{trainer_label(trainer)} {activation_label(activation)}"


def c09(numbers):
    """NCG above SGD with l2 loss, similar with cross-entropy; without weight decay."""

    def compared(compare, words, loss, *limit):
        comparisons = []
        for activation in ACTIVATIONS:
            areas = [numbers.get("noise_area", model_name(trainer, loss, activation)) for trainer in ("ncg", "sgd")]
            name = activation_label(activation)
            comparisons.append(compare(f"{words}, {name}", *areas, *limit, POINTS, activation=name))
        return comparisons

    over = compared(better, "NCG over SGD", "l2")
    beside = compared(similar, "NCG and SGD", "ce", numbers.thresholds["comparable_noise"])
    return [Clause(f"{UNDER_NOISE}, ℓ²", over), Clause(f"{UNDER_NOISE}, CE", beside)]


def c26(numbers):
    """Accuracy lost from no noise to the strongest: Sobolev NCG loses less than NCG and SGD."""
    comparisons = []
    for trainer in ("ncg", "sgd"):
        words, part = f"{trainer_label(trainer)} loses more than Sobolev NCG", f"than {trainer_label(trainer)}"
        comparisons += over_the_grid(numbers, better, words, "noise_loss", (trainer, "ncg-sobolev"), trainer=part)
    return [Clause("accuracy lost from the weakest to the strongest noise", comparisons)]


CLAIMS = {"C07": c07, "C08": c08, "C09": c09, "C26": c26}
