"""The direction in which a loss grows fastest: what PGD and FGSM follow.

One cotangent per image, the derivative of the loss with respect to x(T), is pulled back through the network.
"""

from stages.model.cost import Cost, one_hot
from stages.perturbations.ball import normalised
from stages.runtime.arrays import namespace


def loss_direction(victim, cost, x, labels):
    """Return (predicted classes, unit directions (pixel, sample) in which the loss grows; zero where it is flat)."""
    final = victim.solve(x)
    found = victim.read_out(final).argmax(axis=0)
    λ = cost.derivative(final, one_hot(labels, cost.components, x.dtype, namespace(x)))
    return found, normalised(victim.pull_back(λ[:, None, :])[:, 0])


def attacked_cost(victim, loss):
    """Return the loss to climb: "ce", cross-entropy of the class scores, or "own", that of the network's training."""
    readout = victim.network.readout
    if loss == "ce":
        return Cost(mu1=0.0, mu2=1.0, mu3=0.0, weight_decay=0.0, components=victim.classes, readout=readout)
    return Cost(**victim.loss, weight_decay=0.0, readout=readout)
