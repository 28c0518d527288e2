"""Transfer: PGD attacks the victim's twin, and the resulting images are tested on the victim.

It needs no gradient of the victim. If it succeeds more often than PGD on the victim itself, the victim is not robust
but hides its gradient: the attack detects training that masks gradients.
"""

import dataclasses

from stages.attack.methods.pgd import NORM_SETTINGS, SETTINGS, climb

SURROGATE = True
__all__ = ["NORM_SETTINGS", "SETTINGS", "attack"]


def attack(victim, images, labels, radii, report, *, loss, step, iterations):
    outcome = climb(victim.surrogate, victim, images, labels, radii, report, loss, step, iterations)
    # Only the twin is evaluated on the way, so the step at which the victim is first fooled is unknown.
    return dataclasses.replace(outcome, norm_unconfined=None)
