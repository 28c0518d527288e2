"""How every figure looks: one colour a trainer, one line style a meaning.

Colours are Okabe and Ito's, which people with the common colour-vision deficiencies can tell apart. A trainer with
weight decay has the colour of its trainer and dashes, a robust one dots; an activation has its marker. Attack figures
compare combinations of activation and loss, or attacks: those have colours of their own, never a trainer's.
"""

BLACK, ORANGE, SKY, GREEN = "#000000", "#E69F00", "#56B4E9", "#009E73"
BLUE, VERMILION, PURPLE = "#0072B2", "#D55E00", "#CC79A7"  # their yellow is too pale for lines on white
GREY = "#666666"

TRAINERS = {"sgd": VERMILION, "ncg": BLUE, "ncg-sobolev": GREEN, "ncg-euler20": BLUE, "ncg-ode45": PURPLE}
TRAINERS |= {"sgd-wd": VERMILION, "ncg-wd": BLUE, "sgd-conv": ORANGE, "ncg-conv": SKY}
TRAINERS |= {"sgd-robust": VERMILION, "ncg-robust": BLUE, "ncg-sobolev-robust": GREEN}
MARKERS = {"relu": "o", "tanh": "s"}
COMBINATIONS = {("relu", "ce"): ORANGE, ("relu", "l2"): SKY, ("tanh", "ce"): PURPLE, ("tanh", "l2"): BLACK}
DASHES = (0, (4, 1.6))
DOTS = (0, (1, 1.2))
# name in the configuration: (colour, line style, width)
ATTACKS = {
    "sensitivity": (BLACK, "-", 1.4),
    "sensitivity-targeted": (PURPLE, "-", 1.0),
    "pgd-0.06": (ORANGE, DASHES, 1.2),
    "pgd-0.6": (SKY, (0, (7, 1.6)), 1.2),
    "fgsm": (GREY, DOTS, 1.2),
}
# For what a user adds.
SPARE_COLOURS = [GREEN, VERMILION, BLUE, GREY, ORANGE, SKY, BLACK]
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


def trainer_colour(trainer):
    return TRAINERS.get(trainer) or _spare(SPARE_COLOURS, trainer)


def trainer_dashes(traits):
    """Return the line style of a trainer, from its settings."""
    return DASHES if traits["weight_decay"] else DOTS if "robust" in traits else "-"


def activation_marker(activation):
    return MARKERS.get(activation) or _spare(SPARE_MARKERS, activation)


def combination_colour(activation, loss):
    return COMBINATIONS.get((activation, loss)) or _spare(SPARE_COLOURS, activation + loss)


def attack_look(attack):
    """Return how to draw the curve of an attack."""
    colour, dashes, width = ATTACKS.get(attack) or (_spare(SPARE_COLOURS, attack), (0, (3, 1, 1, 1)), 1.2)
    return {"color": colour, "linestyle": dashes, "linewidth": width}


def _spare(choices, name):
    """Choose for a name that the paper does not have, always the same."""
    return choices[sum(name.encode()) % len(choices)]
