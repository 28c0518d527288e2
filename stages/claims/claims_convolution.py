"""A claim of our own on convolutional networks, beyond the paper. It returns its clauses."""

from stages.claims.comparisons import better
from stages.claims.grid import POINTS, twins_of
from stages.claims.verdicts import Clause
from stages.names.labels import model_label


def b10(numbers):
    """Every convolutional network above the dense one of the same trainer, loss and activation."""
    comparisons = [
        better(model_label(other), numbers.get("accuracy", other), numbers.get("accuracy", dense), POINTS)
        for dense, other in twins_of(numbers, ("sgd", "ncg"), "-conv")
    ]
    return [Clause("accuracy on clean test images, convolutional over dense", comparisons)]


CLAIMS = {"B10": b10}
