"""Write table_robustness: what robust training gains against each attack, and what it costs (beyond the paper)."""

import functools

from stages.labels import ATTACKS
from stages.model_name import split_model
from stages.statistics import runs
from stages.statistics.attack_curves import smallest_norms, susceptible, within
from stages.tables import layout

KEYS = {"trainer": "trainer", "activation": "activation", "loss": "loss"}
QUANTITIES = {
    "accuracy": "test accuracy (%)",
    **{name: f"{label} (%)" for name, label in ATTACKS.items() if name != "pgd-far"},
    "any_of_them": "any of them (%)",
    "training": "training (s of a core)",
}


def rows(folder, settings, paper):
    """Return the table's rows, a robust network below its plain twin; an attack that was not made was not run."""
    read, found = functools.partial(runs.asked_for, folder, settings), []
    for model in settings["models"]:
        trained = read("train", model)
        attacked = {name: read(f"attack/{name}", model) for name in settings["attacks"]}
        values = {name: [] for name in QUANTITIES}
        values["accuracy"] = 100 * runs.over_runs(trained, "test_accuracy")[:, -1]
        values["training"] = runs.over_runs(trained, "seconds").sum(axis=1)
        for name, datasets in attacked.items():
            values[name] = [100 * susceptible(dataset, [settings["norm"]])[0] for dataset in datasets]
        together = [smallest_norms(run) for run in zip(*attacked.values(), strict=True)]
        values["any_of_them"] = [100 * within(norms, [settings["norm"]]).mean() for norms in together]
        labels = dict(zip(("trainer", "loss", "activation"), split_model(model), strict=True))
        found.append((labels, {name: layout.compared(each) for name, each in values.items()}))
    return found


TABLE = layout.Table(
    title="Robust training: accuracy, success of each attack, time",
    keys=KEYS,
    quantities=QUANTITIES,
    rows=rows,
    notes=lambda settings: [f"success within the ℓ² norm {settings['norm']:g}"],
)

if __name__ == "__main__":
    layout.run(__doc__, TABLE)
