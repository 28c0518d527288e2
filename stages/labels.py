"""Names for people: of trainers, losses, activations, attacks and models, as figures, tables and the report print them.

What the paper does not have keeps the name that its user gave it.
"""

from stages.model_name import split_model

TRAINERS = {
    "sgd": "SGD",
    "sgd-wd": "SGD, weight decay",
    "ncg": "NCG",
    "ncg-wd": "NCG, weight decay",
    "ncg-sobolev": "Sobolev NCG",
    "sgd-robust": "SGD, robust",
    "ncg-robust": "NCG, robust",
    "ncg-sobolev-robust": "Sobolev NCG, robust",
    "sgd-conv": "SGD, convolutions",
    "ncg-conv": "NCG, convolutions",
    "ncg-euler20": "NCG with Euler",
    "ncg-ode45": "NCG with ODE45",
}
SOLVERS = {"euler": "Euler", "ode45": "ODE45"}
ACTIVATIONS = {"relu": "ReLU"}
LOSSES = {"ce": "cross-entropy", "l2": "ℓ² loss"}
SHORT_LOSSES = {"ce": "CE", "l2": "ℓ²"}
ATTACKS = {
    "sensitivity": "sensitivity, moving target",
    "sensitivity-targeted": "sensitivity, best of 9 targets",
    "pgd-0.06": "PGD, step 0.06",
    "pgd-0.6": "PGD, step 0.6",
    "fgsm": "FGSM",
    "cw": "Carlini-Wagner on scores",
    "cw-softmax": "Carlini-Wagner on softmax",
    "pgd-far": "PGD in large balls",
    "transfer": "PGD on the twin",
}


def trainer_label(trainer):
    return TRAINERS.get(trainer, trainer)


def solver_label(solver):
    return SOLVERS.get(solver, solver)


def tolerances_label(ode45):
    """Say how exactly the adaptive solver solves: its settings in words."""
    return f"ODE45: rtol {ode45['rtol']:g}, atol {ode45['atol']:g}, {ode45['norm']} norm"


def activation_label(activation):
    return ACTIVATIONS.get(activation, activation)


def loss_label(loss):
    return LOSSES.get(loss, loss)


def combination_label(activation, loss):
    return f"{activation_label(activation)}, {SHORT_LOSSES.get(loss, loss)}"


def attack_label(attack):
    return ATTACKS.get(attack, attack)


def model_label(model):
    """Name a model: ncg-wd_l2_tanh -> NCG, weight decay, tanh, ℓ²."""
    trainer, loss, activation = split_model(model)
    return f"{trainer_label(trainer)}, {combination_label(activation, loss)}"
