"""Nonlinear conjugate gradients (paper, Algorithm 1): the trainer of sNODEs.

On each batch, for j = 0, 1, ...:

    G_j  the L² gradient, or the Sobolev gradient, from the adjoint problem
    γ_j = |G_j|² / |G_{j-1}|²,  γ_0 = 0                    (Fletcher-Reeves, restarted at each batch)
    d_j = -G_j + γ_j d_{j-1}
    η_j  minimises the cost linearised by the sensitivity problem with ω, β = d_j
    (W, b) <- (W, b) + η_j d_j

Two guards, both counted: a direction that does not descend is replaced by -G_j; a step after which the cost is higher
is halved. The direct solve that the second needs is the next iteration's own, so it is free unless it triggers.

Every pass over the weights is made layer by layer inside a solve that needs that layer anyway: the direction is
turned in the sensitivity problem, the weights are moved in the direct problem.
"""

from dataclasses import dataclass, field

from stages.arrays import namespace, to_host
from stages.model.adjoint import Gradient
from stages.model.cost_along import CostAlong
from stages.model.euler import Euler
from stages.model.inner_product import SumOfSquares, inner_product, sum_of_products
from stages.model.sobolev import Smoothing
from stages.train.step_length import step_length

HALVINGS = 10  # after so many the step is given up and the weights stay


class Diverged(ArithmeticError):
    """The cost is not a finite number."""

    def __init__(self, iteration, loss):
        self.iteration, self.loss = iteration, loss
        super().__init__(f"the cost is {loss} at iteration {iteration} of the batch")


@dataclass
class History:
    """What each iteration did, a list entry an iteration; entries have the networks' leading axes."""

    loss: list = field(default_factory=list)  # before the iteration
    loss_after: list = field(default_factory=list)
    step_size: list = field(default_factory=list)
    conjugacy: list = field(default_factory=list)
    gradient_norm: list = field(default_factory=list)
    restarts: list = field(default_factory=list)
    halvings: list = field(default_factory=list)

    def append(self, **values):
        for name, value in values.items():
            getattr(self, name).append(to_host(value))


class ConjugateGradient:
    def __init__(self, network, cost, samples, *, gradient="l2", solver=Euler):
        self.network, self.cost = network, cost
        self.solver = solver(network, samples)
        self.gradient = Gradient(network)
        self.smoothing = Smoothing(self.gradient.parameters, network.h) if gradient == "sobolev" else None
        self.direction = Gradient(network)  # d: the same shapes
        self.scratch = namespace(network.parameters).empty_like(network.parameters[0])

    def train_on_batch(self, x0, y, iterations):
        """Iterate on one batch of states x0 (..., neuron, sample) and targets y; return the History."""
        xp, cost, solver = namespace(x0), self.cost, self.solver
        history, previous = History(), None
        self.direction.parameters[...] = 0
        x = solver.direct(x0)
        loss = self._require_finite(self._cost(x, y), 0)
        for iteration in range(iterations):
            squared = self._gradient(cost.derivative(x, y))
            γ = xp.zeros_like(squared) if previous is None else squared / xp.where(previous > 0, previous, 1.0)
            ξ = solver.sensitivity(self._turn(γ))
            along = CostAlong(cost, x, ξ, y, *self._decay_along())
            restart = ~(along.at_zero[0] < 0) & (γ > 0)
            if bool(restart.any()):
                γ = xp.where(restart, 0.0, γ)
                self._restart(restart)
                ξ = solver.sensitivity(self.direction.parameters.__getitem__)
                along = CostAlong(cost, x, ξ, y, *self._decay_along())
            η = step_length(along)
            x, after, η, halvings = self._step(x0, y, η, loss, iteration)
            history.append(loss=loss, loss_after=after, step_size=η, conjugacy=γ, restarts=restart, halvings=halvings)
            history.append(gradient_norm=xp.sqrt(squared))
            loss, previous = after, squared
        return history

    def _gradient(self, adjoint):
        """Fill the gradient, L² or Sobolev, from λ(T), and return the square of its norm in L²(0, T)."""
        G, decay, smoothing = self.gradient, self.cost.weight_decay, self.smoothing
        if smoothing is None:
            squares = SumOfSquares(G)
            self.solver.gradient(adjoint, G, decay, after_layer=squares.add)
            return self.network.h * squares.total
        self.solver.gradient(adjoint, G, decay, after_layer=smoothing.eliminate)
        return self.network.h * sum(sum_of_products(s, s) for s in smoothing.substitute())

    def _turn(self, γ):
        """Return the layers' directions d = -G + γ d, each turned at the moment it is asked for."""
        G, d = self.gradient.parameters, self.direction.parameters
        γ = γ.astype(d.dtype)[..., None, None]

        def turned(layer):
            d_layer = d[layer]
            d_layer *= γ
            d_layer -= G[layer]
            return d_layer

        return turned

    def _restart(self, restart):
        """Set d = -G in the runs where `restart` is true."""
        xp, G, d = namespace(self.scratch), self.gradient.parameters, self.direction.parameters
        for layer in range(self.network.depth):
            d[layer] = xp.where(restart[..., None, None], -G[layer], d[layer])

    def _decay_along(self):
        """µ4 <W, d> and µ4 |d|²."""
        decay, network, d = self.cost.weight_decay, self.network, self.direction
        if not decay:
            return 0.0, 0.0
        return decay * inner_product(network, network, d), decay * inner_product(network, d, d)

    def _step(self, x0, y, η, loss, iteration):
        """Move by η d; where the cost rises, take back half of the step, until it does not or the step is given up."""
        xp = namespace(x0)
        halvings = xp.zeros(η.shape, "int64")
        move = η
        for attempt in range(HALVINGS + 1):
            x = self.solver.direct(x0, before_layer=self._move(move))
            after = self._cost(x, y)
            higher = ~(after <= loss) & (η > 0)  # also where the step led beyond all numbers
            if not self.solver.continuous_cost or not bool(higher.any()):
                break
            kept = xp.where(higher, 0.0 if attempt == HALVINGS - 1 else 0.5, 1.0) * η
            move, η = kept - η, kept  # zero for the runs that are content: their weights stay to the bit
            halvings = halvings + higher
        return x, self._require_finite(after, iteration), η, halvings

    def _move(self, step):
        """Return a function that moves the weights and biases of a layer along the direction."""
        xp, θ, d = namespace(self.scratch), self.network.parameters, self.direction.parameters
        step = step.astype(d.dtype)[..., None, None]

        def moved(layer):
            θ_layer = θ[layer]
            θ_layer += xp.multiply(d[layer], step, out=self.scratch)

        return moved

    def _cost(self, x, y):
        return self.cost.value(x, y) + self.cost.decay(self.network)

    def _require_finite(self, loss, iteration):
        if not bool(namespace(self.scratch).isfinite(loss).all()):
            raise Diverged(iteration, to_host(loss))
        return loss
