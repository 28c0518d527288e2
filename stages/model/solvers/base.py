"""What a solver must offer: the direct, adjoint and sensitivity problem, on arrays that are made once.

A new one is a file here with a class and `SOLVER = <the class>`; a trainer names it as `solver: <file>`. A method that
integrates an ODE y' = f(t, y) is enough: see rk4.py, which leaves the three problems to
`stages.model.continuous.problems`.
"""

from collections.abc import Callable
from typing import Any, ClassVar, Protocol

from stages.model.network import Network

Array = Any  # NumPy's or CuPy's


class Solver(Protocol):
    label: ClassVar[str]  # as figures and tables print it
    settings: ClassVar[dict]  # {setting: JSON schema} of its block in config.yaml, which has the solver's name
    # The computed cost is a continuous function of the weights, so a step that raises it can be shortened.
    continuous_cost: ClassVar[bool]
    kept_states: ClassVar[int]  # how many arrays like the states of all layers a training keeps
    slowness: ClassVar[float]  # time of a training over that of its products at a slow core's speed

    def __init__(self, network: Network, samples: int, **settings) -> None:
        """For one network, or several in lockstep, and batches of so many samples."""

    def direct(self, x0: Array, before_layer: Callable[[int], None] | None = None) -> Array:
        """Return x(T) for images x0 (..., pixel, sample), and keep what the other two need.

        before_layer(l) is called just before the weights of layer l are used: a trainer moves them there.
        """

    def gradient(self, adjoint: Array, gradient, weight_decay: float = 0.0, after_layer: Callable | None = None):
        """Fill `gradient` (stages.model.adjoint.Gradient) from `adjoint` = λ(T), which becomes λ(0).

        after_layer(l) is called when the gradient of layer l is known and its weights are not needed any more.
        """

    def sensitivity(self, perturbed: Callable[[int], Array]) -> Array:
        """Return ξ(T) for an unperturbed input and weights perturbed by perturbed(l) = [ω_l β_l]."""

    @staticmethod
    def final_state(network: Network, x0: Array, **settings) -> Array:
        """Return x(T) alone."""
