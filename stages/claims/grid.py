"""The networks that claims compare: trainers, losses and activations of Table 2, and their names in text."""

from stages.names import paper_rows
from stages.names.labels import SHORT_LOSSES, activation_label

ACTIVATIONS, LOSSES = ("relu", "tanh"), paper_rows.LOSSES
TRAINERS = paper_rows.TRAINERS
GRID = [(loss, activation) for activation in ACTIVATIONS for loss in LOSSES]
WITHOUT_DECAY = ("sgd", "ncg", "ncg-sobolev")
RIVALS = (("ncg", "sgd"), ("ncg-wd", "sgd-wd"))  # with the same weight decay
POINTS = "points"


def about(loss, activation, **more):
    """Return the parts {name: value} of a claim that a comparison belongs to."""
    return {"activation": activation_label(activation), "loss": SHORT_LOSSES.get(loss, loss), **more}
