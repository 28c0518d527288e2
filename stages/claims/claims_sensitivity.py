"""Claims on the sensitivity problem (Figures 4, 7 to 10) and on smooth weights (Figure 6). Each returns its clauses."""

from stages.claims.comparisons import at_most, better, within
from stages.claims.grid import about_model, models, over_the_grid, two_losses
from stages.claims.measured import combined
from stages.claims.verdicts import MOST, Clause
from stages.names.labels import loss_label, model_label, trainer_label
from stages.names.model_name import model_name
from stages.names.paper_rows import LOSSES, TRAINERS

GROWTH = "growth of the perturbation from 0 to T"
CURVES = "largest distance of the estimated from the measured curve, relative"


def _of_every_model(numbers, quantity, limit):
    return [
        at_most(model_label(model), numbers.get(quantity, model), limit, **about_model(model))
        for model in models(TRAINERS)
    ]


def c10(numbers):
    """The estimate over the whole depth, for every model of Table 2: the typical image, and the mean curves.

    The mean of relative errors is not used: a few images whose perturbation nearly vanishes dominate it.
    """
    limit = numbers.thresholds["small_error"]
    errors = _of_every_model(numbers, "largest_median_error", limit)
    distances = _of_every_model(numbers, "curve_distance", limit)
    return [
        Clause("largest relative error over the depth, median over images", errors, MOST),
        Clause(CURVES, distances, MOST),
    ]


def c25(numbers):
    """The two curves coincide, to the precision of a figure."""
    errors = _of_every_model(numbers, "curve_distance", numbers.thresholds["same_curve"])
    return [Clause(CURVES, errors, MOST)]


def _no_effect(what, one, other, limit, unit, **about):
    """The ratio of two values is one, up to the limit."""
    ratio = combined(lambda values: values[0] / values[1], [one, other])
    return within(what, ratio, (1 - limit, 1 + limit), unit, no_effect=1.0, **about)


def c11(numbers):
    """Growth of the estimated perturbation with and without weight decay."""
    ncg = [
        better(
            f"NCG without over with weight decay, tanh, {loss_label(loss)}",
            *(numbers.get("growth", model_name(trainer, loss, "tanh")) for trainer in ("ncg", "ncg-wd")),
            loss=loss_label(loss),
        )
        for loss in LOSSES
    ]
    words, limit = "SGD with over without weight decay", numbers.thresholds["comparable_growth"]
    sgd = over_the_grid(numbers, _no_effect, words, "growth", ("sgd-wd", "sgd"), limit, unit="times")
    return [Clause(f"{GROWTH}, NCG", ncg), Clause(f"{GROWTH}, SGD", sgd)]


def c12(numbers):
    """Growth of the estimated perturbation under l2 and cross-entropy."""
    sgd = [
        better(
            f"ℓ² over CE, {trainer_label(trainer)}, ReLU",
            *(numbers.get("growth", model_name(trainer, loss, "relu")) for loss in ("l2", "ce")),
            trainer=trainer_label(trainer),
        )
        for trainer in ("sgd", "sgd-wd")
    ]
    words, losses, trainers = "CE over ℓ², {trainer}, {activation}", ("ce", "l2"), ("ncg", "ncg-wd")
    limit = numbers.thresholds["comparable_growth"]
    ncg = two_losses(numbers, _no_effect, words, "growth", losses, trainers, limit, unit="times")
    return [Clause(f"{GROWTH}, SGD", sgd), Clause(f"{GROWTH}, NCG", ncg)]


def c13(numbers):
    """Total variation over t: NCG and SGD each above Sobolev NCG."""
    clauses = []
    for quantity, what in (("norm_variation", "‖W(t)‖"), ("weight_variation", "W(t)")):
        comparisons = []
        for rough in ("ncg", "sgd"):
            words, part = f"{trainer_label(rough)} over Sobolev NCG", f"than {trainer_label(rough)}"
            pair = (rough, "ncg-sobolev")
            comparisons += over_the_grid(numbers, better, words, quantity, pair, unit="", trainer=part)
        clauses.append(Clause(f"total variation of {what} over t", comparisons))
    return clauses


CLAIMS = {"C10": c10, "C11": c11, "C12": c12, "C13": c13, "C25": c25}
