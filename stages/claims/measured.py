"""A quantity of a model as claims compare it: its value in every run and, for a single run, its uncertainty."""

from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True)
class Unusable:
    """Replaces the values of a model, and says why there are none."""

    reason: str


@dataclass(frozen=True)
class Measured:
    """The values over runs; for a single run also resampled values and the paper's standard deviation over runs.

    resampled (resampling,): None with several runs, and for quantities without test images: weights and seconds.
    printed_std: the standard deviation over runs that the paper prints for this quantity, or None.
    """

    runs: np.ndarray
    resampled: np.ndarray | None = None
    printed_std: float | None = None

    @property
    def mean(self):
        return float(np.mean(self.runs))


def measured(values):
    """Return values over runs as Measured; Measured and Unusable are returned unchanged."""
    return values if isinstance(values, Measured | Unusable) else Measured(np.asarray(values, dtype=np.float64))


def combined(function, quantities):
    """Return function(quantities) for each run and each resampling, or the first reason why there is none.

    function: of an array (quantity, run or resampling), along axis 0.
    """
    if unusable := first_unusable(quantities):
        return unusable
    parts = [measured(each) for each in quantities]
    if len({len(part.runs) for part in parts}) > 1:
        return Unusable(f"{' beside '.join(str(len(part.runs)) for part in parts)} runs")
    resampled = None if any(part.resampled is None for part in parts) else function([part.resampled for part in parts])
    return Measured(function([part.runs for part in parts]), resampled)


def first_unusable(values):
    return next((value for value in values if isinstance(value, Unusable)), None)
