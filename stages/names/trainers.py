"""The known trainers, one record each. A user's own trainer keeps the name that the user gave it."""

from typing import NamedTuple

from stages.names.colours import BLUE, GREEN, INDIGO, PURPLE, VERMILION, WINE


class Trainer(NamedTuple):
    label: str  # in figures, tables and the report
    short: str  # for narrow places such as a terminal: at most 12 characters
    colour: str | None = None  # of its curves, unless another trainer of the figure has it
    family: str = ""  # the trainer that it is a variant of; both share a colour and differ in line style


TRAINERS = {
    "sgd": Trainer("SGD", "SGD", VERMILION),
    "sgd-wd": Trainer("SGD, weight decay", "SGD w.d.", family="sgd"),
    "ncg": Trainer("NCG", "NCG", BLUE),
    "ncg-wd": Trainer("NCG, weight decay", "NCG w.d.", family="ncg"),
    "ncg-sobolev": Trainer("Sobolev NCG", "NCG Sobolev", GREEN),
    "sgd-robust": Trainer("SGD, robust", "SGD robust", family="sgd"),
    "ncg-robust": Trainer("NCG, robust", "NCG robust", family="ncg"),
    "ncg-sobolev-robust": Trainer("Sobolev NCG, robust", "Sobolev rob.", family="ncg-sobolev"),
    "sgd-own": Trainer("SGD, own scores", "SGD own", family="sgd"),
    "ncg-own": Trainer("NCG, own scores", "NCG own", family="ncg"),
    "ncg-sobolev-own": Trainer("Sobolev NCG, own scores", "Sobolev own", family="ncg-sobolev"),
    "sgd-pixels": Trainer("SGD, pixels as scores", "SGD pixels", family="sgd"),
    "ncg-pixels": Trainer("NCG, pixels as scores", "NCG pixels", family="ncg"),
    "ncg-sobolev-pixels": Trainer("Sobolev NCG, pixels as scores", "Sobolev pix.", family="ncg-sobolev"),
    "sgd-conv": Trainer("SGD, convolutions", "SGD conv.", WINE),
    "ncg-conv": Trainer("NCG, convolutions", "NCG conv.", INDIGO),
    "ncg-euler20": Trainer("NCG with Euler", "NCG Euler", BLUE),
    "ncg-ode45": Trainer("NCG with ODE45", "NCG ODE45", PURPLE),
}


def trainer(name):
    """Return the record of a trainer; for an unknown one, a record with its name as label."""
    return TRAINERS.get(name) or Trainer(name, name)


def family(name):
    """Return the trainer whose colour this one shares: itself, unless it is a variant of another."""
    return trainer(name).family or name
