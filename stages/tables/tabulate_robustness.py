"""Write table_robustness: what robust training gains against each attack, and what it costs (beyond the paper)."""

from stages.names.attacks import ATTACKS, HELD
from stages.names.labels import attack_label
from stages.plan.exhibit import Exhibit
from stages.plan.selection import on_all_images, robust_pairs, usual_attacks
from stages.statistics import runs
from stages.statistics.attack_curves import smallest_norms, susceptible, within
from stages.tables import layout


def _compared(config):
    """The attacks on all pixels without their own radii: in the common balls, or not confined."""
    return [name for name, line in usual_attacks(config).items() if "radii" not in line and "hold" not in line]


EXHIBITS = {
    "table_robustness": Exhibit(
        stage="attack",
        also=("train",),
        place="beyond the paper",
        order=1,
        title="Robust training: accuracy, success of each attack, time",
        caption="Accuracy on clean test images, the share of correctly classified images that each attack changes "
        "within the norm at which claims compare attacks, that any of them changes, and how long the training took; "
        "each robust network below its plain twin. The sensitivity attack with a moving target is the one used in "
        "training.",
        models=robust_pairs,
        attacks=lambda config: on_all_images(config, _compared(config)),
        settings=lambda config: {"norm": config["claims"]["attack_norm"]},
        beyond=True,
    )
}

APART = ("pgd-far", HELD)  # attacks with their own balls, or without some of the pixels


def quantities(settings):
    """Return the columns: the known attacks, run or not, then a user's own."""
    attacks = dict.fromkeys([name for name in ATTACKS if name not in APART] + settings["attacks"])
    return {
        "accuracy": "test accuracy (%)",
        **{name: f"{attack_label(name)} (%)" for name in attacks},
        "any_of_them": "any of them (%)",
        "training": "training (s of CPU time)",
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
        yield layout.parts_of(model), values


TABLE = layout.Table(
    keys=layout.MODEL,
    quantities=quantities,
    rows=rows,
    notes=lambda settings: [f"success within the ℓ² norm {settings['norm']:g}"],
)

if __name__ == "__main__":
    layout.run(__doc__, TABLE)
