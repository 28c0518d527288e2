"""Claims on accuracy: solvers (Table 1), trainers and losses (Table 2). Each returns its clauses."""

from stages.claims.comparisons import better, not_worse, similar
from stages.claims.grid import ACTIVATIONS, GRID, LOSSES, POINTS, RIVALS, about
from stages.claims.verdicts import MOST, Clause
from stages.names.labels import activation_label, combination_label, trainer_label
from stages.names.model_name import model_name

EULER, ODE45 = "ncg-euler20_l2_tanh", "ncg-ode45_l2_tanh"
MEASURES = {"accuracy": "test accuracy", "noise_area": "mean accuracy under noise"}


def tolerance(numbers, quantity):
    """Return the largest difference that counts as similar; under noise the spread is larger."""
    return numbers.thresholds["comparable" if quantity == "accuracy" else "comparable_noise"]


def c01(numbers):
    """Euler trained and inferred against ODE45 trained and inferred."""
    euler, ode45 = numbers.get("accuracy_under_euler", EULER), numbers.get("accuracy_under_ode45", ODE45)
    return [Clause("test accuracy", [better("Euler over ODE45", euler, ode45, POINTS)])]


def c02(numbers):
    """Swapping the solver of the same network."""
    comparisons = []
    for trained, model, own, other in (("Euler", EULER, "euler", "ode45"), ("ODE45", ODE45, "ode45", "euler")):
        before, after = (numbers.get(f"accuracy_under_{solver}", model) for solver in (own, other))
        words = f"trained with {trained}, lost on swapping"
        limit = numbers.thresholds["comparable"]
        comparisons.append(similar(words, before, after, limit, POINTS, same_network=True, trainer=trained))
    return [Clause("test accuracy", comparisons)]


def _rivals(numbers, compare, quantity, losses, *more, rivals=RIVALS):
    """Compare NCG with SGD of the same weight decay, for the losses and both activations."""
    return [
        compare(
            f"{trainer_label(ncg)} and {trainer_label(sgd)}, {combination_label(activation, loss)}",
            *(numbers.get(quantity, model_name(trainer, loss, activation)) for trainer in (ncg, sgd)),
            *more,
            POINTS,
            **about(loss, activation, trainer=trainer_label(ncg)),
        )
        for ncg, sgd in rivals
        for activation in ACTIVATIONS
        for loss in losses
    ]


def c03(numbers):
    """NCG above SGD under cross-entropy."""
    return [Clause("test accuracy, CE", _rivals(numbers, better, "accuracy", ["ce"]))]


def c04(numbers):
    """NCG similar to SGD under l2 loss."""
    limit = numbers.thresholds["comparable"]
    return [Clause("test accuracy, ℓ²", _rivals(numbers, similar, "accuracy", ["l2"], limit))]


def c05(numbers):
    """l2 above cross-entropy in accuracy and below it in robustness, for SGD."""
    accuracy, robustness = [], []
    for trainer in ("sgd", "sgd-wd"):
        for activation in ACTIVATIONS:
            l2, ce = (model_name(trainer, loss, activation) for loss in ("l2", "ce"))
            what = f"{trainer_label(trainer)}, {activation_label(activation)}"
            part = {"activation": activation_label(activation), "trainer": trainer_label(trainer)}
            values = [[numbers.get(quantity, model) for model in (l2, ce)] for quantity in MEASURES]
            accuracy.append(better(f"ℓ² over CE, {what}", *values[0], POINTS, **part))
            robustness.append(better(f"CE over ℓ², {what}", *values[1][::-1], POINTS, **part))
    return [Clause("test accuracy", accuracy), Clause("mean accuracy under noise", robustness)]


def c06(numbers):
    """l2 similar to cross-entropy for NCG."""
    return [
        Clause(
            words,
            [
                similar(
                    f"{trainer_label(trainer)}, ℓ² and CE, {activation_label(activation)}",
                    *(numbers.get(quantity, model_name(trainer, loss, activation)) for loss in ("l2", "ce")),
                    tolerance(numbers, quantity),
                    POINTS,
                    activation=activation_label(activation),
                    trainer=trainer_label(trainer),
                )
                for trainer in ("ncg", "ncg-wd")
                for activation in ACTIVATIONS
            ],
        )
        for quantity, words in MEASURES.items()
    ]


def c21(numbers):
    """NCG not below SGD, in accuracy and under noise; without weight decay, which the paper itself excludes."""
    return [
        Clause(words, _rivals(numbers, not_worse, quantity, LOSSES, tolerance(numbers, quantity), rivals=RIVALS[:1]))
        for quantity, words in MEASURES.items()
    ]


def c27(numbers):
    """The L2 gradient above the Sobolev gradient in accuracy."""
    comparisons = [
        better(
            f"NCG over Sobolev NCG, {combination_label(activation, loss)}",
            *(numbers.get("accuracy", model_name(trainer, loss, activation)) for trainer in ("ncg", "ncg-sobolev")),
            POINTS,
            **about(loss, activation),
        )
        for loss, activation in GRID
    ]
    return [Clause("test accuracy", comparisons, MOST)]


def c29(numbers):
    """Training accuracy: Euler trained and inferred against ODE45 trained and inferred."""
    values = numbers.get("train_accuracy_under_euler", EULER), numbers.get("train_accuracy_under_ode45", ODE45)
    return [Clause("training accuracy", [better("Euler over ODE45", *values, POINTS)])]


CLAIMS = {"C01": c01, "C02": c02, "C03": c03, "C04": c04, "C05": c05, "C06": c06, "C21": c21, "C27": c27, "C29": c29}
