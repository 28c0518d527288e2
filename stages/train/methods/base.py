"""The interface of a training method, and the history of its iterations.

A new one is a file here with a class and `METHOD = <the class>`; a trainer in config.yaml names it as `method: <file>`.
Its settings are a block of config.yaml with the method's name, which a block of that name in a trainer may override.
"""

import itertools
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, ClassVar, Protocol

import numpy as np

from stages.model.cost import Cost
from stages.model.network import Network
from stages.runtime.arrays import namespace, to_host

Array = Any  # of NumPy or CuPy


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
    """Return the cost, or raise Diverged."""
    if not bool(np.isfinite(loss).all()):
        raise Diverged(iteration, to_host(loss))
    return loss


@dataclass
class History:
    """What each iteration did, one list entry per iteration; entries have the networks' leading axes."""

    loss: list = field(default_factory=list)  # before the iteration
    loss_after: list = field(default_factory=list)
    step_size: list = field(default_factory=list)
    conjugacy: list = field(default_factory=list)
    gradient_norm: list = field(default_factory=list)
    restarts: list = field(default_factory=list)
    halvings: list = field(default_factory=list)

    def append(self, **values):
        for name, value in values.items():
            getattr(self, name).append(value)

    def on_host(self):
        """Copy all entries to the host, in one transfer, and return the History."""
        entries = [value for column in vars(self).values() for value in column]
        if not entries or isinstance(entries[0], (np.ndarray, np.generic)):
            return self
        stacked = namespace(entries[0]).stack([value.astype("float64") for value in entries])
        numbers = zip(to_host(stacked), entries, strict=True)
        for column in vars(self).values():
            column[:] = [number.astype(value.dtype) for number, value in itertools.islice(numbers, len(column))]
        return self
