"""Claims on the sensitivity problem (Figures 4, 7 to 10) and on smooth weights (Figure 6). Each returns its clauses."""

from stages.claims.comparisons import at_most, better, within
from stages.claims.grid import ACTIVATIONS, GRID, LOSSES, TRAINERS, about
from stages.claims.measured import combined
from stages.claims.verdicts import MOST, Clause
from stages.names.labels import activation_label, combination_label, loss_label, model_label, trainer_label
from stages.names.model_name import model_name

GROWTH = "growth of the perturbation from 0 to T"
CURVES = "largest distance of the estimated from the measured curve, relative"


def _of_every_model(numbers, quantity, limit):
    return [
        at_most(
            model_label(model_name(trainer, loss, activation)),
            numbers.get(quantity, model_name(trainer, loss, activation)),
            limit,
            **about(loss, activation, trainer=trainer_label(trainer)),
        )
        for trainer in TRAINERS
        for loss, activation in GRID
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


def _no_effect(numbers, what, models, **parts):
    """The ratio of the growth in two networks is one, up to claims.comparable_growth."""
    ratio = combined(lambda values: values[0] / values[1], [numbers.get("growth", model) for model in models])
    limit = numbers.thresholds["comparable_growth"]
    return within(what, ratio, (1 - limit, 1 + limit), "times", no_effect=1.0, **parts)


def c11(numbers):
    """Growth of the estimated perturbation with and without weight decay."""
    ncg = [
        better(
            f"NCG without over with weight decay, tanh, {loss_label(loss)}",
            numbers.get("growth", model_name("ncg", loss, "tanh")),
            numbers.get("growth", model_name("ncg-wd", loss, "tanh")),
            loss=loss_label(loss),
        )
        for loss in LOSSES
    ]
    sgd = [
        _no_effect(
            numbers,
            f"SGD with over without weight decay, {combination_label(activation, loss)}",
            [model_name(trainer, loss, activation) for trainer in ("sgd-wd", "sgd")],
            **about(loss, activation),
        )
        for loss, activation in GRID
    ]
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
    ncg = [
        _no_effect(
            numbers,
            f"CE over ℓ², {trainer_label(trainer)}, {activation_label(activation)}",
            [model_name(trainer, loss, activation) for loss in ("ce", "l2")],
            activation=activation_label(activation),
            trainer=trainer_label(trainer),
        )
        for trainer in ("ncg", "ncg-wd")
        for activation in ACTIVATIONS
    ]
    return [Clause(f"{GROWTH}, SGD", sgd), Clause(f"{GROWTH}, NCG", ncg)]


def c13(numbers):
    """Total variation over t: NCG and SGD each above Sobolev NCG."""
    clauses = []
    for quantity, what in (("norm_variation", "‖W(t)‖"), ("weight_variation", "W(t)")):
        comparisons = [
            better(
                f"{trainer_label(rough)} over Sobolev NCG, {combination_label(activation, loss)}",
                *(numbers.get(quantity, model_name(trainer, loss, activation)) for trainer in (rough, "ncg-sobolev")),
                **about(loss, activation, trainer=f"than {trainer_label(rough)}"),
            )
            for rough in ("ncg", "sgd")
            for loss, activation in GRID
        ]
        clauses.append(Clause(f"total variation of {what} over t", comparisons))
    return clauses


CLAIMS = {"C10": c10, "C11": c11, "C12": c12, "C13": c13, "C25": c25}
