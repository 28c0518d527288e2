"""Claims on accuracy: solvers (Table 1), trainers and losses (Table 2). Each returns the groups of its comparisons."""

from stages.claims.verdicts import Group, better, close, no_effect
from stages.labels import activation_label, trainer_label
from stages.model_name import model_name

ACTIVATIONS, LOSSES = ("relu", "tanh"), ("ce", "l2")
RIVALS = (("ncg", "sgd"), ("ncg-wd", "sgd-wd"))
EULER, ODE45 = "ncg-euler20_l2_tanh", "ncg-ode45_l2_tanh"
POINTS = "points"


def c01(found):
    """Euler trained and inferred against ODE45 trained and inferred."""
    euler, ode45 = found.get("accuracy_under_euler", EULER), found.get("accuracy_under_ode45", ODE45)
    return [Group("test accuracy", [better("Euler over ODE45", euler, ode45, POINTS)])]


def c02(found):
    """Swapping the solver: the means within claims.comparable of each other, whatever the spread."""
    comparisons = []
    for trained, model, own, other in (("Euler", EULER, "euler", "ode45"), ("ODE45", ODE45, "ode45", "euler")):
        before, after = (found.get(f"accuracy_under_{solver}", model) for solver in (own, other))
        limit = found.thresholds["comparable"]
        comparisons.append(close(f"trained with {trained}, change on swapping", before, after, limit, POINTS))
    return [Group("test accuracy", comparisons)]


def c03(found):
    """NCG over SGD under cross-entropy."""
    comparisons = [
        better(
            f"{trainer_label(ncg)} over {trainer_label(sgd)}, {activation_label(activation)}",
            *(found.get("accuracy", model_name(trainer, "ce", activation)) for trainer in (ncg, sgd)),
            POINTS,
        )
        for ncg, sgd in RIVALS
        for activation in ACTIVATIONS
    ]
    return [Group("test accuracy, CE", comparisons)]


def c04(found):
    """NCG beside SGD under l2 loss."""
    pairs = [
        tuple(found.get("accuracy", model_name(trainer, "l2", activation)) for trainer in rivals)
        for rivals in RIVALS
        for activation in ACTIVATIONS
    ]
    beside = no_effect("NCG beside SGD, mean difference", pairs, found.thresholds["comparable"], POINTS)
    return [Group("test accuracy, ℓ²", [beside])]


def c05(found):
    """l2 over cross-entropy in accuracy, and under it in robustness, for SGD."""
    accuracy, robustness = [], []
    for trainer in ("sgd", "sgd-wd"):
        for activation in ACTIVATIONS:
            l2, ce = (model_name(trainer, loss, activation) for loss in ("l2", "ce"))
            what = f"{trainer_label(trainer)}, {activation_label(activation)}"
            accuracy.append(better(f"ℓ² over CE, {what}", found.get("accuracy", l2), found.get("accuracy", ce), POINTS))
            areas = (found.get("noise_area", ce), found.get("noise_area", l2))
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
        beside = no_effect("NCG, ℓ² beside CE, mean difference", pairs, found.thresholds["comparable"], POINTS)
        groups.append(Group(what, [beside]))
    return groups


CLAIMS = {"C01": c01, "C02": c02, "C03": c03, "C04": c04, "C05": c05, "C06": c06}
