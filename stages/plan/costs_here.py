"""The expected costs of a run on this machine, corrected by its finished jobs, else by finished runs of other presets.

So after a quick run the plan of the paper's scale is one for this machine.
"""

import contextlib
from collections import Counter
from pathlib import Path

import yaml

from stages import PROJECT
from stages.config import configuration
from stages.plan.costs import Costs
from stages.plan.measured_costs import measured_seconds
from stages.runtime.errors import UserError


def costs_here(config, freshness):
    """Return the Costs of an experiment whose stores `freshness` knows."""
    results = freshness.results
    return Costs(config, measured_seconds(results, freshness.fits), _of_other_presets(Path(results)))


def _of_other_presets(results):
    """Return {folder: ratio of measured to estimated seconds} over the finished runs beside `results`."""
    took, expected = Counter(), Counter()
    for path in sorted(results.parent.glob("*/experiment.yaml")):
        # Another version may have had other keys: its times are left out then.
        with contextlib.suppress(OSError, yaml.YAMLError, LookupError, TypeError, ValueError, UserError):
            if path.parent != results:
                config = configuration.load(PROJECT, overrides=yaml.safe_load(path.read_text()))
                for folder, (measured, estimated) in Costs(config, measured_seconds(path.parent)).sums.items():
                    took[folder] += measured
                    expected[folder] += estimated
    return {folder: seconds / expected[folder] for folder, seconds in took.items() if expected[folder]}
