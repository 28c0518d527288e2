"""Write table_readings: every reading beside the paper's numbers, and how far it is from them (not in the paper)."""

import numpy as np

from stages.names.labels import attack_label, model_label
from stages.plan import reading_choices, readings
from stages.plan.exhibit import Exhibit
from stages.statistics import runs
from stages.statistics.attack_curves import SHARE_AND_NORMS, percent_susceptible
from stages.statistics.specifications import by_distance, specifications
from stages.tables import layout

EXHIBITS = {
    "table_readings": Exhibit(
        stage="attack",
        also=("train", "noise"),
        place="not in the paper",
        order=90,
        title="Readings: choices that the paper leaves open",
        caption="Each network of the paper with a choice made otherwise that the paper leaves open, the nearest to the "
        "paper's numbers first: test accuracy, accuracy under noise, success of two attacks within the norm at which "
        "claims compare attacks, and the Carlini-Wagner attack on what it may have seen. Distances are from the "
        "paper's mean, in the paper's standard deviations; the last is the mean of their sizes. With weight decay the "
        "paper prints the accuracy alone. One run each; no claim counts a reading.",
        models=readings.shown_models,
        attacks=readings.shown_attacks,
        settings=reading_choices.table_settings,
        one_run=True,
    )
}

DISTANCES = tuple(f"{name}_distance" for name in ("test_accuracy", *SHARE_AND_NORMS))
NO_OTHER = "none, as in Table 2"


def quantities(settings):
    heads = {"test_accuracy": "test accuracy (%)", "test_accuracy_distance": "distance"}
    heads |= {"under_noise": "mean under noise (%)"}
    heads |= {name: f"{attack_label(name)} (%)" for name in other_attacks(settings)}
    for name, head in SHARE_AND_NORMS.items():
        heads |= {name: head, f"{name}_distance": "distance"}
    return heads | {"distance": "mean distance"}


def rows(folder, settings):
    """Yield the table's rows by network of the paper, the nearest specification of each first."""
    ordered = by_distance(specifications(folder, settings))
    for row in dict.fromkeys(settings["rows"][model] for model in settings["models"]):
        for each in (one for one in ordered if one.row == row):
            labels = {"network": model_label(row), "reading": "; ".join(each.choices) or NO_OTHER}
            values = dict.fromkeys((*SHARE_AND_NORMS, *DISTANCES), np.nan)  # a dash where the paper prints nothing
            values |= each.values | others(folder, settings, each.model)
            values |= {f"{name}_distance": value for name, value in each.distances.items()}
            values = {name: [value] for name, value in values.items()} | {"distance": [each.distance]}
            yield labels | {"outputs": each.outputs or "–"}, values


def others(folder, settings, model):
    """Return quantities without numbers in the paper: mean accuracy over noise levels, success of other attacks."""
    (noised,) = runs.asked_for(folder, settings, "noise", model)
    values = {"under_noise": 100 * float(noised["accuracy"].values.mean())}
    for name in other_attacks(settings):
        if model in settings["attacked"][name]:
            norm = settings["norms"][model]
            values[name] = percent_susceptible(folder, settings, name, model, [norm])[0, 0]
    return values


def other_attacks(settings):
    """Return the attacks that are not Carlini-Wagner's."""
    return [name for name in settings["attacks"] if name not in settings["outputs"]]


TABLE = layout.Table(
    keys={"network": "network of the paper", "reading": "reading", "outputs": "CW sees"},
    quantities=quantities,
    rows=rows,
    notes=lambda settings: [
        f"attacks within the ℓ² norm {settings['norm']:g}; distances in the paper's standard deviations"
    ],
    signed=DISTANCES,
    one_run=True,
)

if __name__ == "__main__":
    layout.run(__doc__, TABLE)
