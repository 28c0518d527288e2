"""The known attacks, one record each. A user's own attack keeps the name that the user gave it."""

from typing import NamedTuple

from stages.names.colours import BLACK, GREY, INDIGO, OLIVE, ORANGE, PURPLE, ROSE, SKY, TEAL, WINE

HELD = "sensitivity-held"  # the sensitivity attack without the pixels that are class scores
DASHES = (0, (4, 1.6))
DOTS = (0, (1, 1.2))


class Attack(NamedTuple):
    label: str  # in figures, tables and the report
    short: str  # for narrow places
    colour: str | None = None
    dashes: str | tuple = (0, (3, 1, 1, 1))
    width: float = 1.2


ATTACKS = {
    "sensitivity": Attack("sensitivity, moving target", "sensitivity", BLACK, "-", 1.4),
    "sensitivity-targeted": Attack("sensitivity, best of 9 targets", "best target", PURPLE, "-", 1.0),
    "pgd-0.06": Attack("PGD, step 0.06", "PGD 0.06", ORANGE, DASHES),
    "pgd-0.6": Attack("PGD, step 0.6", "PGD 0.6", SKY, (0, (7, 1.6))),
    "fgsm": Attack("FGSM", "FGSM", GREY, DOTS),
    "cw": Attack("Carlini-Wagner on scores", "CW, scores", WINE),
    "cw-softmax": Attack("Carlini-Wagner on softmax", "CW, softmax", ROSE),
    HELD: Attack("sensitivity, scores held", "scores held", INDIGO),
    "pgd-far": Attack("PGD in large balls", "PGD far", OLIVE),
    "transfer": Attack("PGD on the twin", "transfer", TEAL),
}


def attack(name):
    """Return the record of an attack; for an unknown one, a record with its name as label."""
    return ATTACKS.get(name) or Attack(name, name)
