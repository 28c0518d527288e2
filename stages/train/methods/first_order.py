"""What RMSprop and Adam share: a direct solve, a gradient, and an update of every weight from it.

A subclass defines `update(index)`, which moves the weights of one layer as soon as its gradient is known, while both
are in the cache; on a GPU those of all layers at once (`stages.train.passes`).
"""

import numpy as np

from stages.runtime.arrays import namespace
from stages.train.learning_rate import learning_rate
from stages.train.methods.base import History, require_finite
from stages.train.passes import passes_over

RATE = {"type": "number", "exclusiveMinimum": 0, "maximum": 1000, "description": "Learning rate."}
SCHEDULE = {
    "type": "object",
    "additionalProperties": False,
    "required": ["kind", "final"],
    "properties": {
        "kind": {"enum": ["exponential", "inverse", "steps"], "description": "How the rate falls."},
        "final": RATE | {"description": "Learning rate at the end of the training."},
    },
}


class FirstOrder:
    gradients = ("l2",)

    def __init__(self, network, cost, samples, *, rate, solver=None, schedule=None, gradient="l2", updates=1):
        self.network, self.cost = network, cost
        self.initial_rate, self.schedule, self.updates, self.done = rate, schedule, updates, 0
        self.passes = passes_over(network, samples, solver)

    def update(self, index):
        """Move the weights of one layer (an integer) or of all layers (a slice)."""
        raise NotImplementedError

    @property
    def rate(self):
        """The learning rate of the next update."""
        return learning_rate(self.initial_rate, self.schedule, self.done, self.updates)

    def train_on_batch(self, x0, y, iterations):
        xp, cost, history = namespace(x0), self.cost, History()

        def filled(value):
            return xp.full(x0.shape[:-2], value)

        for iteration in range(iterations):
            x = self.passes.direct(x0)
            loss = cost.value(x, y) + cost.decay(self.network)
            if xp is np:
                require_finite(loss, iteration)
            squared = self.passes.update(cost.derivative(x, y), cost.weight_decay, self.update)
            history.append(loss=loss, loss_after=filled(float("nan")), gradient_norm=xp.sqrt(squared))
            history.append(step_size=filled(self.rate), conjugacy=filled(float("nan")))
            history.append(restarts=filled(0.0), halvings=filled(0.0))
            self.done += 1
        history.on_host()
        for iteration, loss in enumerate(history.loss):  # after all iterations, so that the host waits for a GPU once
            require_finite(loss, iteration)
        return history

    def state(self):
        return {"done": np.array(self.done)}

    def restore(self, state):
        self.done = int(state["done"])
