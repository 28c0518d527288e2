"""Projected gradient descent (PGD) in the l2 norm, as the Adversarial Robustness Toolbox has it.

    x <- project( clip( x + step g / |g| ) ),     g = gradient of the loss with respect to the image

from the image itself, without random starts; all iterations are made, and the last image is judged. The loss is
cross-entropy of the class scores, or the network's own. The toolbox's earlier releases divided by |g| + 1e-7.
"""

from stages.arrays import namespace
from stages.attack.ball import normalised
from stages.attack.radii import smallest_radius
from stages.attack.walk import Walk
from stages.errors import UserError
from stages.model.cost import Cost, one_hot


def attack(victim, images, labels, radii, report, *, loss, step, iterations):
    if not (step > 0 and iterations >= 1):
        raise UserError(
            f"config: attack.attacks: wanted step > 0 and iterations >= 1, found step {step}, iterations {iterations}"
        )
    cost = attacked_cost(victim, loss)

    def look(x, who):
        return loss_direction(victim, cost, x, labels[who])

    return smallest_radius(Walk(look, victim.read, step, iterations, False), victim, images, labels, radii, report)


def loss_direction(victim, cost, x, labels):
    """Return (classes read, unit directions (pixel, sample) in which the loss grows fastest; zero where it is flat)."""
    final = victim.solve(x)
    found = final[: victim.classes].argmax(axis=0)
    λ = cost.derivative(final, one_hot(labels, x.shape[0], x.dtype, namespace(x)))
    return found, normalised(victim.pull_back(λ[:, None, :])[:, 0])


def attacked_cost(victim, loss):
    """Return the loss to climb: "ce", cross-entropy of the class scores, or "own", that of the network's training."""
    if loss == "ce":
        return Cost(mu1=0.0, mu2=1.0, mu3=0.0, weight_decay=0.0, components=victim.classes)
    if loss == "own" and victim.loss is not None:
        return Cost(**victim.loss, weight_decay=0.0)
    raise UserError(f"config: attack.attacks: loss: wanted ce or own, found {loss!r}")
