"""What RMSprop and Adam share: a direct solve, a gradient, and an update of every weight from it.

A subclass defines `update(index)`, which moves the weights of one layer as soon as its gradient is known, while both
are in the cache; on a GPU those of all layers at once (`stages.train.passes`).

A trainer may have `schedule: {kind: ..., final: ...}` beside its rate; without it the rate is constant. With η₀ the
rate at the first update, η_N that of the last, and n = 0 .. N - 1 the number of previous updates:

    exponential    η_n = η₀ (η_N / η₀)^(n / N)
    inverse        η_n = η₀ / (1 + d n),  d = (η₀ / η_N - 1) / N      (what Keras once called `decay`)
    steps          η₀ for the first third, √(η₀ η_N) for the second, η_N for the last
"""

import numpy as np

from stages.runtime.arrays import namespace, to_host
from stages.runtime.schemas import number
from stages.train.methods.base import History, require_finite
from stages.train.passes import passes_over


def exponential(rate, final, share):
    return rate * (final / rate) ** share


def inverse(rate, final, share):
    return rate / (1 + (rate / final - 1) * share)


def steps(rate, final, share):
    return rate * (final / rate) ** (int(3 * share) / 2)


SCHEDULES = {"exponential": exponential, "inverse": inverse, "steps": steps}
RATE = number("Learning rate.", above=0, most=1000)
EPSILON = number("Added to the root.", above=0, most=1)
SCHEDULE = {
    "type": "object",
    "additionalProperties": False,
    "required": ["kind", "final"],
    "properties": {
        "kind": {"enum": list(SCHEDULES), "description": "How the rate falls."},
        "final": RATE | {"description": "Learning rate at the end of the training."},
    },
}


def learning_rate(rate, schedule, done, total):
    """Return the rate of the next update, after `done` of `total` updates."""
    return SCHEDULES[schedule["kind"]](rate, schedule["final"], done / total) if schedule else rate


class FirstOrder:
    gradients = ("l2",)
    averages = ()  # names of the arrays in the shape of the weights, zero at first, that `update` maintains

    def __init__(self, network, cost, samples, *, rate, solver=None, schedule=None, gradient="l2", updates=1):
        self.network, self.cost = network, cost
        self.initial_rate, self.schedule, self.updates, self.done = rate, schedule, updates, 0
        self.passes = passes_over(network, samples, solver)
        for name in self.averages:
            setattr(self, name, namespace(network.parameters).zeros_like(network.parameters))

    def update(self, index):
        """Move the weights of one layer (an integer) or of all layers (a slice)."""
        raise NotImplementedError

    @property
    def rate(self):
        return learning_rate(self.initial_rate, self.schedule, self.done, self.updates)

    def train_on_batch(self, x0, y, iterations):
        xp, cost, measured, rates, history = namespace(x0), self.cost, [], [], History()
        for iteration in range(iterations):
            x = self.passes.direct(x0)
            loss = cost.value(x, y) + cost.decay(self.network)
            if xp is np:
                require_finite(loss, iteration)
            squared = self.passes.update(cost.derivative(x, y), cost.weight_decay, self.update)
            measured += [loss, xp.sqrt(squared)]
            rates.append(self.rate)
            self.done += 1
        measured = to_host(xp.stack(measured))  # after all iterations, so that the host waits for a GPU once
        for iteration, (loss, norm, rate) in enumerate(zip(measured[::2], measured[1::2], rates, strict=True)):
            unknown, none = np.full(loss.shape, np.nan), np.zeros(loss.shape)
            history.append(loss=require_finite(loss, iteration), loss_after=unknown, gradient_norm=norm)
            history.append(step_size=np.full(loss.shape, rate), conjugacy=unknown, restarts=none, halvings=none)
        return history

    def state(self):
        return {"done": np.array(self.done)} | {name: getattr(self, name) for name in self.averages}

    def restore(self, state):
        self.done = int(state["done"])
        for name in self.averages:
            mine = getattr(self, name)
            mine[...] = namespace(mine).asarray(state[name])
