"""Claims on accuracy: solvers (Table 1), trainers and losses (Table 2). Each returns its clauses."""

from stages.claims.comparisons import better, not_worse, similar
from stages.claims.grid import POINTS, over_the_grid, two_losses
from stages.claims.printed_numbers import MODELS
from stages.claims.verdicts import MOST, Clause
from stages.names.labels import trainer_label
from stages.names.paper_rows import LOSSES

EULER, ODE45 = MODELS["euler"], MODELS["ode45"]
RIVALS = (("ncg", "sgd"), ("ncg-wd", "sgd-wd"))  # with the same weight decay
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


def _rivals(numbers, compare, quantity, losses, *limit, rivals=RIVALS):
    """Compare NCG with SGD of the same weight decay, for the losses and both activations."""
    comparisons = []
    for pair in rivals:
        ncg, sgd = map(trainer_label, pair)
        words, parts = f"{ncg} and {sgd}", {"losses": losses, "trainer": ncg}
        comparisons += over_the_grid(numbers, compare, words, quantity, pair, *limit, **parts)
    return comparisons


def c03(numbers):
    """NCG above SGD under cross-entropy."""
    return [Clause("test accuracy, CE", _rivals(numbers, better, "accuracy", ["ce"]))]


def c04(numbers):
    """NCG similar to SGD under l2 loss."""
    limit = numbers.thresholds["comparable"]
    return [Clause("test accuracy, ℓ²", _rivals(numbers, similar, "accuracy", ["l2"], limit))]


def c05(numbers):
    """l2 above cross-entropy in accuracy and below it in robustness, for SGD."""
    trainers, names = ("sgd", "sgd-wd"), "{trainer}, {activation}"
    accuracy = two_losses(numbers, better, f"ℓ² over CE, {names}", "accuracy", ("l2", "ce"), trainers)
    robustness = two_losses(numbers, better, f"CE over ℓ², {names}", "noise_area", ("ce", "l2"), trainers)
    return [Clause("test accuracy", accuracy), Clause("mean accuracy under noise", robustness)]


def c06(numbers):
    """l2 similar to cross-entropy for NCG."""
    asked, losses, trainers = "{trainer}, ℓ² and CE, {activation}", ("l2", "ce"), ("ncg", "ncg-wd")
    return [
        Clause(words, two_losses(numbers, similar, asked, quantity, losses, trainers, tolerance(numbers, quantity)))
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
    comparisons = over_the_grid(numbers, better, "NCG over Sobolev NCG", "accuracy", ("ncg", "ncg-sobolev"))
    return [Clause("test accuracy", comparisons, MOST)]


def c29(numbers):
    """Training accuracy: Euler trained and inferred against ODE45 trained and inferred."""
    values = numbers.get("train_accuracy_under_euler", EULER), numbers.get("train_accuracy_under_ode45", ODE45)
    return [Clause("training accuracy", [better("Euler over ODE45", *values, POINTS)])]


CLAIMS = {"C01": c01, "C02": c02, "C03": c03, "C04": c04, "C05": c05, "C06": c06, "C21": c21, "C27": c27, "C29": c29}
