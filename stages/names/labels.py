"""Labels of trainers, losses, activations, attacks and models in figures, tables and the report.

Unknown ones keep the name that the user gave them.
"""

from stages.catalogues import ACTIVATIONS, SOLVERS
from stages.names.attacks import attack
from stages.names.model_name import split_model
from stages.names.trainers import trainer

LOSSES = {"ce": "cross-entropy", "l2": "ℓ² loss"}
SHORT_LOSSES = {"ce": "CE", "l2": "ℓ²"}


def trainer_label(name):
    return trainer(name).label


def trainer_short(name):
    """Return the short label of a trainer: at most 12 characters for known ones."""
    return trainer(name).short


def solver_label(solver):
    return SOLVERS.find(solver).label if solver in SOLVERS else solver


def tolerances_label(ode45):
    return f"ODE45: rtol {ode45['rtol']:g}, atol {ode45['atol']:g}, {ode45['norm']} norm"


def activation_label(activation):
    return ACTIVATIONS.find(activation).label if activation in ACTIVATIONS else activation


def loss_label(loss):
    return LOSSES.get(loss, loss)


def combination_label(activation, loss):
    return f"{activation_label(activation)}, {SHORT_LOSSES.get(loss, loss)}"


def attack_label(name):
    return attack(name).label


def attack_short(name):
    return attack(name).short


def model_label(model):
    """Return the label of a model: ncg-wd_l2_tanh -> NCG, weight decay, tanh, ℓ²."""
    trained_by, loss, activation = split_model(model)
    return f"{trainer_label(trained_by)}, {combination_label(activation, loss)}"
