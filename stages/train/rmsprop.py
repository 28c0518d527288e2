"""RMSprop with Keras's definitions: the trainer of the ResNets that the paper calls SGD.

    v <- ρ v + (1 - ρ) p²,     θ <- θ - rate p / (√v + ε)

p is the partial derivative of the cost with respect to an entry of W_l or b_l: h times the L² gradient. v starts at
zero and is kept over the whole training. The same network, initial weights, batches and number of iterations as NCG.
"""

import numpy as np

from stages.arrays import namespace, to_host
from stages.model.euler import Euler
from stages.train.conjugate_gradient import Diverged, History
from stages.train.passes import passes_over


class RMSprop:
    def __init__(self, network, cost, samples, *, rate, rho, epsilon):
        self.network, self.cost = network, cost
        self.settings = {"rate": rate, "rho": rho, "epsilon": epsilon}
        self.passes = passes_over(network, samples, Euler)
        self.v = namespace(network.parameters).zeros_like(network.parameters)

    def train_on_batch(self, x0, y, iterations):
        """Iterate on one batch of states x0 (..., neuron, sample) and targets y; return the History."""
        xp, cost, history = namespace(x0), self.cost, History()
        none, rates, nothing = (xp.full(x0.shape[:-2], each) for each in (float("nan"), self.settings["rate"], 0.0))
        for iteration in range(iterations):
            x = self.passes.direct(x0)
            loss = cost.value(x, y) + cost.decay(self.network)
            if xp is np:
                _require_finite(loss, iteration)
            squared = self.passes.update(cost.derivative(x, y), cost.weight_decay, self.v, **self.settings)
            history.append(loss=loss, loss_after=none, gradient_norm=xp.sqrt(squared))
            history.append(step_size=rates, conjugacy=none, restarts=nothing, halvings=nothing)
        history.on_host()
        for iteration, loss in enumerate(history.loss):  # a device is not waited for in between
            _require_finite(loss, iteration)
        return history


def _require_finite(loss, iteration):
    if not bool(np.isfinite(loss).all()):
        raise Diverged(iteration, to_host(loss))
