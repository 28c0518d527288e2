"""The direction of steepest ascent of a loss, for PGD and FGSM.

One cotangent per image, the derivative of the loss with respect to x(T), is pulled back through the network.
"""

from stages.model.cost import Cost, one_hot
from stages.perturbations.ball import normalised
from stages.runtime.arrays import namespace


def loss_direction(victim, cost, x, labels):
    """Return (predicted classes, unit directions of ascent (pixel, sample); zero where the loss is flat)."""
    final = victim.solve(x)
    found = victim.read_out(final).argmax(axis=0)
    λ = cost.derivative(final, one_hot(labels, cost.components, x.dtype, namespace(x)))
    return found, normalised(victim.pull_back(λ[:, None, :])[:, 0])


def attacked_cost(victim, loss):
    """Return the loss to increase: "ce", cross-entropy of the class scores, or "own", the loss of the training."""
    readout = victim.network.readout
    if loss == "ce":
        return Cost(mu1=0.0, mu2=1.0, mu3=0.0, weight_decay=0.0, components=victim.classes, readout=readout)
    return Cost(**victim.loss, weight_decay=0.0, readout=readout)
