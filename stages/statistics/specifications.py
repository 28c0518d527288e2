"""Readings beside the paper's numbers: each a network under one variant of the Carlini-Wagner attack.

The distance of a number from the paper's is (ours - m) / s, with the printed mean m and standard deviation s; that of a
specification is the mean absolute distance over the numbers that the paper prints for its row.
"""

from dataclasses import dataclass

import numpy as np

from stages.statistics import runs
from stages.statistics.attack_curves import share_and_norms
from stages.statistics.printed_deviation import as_printed


@dataclass(frozen=True)
class Specification:
    model: str
    row: str  # the model of the paper
    choices: list  # in words; empty: as the row in the configuration
    outputs: str  # that the attack uses; "": the paper prints no attack on this row
    values: dict  # {quantity: ours}, of those that the paper prints
    distances: dict  # {quantity: ours from the paper's, in standard deviations}

    @property
    def distance(self):
        """The mean absolute distance, or nan if the paper prints nothing."""
        return float(np.mean(np.abs(list(self.distances.values())))) if self.distances else np.nan


def specifications(folder, settings):
    """Return the specifications of an experiment, from its stores; settings: stages.plan.reading_choices."""
    found = []
    for model, attack in settings["specifications"]:
        row, (accuracy,) = settings["rows"][model], runs.final_accuracy(folder, settings, model)
        values = {"test_accuracy": accuracy}
        if attack:
            (attacked,) = runs.asked_for(folder, settings, f"attack/{attack}", model)
            values |= share_and_norms(attacked)
        distances = {
            name: (values[name] - mean) / as_printed(std)
            for name, (mean, std) in settings["printed"][row].items()
            if np.isfinite(values.get(name, np.nan))
        }
        choices, outputs = settings["choices"][model], settings["outputs"].get(attack, "")
        found.append(Specification(model, row, choices, outputs, values, distances))
    return found


def by_distance(found):
    """Return specifications, nearest to the paper first; those without a distance come last."""
    return sorted(found, key=lambda each: (not np.isfinite(each.distance), each.distance))
