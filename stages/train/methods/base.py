"""The interface of a training method, and the history of its iterations.

A new one is a file here with a class and `METHOD = <the class>`; a trainer in config.yaml names it as `method: <file>`.
Its settings are a block of config.yaml with the method's name, which a block of that name in a trainer may override.
"""

from collections.abc import Callable
from typing import Any, ClassVar, Protocol

import numpy as np

from stages.model.cost import Cost
from stages.model.network import Network

Array = Any  # of NumPy or CuPy

# The history of the iterations: its variables and their meaning.
PER_ITERATION = {
    "loss": "cost on the batch before the iteration",
    "loss_after": "cost on the batch after the iteration",
    "step_size": "step length eta; RMSprop: its rate",
    "conjugacy": "Fletcher-Reeves coefficient gamma",
    "gradient_norm": "norm of the gradient in L2(0, T)",
    "restarts": "1 where the direction did not descend and was replaced by the negative gradient",
    "halvings": "how often the step was halved because the cost rose; the tenth time it was given up",
}


class Method(Protocol):
    label: ClassVar[str]  # of the networks that it trains, in figures
    settings: ClassVar[dict]  # {setting: JSON schema} of its block in config.yaml
    options: ClassVar[dict]  # the same for optional settings
    gradients: ClassVar[tuple]  # the supported inner products: "l2", "sobolev"
    weight_arrays: ClassVar[int]  # memory, in arrays of the shape of the weights, including the weights

    def __init__(
        self,
        network: Network,
        cost: Cost,
        samples: int,
        *,
        solver: Callable | None = None,
        gradient: str = "l2",
        updates: int = 1,
        **settings,
    ) -> None:
        """Train `network`, in place, by `cost` on batches of `samples` images.

        solver(network, samples): see stages.model.solvers.base, Euler's method by default; gradient: one of
        `gradients`; updates: number of iterations of the whole training.
        """

    def train_on_batch(self, x0: Array, y: Array, iterations: int) -> "History":
        """Iterate on one batch of images x0 (..., pixel, sample) and targets y; raise Diverged if the cost diverges."""

    def state(self) -> dict[str, Array]:
        """Return everything besides the weights that the next batch depends on, for a checkpoint."""

    def restore(self, state: dict[str, np.ndarray]) -> None:
        """Restore what `state` returned."""


class Diverged(ArithmeticError):
    """The cost is not finite."""

    def __init__(self, iteration, loss):
        self.iteration, self.loss = iteration, loss
        super().__init__(f"the cost is {loss} at iteration {iteration} of the batch")


def require_finite(loss, iteration):
    """Return the cost, which is on the host, or raise Diverged."""
    if not np.isfinite(loss).all():
        raise Diverged(iteration, loss)
    return loss


class History:
    """A list per variable, with one entry per iteration, on the host; entries have the networks' leading axes."""

    def __init__(self):
        vars(self).update({name: [] for name in PER_ITERATION})

    def append(self, **values):
        for name, value in values.items():
            getattr(self, name).append(value)
