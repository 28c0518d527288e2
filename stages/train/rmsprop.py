"""RMSprop with Keras's definitions: the trainer of the ResNets that the paper calls SGD.

    v <- ρ v + (1 - ρ) p²,     θ <- θ - rate p / (√v + ε)

p is the partial derivative of the cost with respect to an entry of W_l or b_l: h times the L² gradient. v starts at
zero and is kept over the whole training. The same network, initial weights, batches and number of iterations as NCG.
"""

from stages.arrays import namespace, to_host
from stages.model.adjoint import Gradient
from stages.model.euler import Euler
from stages.model.inner_product import SumOfSquares
from stages.train.conjugate_gradient import Diverged, History


class RMSprop:
    def __init__(self, network, cost, samples, *, rate, rho, epsilon, solver=Euler):
        xp = namespace(network.parameters)
        self.network, self.cost = network, cost
        self.rate, self.rho, self.epsilon = rate, rho, epsilon
        self.solver = solver(network, samples)
        self.gradient = Gradient(network)
        self.v = xp.zeros_like(network.parameters)
        self.scratch = xp.empty_like(network.parameters[0])

    def train_on_batch(self, x0, y, iterations):
        """Iterate on one batch of states x0 (..., neuron, sample) and targets y; return the History."""
        xp, cost, history = namespace(x0), self.cost, History()
        none = xp.full(x0.shape[:-2], float("nan"))
        for iteration in range(iterations):
            x = self.solver.direct(x0)
            loss = cost.value(x, y) + cost.decay(self.network)
            if not bool(xp.isfinite(loss).all()):
                raise Diverged(iteration, to_host(loss))
            self.squares = SumOfSquares(self.gradient)
            self.solver.gradient(cost.derivative(x, y), self.gradient, cost.weight_decay, after_layer=self._update)
            history.append(loss=loss, loss_after=none, gradient_norm=xp.sqrt(self.network.h * self.squares.total))
            history.append(step_size=none + self.rate, conjugacy=none, restarts=none * 0, halvings=none * 0)
        return history

    def _update(self, layer):
        """Update one layer as soon as its gradient is known and its weights are used, while both are in the cache."""
        self.squares.add(layer)
        xp, scratch = namespace(self.scratch), self.scratch
        θ, G, v, h = self.network.parameters[layer], self.gradient.parameters[layer], self.v[layer], self.network.h
        # p = h G: each h is put where it costs no pass over the weights.
        xp.multiply(G, (1 - self.rho) * h**2, out=scratch)
        scratch *= G
        v *= self.rho
        v += scratch
        xp.sqrt(v, out=scratch)
        scratch += self.epsilon
        xp.divide(G, scratch, out=scratch)
        scratch *= self.rate * h
        θ -= scratch
