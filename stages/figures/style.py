"""How every figure looks: one colour a trainer, one line style a meaning.

Colours are Okabe and Ito's, which people with the common colour-vision deficiencies can tell apart. A trainer with
weight decay has the colour of its trainer and dashes; an activation has its marker. Attack figures compare
combinations of activation and loss, or attacks: those have colours of their own, never a trainer's.
"""

from stages.experiment import split_model

BLACK, ORANGE, SKY, GREEN = "#000000", "#E69F00", "#56B4E9", "#009E73"
BLUE, VERMILION, PURPLE = "#0072B2", "#D55E00", "#CC79A7"  # their yellow is too pale for lines on white
GREY = "#666666"

TRAINERS = {
    "sgd": ("SGD", VERMILION),
    "ncg": ("NCG", BLUE),
    "ncg-sobolev": ("Sobolev NCG", GREEN),
    "ncg-euler20": ("Euler", BLUE),
    "ncg-ode45": ("ODE45", PURPLE),
}
ACTIVATIONS = {"relu": ("ReLU", "o"), "tanh": ("tanh", "s")}
LOSSES = {"ce": "cross-entropy", "l2": "ℓ² loss"}
SHORT_LOSSES = {"ce": "CE", "l2": "ℓ²"}
COMBINATIONS = {("relu", "ce"): ORANGE, ("relu", "l2"): SKY, ("tanh", "ce"): PURPLE, ("tanh", "l2"): BLACK}
DASHES = (0, (4, 1.6))
# name in the configuration: (label, colour, line style, width)
ATTACKS = {
    "sensitivity": ("sensitivity, moving target", BLACK, "-", 1.4),
    "sensitivity-targeted": ("sensitivity, best of 9 targets", PURPLE, "-", 1.0),
    "pgd-0.06": ("PGD, step 0.06", ORANGE, DASHES, 1.2),
    "pgd-0.6": ("PGD, step 0.6", SKY, (0, (7, 1.6)), 1.2),
    "fgsm": ("FGSM", GREY, (0, (1, 1.2)), 1.2),
}
SPARE_COLOURS = [GREY, ORANGE, SKY, BLACK]  # for trainers and combinations of the user's own
SPARE_MARKERS = ["^", "D", "v", "P", "X"]

PARAMETERS = {
    "figure.facecolor": "white",
    "font.family": "DejaVu Sans",  # shipped with matplotlib: the same letters on every machine
    "font.size": 7.5,
    "axes.titlesize": 8,
    "axes.labelsize": 7.5,
    "axes.linewidth": 0.6,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.grid": True,
    "axes.axisbelow": True,
    "grid.color": "#E3E3E3",
    "grid.linewidth": 0.5,
    "lines.linewidth": 1.2,
    "lines.markersize": 3.5,
    "xtick.labelsize": 7,
    "ytick.labelsize": 7,
    "xtick.major.width": 0.6,
    "ytick.major.width": 0.6,
    "legend.fontsize": 7,
    "legend.frameon": False,
    "legend.handlelength": 2.6,
    "pdf.fonttype": 42,  # letters stay text: they can be searched and edited
    "image.cmap": "gray",
    "image.interpolation": "nearest",
}


def trainer_label(trainer):
    """Name a trainer for people: sgd-wd -> SGD, weight decay."""
    plain = trainer.removesuffix("-wd")
    label = TRAINERS.get(plain, (plain,))[0]
    return label if plain == trainer else f"{label}, weight decay"


def trainer_colour(trainer):
    plain = trainer.removesuffix("-wd")
    return TRAINERS[plain][1] if plain in TRAINERS else _spare(SPARE_COLOURS, plain)


def trainer_dashes(trainer):
    return DASHES if trainer.endswith("-wd") else "-"


def activation_label(activation):
    return ACTIVATIONS.get(activation, (activation,))[0]


def activation_marker(activation):
    return ACTIVATIONS[activation][1] if activation in ACTIVATIONS else _spare(SPARE_MARKERS, activation)


def loss_label(loss):
    return LOSSES.get(loss, loss)


def combination_label(activation, loss):
    return f"{activation_label(activation)}, {SHORT_LOSSES.get(loss, loss)}"


def combination_colour(activation, loss):
    return COMBINATIONS.get((activation, loss)) or _spare(SPARE_COLOURS, activation + loss)


def attack_style(attack):
    """Return (label, colour, line style, width) of an attack."""
    return ATTACKS.get(attack, (attack, _spare(SPARE_COLOURS, attack), "-", 1.2))


def model_label(model):
    """Name a model for people: ncg-wd_l2_tanh -> NCG, weight decay, tanh, ℓ²."""
    trainer, loss, activation = split_model(model)
    return f"{trainer_label(trainer)}, {combination_label(activation, loss)}"


def _spare(choices, name):
    """Choose for a name that the paper does not have, always the same."""
    return choices[sum(name.encode()) % len(choices)]
