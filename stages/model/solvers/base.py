"""The interface of a solver: the direct, adjoint and sensitivity problems, on arrays that are allocated once.

A new solver is a file here with a class and `SOLVER = <the class>`; a trainer names it as `solver: <file>`. It suffices
to integrate an ODE y' = f(t, y): rk4.py does so and leaves the three problems to `stages.model.continuous.problems`.
"""

from collections.abc import Callable
from typing import Any, ClassVar, Protocol

from stages.model.network import Network

Array = Any  # of NumPy or CuPy


class Solver(Protocol):
    label: ClassVar[str]  # for figures and tables
    settings: ClassVar[dict]  # {setting: JSON schema} of its block in config.yaml, which is named after the solver
    # Whether the computed cost is continuous in the weights: only then a step that raises it can be shortened.
    continuous_cost: ClassVar[bool]
    kept_states: ClassVar[int]  # memory of a training, in arrays of the states of all layers
    slowness: ClassVar[float]  # time of a training, relative to its products on a slow core

    def __init__(self, network: Network, samples: int, **settings) -> None:
        """network: one, or several in lockstep; samples: the size of a batch."""

    def direct(self, x0: Array, before_layer: Callable[[int], None] | None = None) -> Array:
        """Return x(T) for images x0 (..., pixel, sample), and keep what the other two problems need.

        before_layer(l) is called just before the weights of layer l are used: a trainer may update them there.
        """

    def gradient(self, adjoint: Array, gradient, weight_decay: float = 0.0, after_layer: Callable | None = None):
        """Fill `gradient` (stages.model.adjoint.Gradient) from `adjoint` = λ(T), which becomes λ(0).

        after_layer(l) is called when the gradient of layer l is known and its weights are no longer needed.
        """

    def sensitivity(self, perturbed: Callable[[int], Array]) -> Array:
        """Return ξ(T) for an unperturbed input and weights perturbed by perturbed(l) = [ω_l β_l]."""

    @staticmethod
    def final_state(network: Network, x0: Array, **settings) -> Array:
        """Return x(T) alone."""
