"""What a training method must offer, and what it reports of its iterations.

A new one is a file here with a class and `METHOD = <the class>`; a trainer in config.yaml names it as `method: <file>`.
Its settings are a block of config.yaml with the method's name, and a trainer may have a block of that name over it.
"""

import itertools
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, ClassVar, Protocol

import numpy as np

from stages.model.cost import Cost
from stages.model.network import Network
from stages.runtime.arrays import namespace, to_host

Array = Any  # NumPy's or CuPy's


class Method(Protocol):
    label: ClassVar[str]  # of the networks that it trains, as figures print it
    settings: ClassVar[dict]  # {setting: JSON schema} of its block in config.yaml
    options: ClassVar[dict]  # the same for settings that may be left out
    gradients: ClassVar[tuple]  # the inner products that it can work with: "l2", "sobolev"
    weight_arrays: ClassVar[int]  # how many arrays in the shape of the weights it keeps, the weights among them

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
        """Train `network`, in place, by `cost` on batches of so many samples.

        solver(network, samples): see stages.model.solvers.base, Euler's method if none is given; gradient: one of
        `gradients`; updates: how many iterations the whole training makes.
        """

    def train_on_batch(self, x0: Array, y: Array, iterations: int) -> "History":
        """Iterate on one batch of images x0 (..., pixel, sample) and targets y; raise Diverged if the cost does."""

    def state(self) -> dict[str, Array]:
        """Return all that the next batch depends on beside the weights, for a checkpoint."""

    def restore(self, state: dict[str, np.ndarray]) -> None:
        """Take back what `state` returned."""


class Diverged(ArithmeticError):
    """The cost is not a finite number."""

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
        """Bring all entries to the host, in one transfer, and return the History."""
        entries = [value for column in vars(self).values() for value in column]
        if not entries or isinstance(entries[0], (np.ndarray, np.generic)):
            return self
        stacked = namespace(entries[0]).stack([value.astype("float64") for value in entries])
        numbers = zip(to_host(stacked), entries, strict=True)
        for column in vars(self).values():
            column[:] = [number.astype(value.dtype) for number, value in itertools.islice(numbers, len(column))]
        return self
