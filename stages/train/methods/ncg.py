"""Nonlinear conjugate gradients (paper, Algorithm 1): the trainer of sNODEs.

On each batch, for j = 0, 1, ...:

    G_j  the L² gradient, or the Sobolev gradient, from the adjoint problem
    γ_j = |G_j|² / |G_{j-1}|²,  γ_0 = 0                    (Fletcher-Reeves, restarted at each batch)
    d_j = -G_j + γ_j d_{j-1}
    η_j  minimises the cost linearised by the sensitivity problem with ω, β = d_j
    (W, b) <- (W, b) + η_j d_j

Two safeguards, both counted: a direction that does not descend is replaced by -G_j; a step that raises the cost is
halved. The direct solve of the second check is that of the next iteration, so it is free unless it triggers.

The passes over the weights (fill the gradient, update the direction, move the weights) are in `stages.train.passes`.
The components of x(T) and ξ(T) in the loss, a few numbers per image, are copied to the host. Cost, step length and
safeguards are computed there, so the host waits for a GPU three times per iteration.
"""

import numpy as np

from stages.model.products import inner_product
from stages.runtime.arrays import namespace, to_host
from stages.train.methods.base import History, require_finite
from stages.train.passes import passes_over
from stages.train.step_length import CostAlong, step_length

HALVINGS = 10  # after the last one the step is given up and the weights stay


class ConjugateGradient:
    label = "NCG-trained sNODEs"
    settings = {}
    options = {"halving": {"type": "boolean", "description": "Halve a step after which the cost is higher."}}
    gradients = ("l2", "sobolev")
    weight_arrays = 3  # weights, gradient, direction; the Sobolev gradient takes one more

    def __init__(self, network, cost, samples, *, solver=None, gradient="l2", updates=1, halving=True):
        self.network, self.cost, self.halving = network, cost, halving
        self.passes = passes_over(network, samples, solver)
        self.passes.keep_directions(smooth=gradient == "sobolev")
        self.gradient, self.direction = self.passes.gradient, self.passes.direction

    def train_on_batch(self, x0, y, iterations):
        cost, passes = self.cost, self.passes
        history, previous = History(), None
        y = to_host(cost.wanted(y))
        u = self._seen(passes.direct(x0))
        loss = require_finite(self._cost(u, y), 0)
        for iteration in range(iterations):
            squared = to_host(passes.fill_gradient(self._adjoint(u, y), cost.weight_decay))
            if previous is None:
                γ, ξ = np.zeros_like(squared), passes.begin()
            else:
                γ = squared / np.where(previous > 0, previous, 1.0)
                ξ = passes.turn(γ)
            along = self._cost_along(u, ξ, y)
            restart = ~(along.at_zero[0] < 0) & (γ > 0)
            if bool(restart.any()):
                γ = np.where(restart, 0.0, γ)
                along = self._cost_along(u, passes.restart(restart), y)
            η = step_length(along)
            u, after, η, halvings = self._step(x0, y, η, loss, iteration)
            history.append(loss=loss, loss_after=after, step_size=η, conjugacy=γ, restarts=restart, halvings=halvings)
            history.append(gradient_norm=np.sqrt(squared))
            loss, previous = after, squared
        return history

    def _seen(self, x):
        """Return the components of x(T) or ξ(T) in the loss, on the host."""
        return to_host(self.cost.seen(x))

    def _adjoint(self, u, y):
        """Return λ(T) on the device of the states."""
        network = self.network
        slope = namespace(network.parameters).asarray(self.cost.slope(u, y))
        return self.cost.readout.cotangent(slope, network.width, network.dtype)

    def _cost_along(self, u, ξ, y):
        """Return the linearised cost along d, with µ4 <W, d> and µ4 |d|²."""
        decay, network, d = self.cost.weight_decay, self.network, self.direction
        products = [inner_product(network, a, d) for a in (network, d)] if decay else []
        return CostAlong(self.cost, u, self._seen(ξ), y, *(decay * to_host(product) for product in products))

    def _step(self, x0, y, η, loss, iteration):
        """Move by η d; in runs whose cost rises, halve the step until it does not or the step is given up."""
        halvings = np.zeros(η.shape, "int64")
        move = η
        for attempt in range(HALVINGS + 1):
            u = self._seen(self.passes.move(x0, move))
            after = self._cost(u, y)
            higher = ~(after <= loss) & (η > 0)  # also true if the cost is nan
            if not (self.halving and self.passes.solver.continuous_cost and bool(higher.any())):
                break
            kept = np.where(higher, 0.0 if attempt == HALVINGS - 1 else 0.5, 1.0) * η
            move, η = kept - η, kept  # zero for the other runs, whose weights stay the same bit for bit
            halvings = halvings + higher
        return u, require_finite(after, iteration), η, halvings

    def _cost(self, u, y):
        loss = self.cost.loss(u, y)
        return loss + to_host(self.cost.decay(self.network)) if self.cost.weight_decay else loss

    def state(self):
        """Empty: every batch starts from scratch."""
        return {}

    def restore(self, state):
        pass


METHOD = ConjugateGradient
