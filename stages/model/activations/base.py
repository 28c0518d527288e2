"""The interface of an activation σ. A new one is a file here with two functions and

    ACTIVATION = Activation("ReLU", value, slope)

All functions work on preallocated arrays. Euler's method needs σ and σ' together, times its step h: an optional third
function may compute both in fewer passes.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

Array = Any  # of NumPy or CuPy


@dataclass(frozen=True)
class Activation:
    label: str  # for figures and tables
    value: Callable[[Array, Array], Array]  # value(a, out): σ(a); out may be a itself
    slope: Callable[[Array, Array], Array]  # slope(a, out): σ'(a); out may be a itself
    # both(a, h, slope, scratch): as `advance`, in fewer passes
    both: Callable[[Array, float, Array, Array], Array] | None = None
    nonnegative: bool = False  # σ(a) >= 0 for every a, so that states never decrease
    flat: bool = False  # σ' is exactly zero on a whole range of a, so that neurons can be inactive
    # σ(a) and h σ'(a) in CUDA, from `a`, `s` = σ(a) and `h` of type T. Without it a GPU needs more launches.
    cuda: tuple[str, str] | None = None

    def advance(self, a: Array, h: float, slope: Array, scratch: Array) -> Array:
        """Turn a into h σ(a), in place, and fill `slope` with h σ'(a)."""
        if self.both is not None:
            return self.both(a, h, slope, scratch)
        self.slope(a, out=slope)
        slope *= h
        self.value(a, out=a)
        a *= h
        return a
