"""Write table_robustness: what robust training gains against each attack, and what it costs (beyond the paper)."""

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


def rows(folder, settings):
    """Yield the table's rows, a robust network below its plain twin."""
    norm = settings["norm"]
    for model in settings["models"]:
        trained = runs.asked_for(folder, settings, "train", model)
        attacked = {name: runs.asked_for(folder, settings, f"attack/{name}", model) for name in settings["attacks"]}
        values = {name: [100 * susceptible(run, [norm])[0] for run in each] for name, each in attacked.items()}
        together = [smallest_norms(run) for run in zip(*attacked.values(), strict=True)]
        values["any_of_them"] = [100 * within(norms, [norm]).mean() for norms in together]
        values["accuracy"] = 100 * runs.over_runs(trained, "test_accuracy")[:, -1]
        values["training"] = runs.over_runs(trained, "seconds").sum(axis=1)
        yield dict(zip(("trainer", "loss", "activation"), split_model(model), strict=True)), values


TABLE = layout.Table(
    title="Robust training: accuracy, success of each attack, time",
    keys=KEYS,
    quantities=QUANTITIES,
    rows=rows,
    notes=lambda settings: [f"success within the ℓ² norm {settings['norm']:g}"],
)

if __name__ == "__main__":
    layout.run(__doc__, TABLE)
