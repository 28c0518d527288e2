"""Transfer: PGD climbs the loss of the victim's twin, and the images that it finds are tried on the victim.

It needs no gradient of the victim. A network that it fools more often than PGD on the network itself does hides its
gradient instead of being robust: training that masks gradients is found out by it.
"""

import dataclasses

from stages.attack.methods.pgd import NORM_SETTINGS, SETTINGS, climb

SURROGATE = True
__all__ = ["NORM_SETTINGS", "SETTINGS", "attack"]


def attack(victim, images, labels, radii, report, *, loss, step, iterations):
    outcome = climb(victim.surrogate, victim, images, labels, radii, report, loss, step, iterations)
    # On the way the twin is asked, so nobody knows at which step the victim was first fooled.
    return dataclasses.replace(outcome, norm_unconfined=None)
