"""A claim of our own on convolutional networks, beyond the paper. It returns its clauses."""

from stages.claims.comparisons import better
from stages.claims.grid import GRID
from stages.claims.verdicts import Clause
from stages.names.labels import model_label
from stages.names.model_name import model_name

TRAINERS, SUFFIX = ("sgd", "ncg"), "-conv"


def b10(numbers):
    """Every convolutional network above the dense one of the same trainer, loss and activation."""
    pairs = [
        (model_name(trainer, *combination), model_name(trainer + SUFFIX, *combination))
        for trainer in TRAINERS
        for combination in GRID
    ]
    there = [pair for pair in pairs if all(("accuracy", model) in numbers.values for model in pair)]
    comparisons = [
        better(model_label(other), numbers.get("accuracy", other), numbers.get("accuracy", dense), "points")
        for dense, other in there or pairs
    ]
    return [Clause("accuracy on clean test images, convolutional over dense", comparisons)]


CLAIMS = {"B10": b10}
