"""RMSprop with Keras's definitions: the trainer of the ResNets that the paper calls SGD.

    v <- ρ v + (1 - ρ) p²,     θ <- θ - rate p / (√v + ε)

p is the partial derivative of the cost with respect to an entry of W_l or b_l: h times the L² gradient. v starts at
zero and is kept over the whole training. Network, initial weights, batches and number of iterations are those of NCG.
The rate is constant, or decreases by a schedule. With `epsilon_in_root` the denominator is √(v + ε), as in other
libraries.
"""

from stages.model.active_rows import active_rows, add_to_rows, room_for, rows_of
from stages.runtime.arrays import namespace
from stages.runtime.schemas import number
from stages.train.methods.first_order import EPSILON, RATE, SCHEDULE, FirstOrder


class RMSprop(FirstOrder):
    label = "SGD-trained ResNets"
    settings = {
        "rate": RATE,
        "rho": number("Decay of the squared gradient's mean.", least=0, below=1),
        "epsilon": EPSILON,
    }
    options = {
        "schedule": SCHEDULE,
        "epsilon_in_root": {"type": "boolean", "description": "Add epsilon to v, inside the root."},
    }
    averages = ("v",)
    weight_arrays = 3  # weights, gradient, v

    def __init__(self, network, cost, samples, *, rho, epsilon, epsilon_in_root=False, **settings):
        super().__init__(network, cost, samples, **settings)
        self.rho, self.epsilon, self.inside = rho, epsilon, epsilon_in_root
        self.scratch = namespace(network.parameters).empty_like(network.parameters[0])

    def update(self, index):
        # p = h G: each factor h is applied where it needs no extra pass over the weights.
        h, gradient = self.network.h, self.passes.gradient
        share, step = (1 - self.rho) * h**2, self.rate * h
        θ, v, G = self.network.parameters[index], self.v[index], gradient.parameters[index]
        if namespace(θ).__name__ == "cupy":
            from stages.model.on_device import kernels

            kernel = kernels.rmsprop_in_root if self.inside else kernels.rmsprop
            kernel(G, self.rho, share, self.epsilon, step, v, θ)
            return
        v *= self.rho
        for run, rows in active_rows(gradient.active, index):
            self._update_rows(θ[run], v[run], rows, rows_of(G[run], rows), share, step, self.scratch[run])

    def _update_rows(self, θ, v, rows, G, share, step, memory):
        """Update active neurons only: G is zero for the others, whose weights stay and whose v was scaled before."""
        xp, scratch = namespace(θ), room_for(rows, memory)
        xp.multiply(G, share, out=scratch)
        scratch *= G
        add_to_rows(v, rows, scratch)
        if self.inside:
            xp.add(rows_of(v, rows), self.epsilon, out=scratch)
            xp.sqrt(scratch, out=scratch)
        else:
            xp.sqrt(rows_of(v, rows), out=scratch)
            scratch += self.epsilon
        xp.divide(G, scratch, out=scratch)
        scratch *= -step
        add_to_rows(θ, rows, scratch)


METHOD = RMSprop
