"""The interface of an integrator of y' = f(t, y), and the error it raises if there is no solution."""

from collections.abc import Callable, Sequence
from typing import Any, Protocol

from stages.runtime.errors import UserError

Array = Any  # of NumPy or CuPy


class Integrator(Protocol):
    length: float  # of the current step, for rates that use it

    def solve(
        self,
        rate: Callable[[float, Array, Array], None],
        y0: Array,
        start: float,
        stop: float,
        nodes: Sequence[float] = (),
        out: Array | None = None,
        *,
        unit: float = 1.0,
    ) -> Array:
        """Solve y' = rate from `start` to `stop`, forwards or backwards; return y(stop), valid until the next call.

        rate(t, y, out) writes y'. `nodes` are times between start and stop, ascending; out[i] receives y(nodes[i]).
        unit: the unit of absolute tolerances.
        """


class NoSolution(UserError):
    """The solution is not finite, or needs steps below the precision of t."""

    def __init__(self, time):
        self.time = time
        super().__init__(
            f"wanted a finite solution, but ode45 found none beyond t = {time:.6g}; "
            "the weights or the images are not finite, or the tolerances under ode45 in config.yaml are too small"
        )
