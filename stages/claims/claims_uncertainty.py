"""Claims of our own on uncertainty, beyond the paper. Each returns its clauses."""

from stages.claims.comparisons import at_most, better
from stages.claims.grid import POINTS
from stages.claims.quantities import SMALL_NOISE
from stages.claims.verdicts import Clause
from stages.names.labels import combination_label, model_label, trainer_label
from stages.names.model_name import model_name, split_model

ONE_POINT = 1.0
GAP = "predicted beside measured accuracy under noise on pixels"


def _models(numbers, trainer="", loss=None):
    """Return the networks whose uncertainty was estimated, or one or two if none was, to report them as not run.

    trainer: how the name of their trainer begins.
    """
    known = [key for quantity, key in numbers.values if quantity == "mean_gap" and key.startswith(trainer)]
    fits = [model for model in known if loss in (None, split_model(model)[1])]
    return fits or [model_name(name, "l2", "tanh") for name in ([trainer] if trainer else ("sgd", "ncg"))]


def b07(numbers):
    """Every network trained by NCG, with either gradient, robust or not."""
    comparisons = [
        at_most(model_label(model), numbers.get("largest_gap", model), ONE_POINT, POINTS)
        for model in _models(numbers, "ncg")
    ]
    return [Clause(f"{GAP} up to std {SMALL_NOISE:g}, largest difference", comparisons)]


def b08(numbers):
    """Sobolev NCG below SGD and NCG of the same loss and activation, each without robust training."""
    comparisons = []
    for loss, activation in dict.fromkeys(split_model(model)[1:] for model in _models(numbers, "ncg-sobolev")):
        sobolev = numbers.get("mean_gap", model_name("ncg-sobolev", loss, activation))
        for trainer in ("sgd", "ncg"):
            words = f"{trainer_label(trainer)} over Sobolev NCG, {combination_label(activation, loss)}"
            other = numbers.get("mean_gap", model_name(trainer, loss, activation))
            comparisons.append(better(words, other, sobolev, POINTS))
    return [Clause(f"{GAP}, mean difference over all strengths", comparisons)]


def b09(numbers):
    """Every network trained with l2 loss."""
    comparisons = [
        better(
            model_label(model),
            *(numbers.get(f"roc_area_{name}", model) for name in ("distance", "confidence")),
            same_network=True,
        )
        for model in _models(numbers, loss="l2")
    ]
    return [Clause("area under the ROC curve, distance to the boundary over confidence", comparisons)]


CLAIMS = {"B07": b07, "B08": b08, "B09": b09}
