"""Claims on accuracy: solvers (Table 1), trainers and losses (Table 2). Each returns the groups of its comparisons."""

from stages.experiment import model_name
from stages.report.verdicts import Group, better, close, no_effect

ACTIVATIONS, LOSSES = ("relu", "tanh"), ("ce", "l2")
EULER, ODE45 = "ncg-euler20_l2_tanh", "ncg-ode45_l2_tanh"
POINTS = "points"


def c01(found):
    """Euler trained and inferred against ODE45 trained and inferred."""
    euler, ode45 = found.get("solver_accuracy", (EULER, "euler")), found.get("solver_accuracy", (ODE45, "ode45"))
    return [Group("test accuracy", [better("Euler over ODE45", euler, ode45, POINTS)])]


def c02(found):
    """Swapping the solver: the difference of the means within claims.comparable, whatever the spread."""
    limit = found.thresholds["comparable"]
    comparisons = []
    for trained, model, own, other in (("Euler", EULER, "euler", "ode45"), ("ODE45", ODE45, "ode45", "euler")):
        before, after = (found.get("solver_accuracy", (model, solver)) for solver in (own, other))
        comparisons.append(close(f"trained with {trained}, swapped", before, after, limit, POINTS))
    return [Group("test accuracy lost or won", comparisons)]


def c03(found):
    """NCG over SGD under cross-entropy."""
    comparisons = [
        better(
            f"{ncg} over {sgd}, {activation}",
            *_accuracies(found, (ncg, "ce", activation), (sgd, "ce", activation)),
            POINTS,
        )
        for ncg, sgd in (("ncg", "sgd"), ("ncg-wd", "sgd-wd"))
        for activation in ACTIVATIONS
    ]
    return [Group("test accuracy, cross-entropy", comparisons)]


def c04(found):
    """NCG beside SGD under l2 loss."""
    pairs = [
        _accuracies(found, (ncg, "l2", activation), (sgd, "l2", activation))
        for ncg, sgd in (("ncg", "sgd"), ("ncg-wd", "sgd-wd"))
        for activation in ACTIVATIONS
    ]
    return [
        Group("test accuracy, ℓ² loss", [no_effect("NCG beside SGD", pairs, found.thresholds["comparable"], POINTS)])
    ]


def c05(found):
    """l2 over cross-entropy in accuracy, and under it in robustness, for SGD."""
    models = [(trainer, activation) for trainer in ("sgd", "sgd-wd") for activation in ACTIVATIONS]
    accuracy, robustness = [], []
    for trainer, activation in models:
        names = [model_name(trainer, loss, activation) for loss in ("l2", "ce")]
        what = f"{trainer}, {activation}"
        accuracy.append(better(f"ℓ² over CE, {what}", *(found.get("accuracy", name) for name in names), POINTS))
        areas = [found.get("noise_area", name) for name in reversed(names)]
        robustness.append(better(f"CE over ℓ², {what}", *areas, POINTS))
    return [Group("test accuracy", accuracy), Group("mean accuracy under noise", robustness)]


def c06(found):
    """l2 beside cross-entropy for NCG."""
    groups = []
    for quantity, what in (("accuracy", "test accuracy"), ("noise_area", "mean accuracy under noise")):
        pairs = [
            tuple(found.get(quantity, model_name(trainer, loss, activation)) for loss in LOSSES)
            for trainer in ("ncg", "ncg-wd")
            for activation in ACTIVATIONS
        ]
        groups.append(Group(what, [no_effect("ℓ² beside CE", pairs, found.thresholds["comparable"], POINTS)]))
    return groups


def _accuracies(found, *models):
    return tuple(found.get("accuracy", model_name(*model)) for model in models)


CLAIMS = {"C01": c01, "C02": c02, "C03": c03, "C04": c04, "C05": c05, "C06": c06}
