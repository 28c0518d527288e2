"""The style of all figures: one colour per trainer, combination or attack, one line style per meaning.

Colours are assigned for a whole figure at once, so that no two things share a colour and all panels agree. A trainer
with weight decay has the colour of its trainer and dashed lines, a robust one dotted lines, one with other class scores
than the experiment dash-dotted lines; activations have markers.
Where colours stand for combinations of activation and loss, or for attacks, the names of trainers are black.
"""

from stages.names import colours
from stages.names.attacks import DASHES, DOTS, attack
from stages.names.colours import BLACK, GREY, ORANGE, PURPLE, SKY
from stages.names.model_name import combinations_of
from stages.names.trainers import family, trainer

COMBINATIONS = {("relu", "ce"): ORANGE, ("relu", "l2"): SKY, ("tanh", "ce"): PURPLE, ("tanh", "l2"): BLACK}
DASH_DOTS = (0, (5, 1.2, 1, 1.2))
THRESHOLD = {"color": GREY, "linewidth": 0.6, "linestyle": (0, (1, 2))}  # a line across a panel
MARKERS = {"relu": "o", "tanh": "s"}
SPARE_MARKERS = ["^", "D", "v", "P", "X", "<", ">", "p", "h", "*"]

PARAMETERS = {
    "figure.facecolor": "white",
    "font.family": "DejaVu Sans",  # shipped with matplotlib: the same on every machine
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
    "pdf.fonttype": 42,  # keeps text searchable and editable
    "image.cmap": "gray",
    "image.interpolation": "nearest",
}


def trainer_colours(trainers):
    """Return {trainer: colour} for the trainers of a figure; only variants of one trainer share a colour."""
    families = dict.fromkeys(map(family, trainers))
    given = colours.distinct({name: trainer(name).colour for name in families}, taken=[GREY])
    return {name: given[family(name)] for name in trainers}


def trainer_look(colour, traits, size, open_size):
    """Return how to draw a trainer's curve; open markers with weight decay, so that coinciding curves are visible."""
    look = {"color": colour, "linestyle": trainer_dashes(traits), "marker": "o", "markersize": size}
    return look | ({"markerfacecolor": "none", "markersize": open_size} if traits["weight_decay"] else {})


def trainer_dashes(traits):
    """Return the line style of a trainer, from its settings."""
    if "scores" in traits:
        return DASH_DOTS
    return DASHES if traits["weight_decay"] else DOTS if "robust" in traits else "-"


def combination_colours(models, taken=(GREY,)):
    """Return {(activation, loss): colour} for the models of a figure, in alphabetical order."""
    return colours.distinct({each: COMBINATIONS.get(each) for each in combinations_of(models)}, taken)


def attack_looks(attacks):
    """Return {attack: how to draw its curve} for the attacks of a figure."""
    given = colours.distinct({name: attack(name).colour for name in attacks})
    return {
        name: {"color": given[name], "linestyle": attack(name).dashes, "linewidth": attack(name).width}
        for name in attacks
    }


def activation_markers(activations):
    """Return {activation: marker} for the activations of a figure."""
    spare = iter(SPARE_MARKERS)
    return {each: MARKERS.get(each) or next(spare) for each in dict.fromkeys(activations)}
