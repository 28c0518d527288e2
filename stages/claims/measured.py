"""A quantity of a model as claims compare it: its value in every run, and the uncertainty of its first run.

With several runs their spread decides. The first run alone, with its uncertainty from the test images, is compared
where the other network has no more than one, and shows beside the verdict what the images alone would say.
"""

from dataclasses import dataclass, replace

import numpy as np


@dataclass(frozen=True)
class Unusable:
    """Replaces the values of a model, and says why there are none."""

    reason: str


@dataclass(frozen=True)
class Measured:
    """The values over runs; for the first of them also resampled values and the paper's standard deviation over runs.

    resampled (resampling,): of the first run, an Unusable if there are too few images; None for quantities without test
    images: weights and seconds. printed_std: the standard deviation over runs that the paper prints, or None.
    """

    runs: np.ndarray
    resampled: np.ndarray | Unusable | None = None
    printed_std: float | None = None

    @property
    def mean(self):
        return float(np.mean(self.runs))

    @property
    def first_run(self):
        """The first run on its own, or why it cannot be judged by its images."""
        return self.resampled if isinstance(self.resampled, Unusable) else replace(self, runs=self.runs[:1])


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
    shared = min(len(part.runs) for part in parts)
    return Measured(function([part.runs[:shared] for part in parts]), _combined_images(function, parts))


def _combined_images(function, parts):
    resampled = [part.resampled for part in parts]
    if any(each is None for each in resampled):
        return None
    return first_unusable(resampled) or function(resampled)


def first_unusable(values):
    return next((value for value in values if isinstance(value, Unusable)), None)
