"""Projected gradient descent (PGD) in the l2 norm, as in the Adversarial Robustness Toolbox.

    x <- project( clip( x + step g / |g| ) ),     g = gradient of the loss with respect to the image

from the image itself, without random starts; all iterations are made, and the last image counts. The loss is
cross-entropy of the class scores, or the network's own. Earlier releases of the toolbox divided by |g| + 1e-7.
"""

from stages.attack.loss_gradient import attacked_cost, loss_direction
from stages.attack.smallest_radius import smallest_radius
from stages.attack.walk import Walk
from stages.runtime.schemas import number, whole

SETTINGS = {
    "loss": {"enum": ["ce", "own"], "description": "Loss that is climbed."},
    "step": number("Length of a step.", above=0, most=1000),
    "iterations": whole("Steps.", least=1, most=100000),
}
NORM_SETTINGS = ("step",)


def attack(victim, images, labels, radii, report, *, loss, step, iterations):
    return climb(victim, victim, images, labels, radii, report, loss, step, iterations)


def climb(seen, victim, images, labels, radii, report, loss, step, iterations):
    """Increase the loss of the network `seen`; the victim's prediction for the last image counts."""
    cost = attacked_cost(seen, loss)

    def direction(x, indices):
        return loss_direction(seen, cost, x, labels[indices])

    walk = Walk(direction, victim, step, iterations, stop_when_misclassified=False)
    return smallest_radius(walk, images, labels, radii, report)
