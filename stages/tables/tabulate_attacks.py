"""Write table_attacks: results of every attack, including a user's own, on every network (not in the paper)."""

from functools import partial

from stages.names.labels import attack_label, combination_label, trainer_label
from stages.names.model_name import split_model
from stages.plan import experiment
from stages.plan.exhibit import Exhibit
from stages.plan.selection import direct_attacks, norms_per_pixel
from stages.statistics import runs
from stages.statistics.attack_curves import share_and_norms, susceptible
from stages.tables import layout

EXHIBITS = {
    "table_attacks": Exhibit(
        stage="attack",
        place="not in the paper",
        order=0,
        title="Every attack on every network",
        caption="Share of the correctly classified images that each attack changes within the norm at which claims "
        "compare attacks, and the mean norm of all its successes. Attacks that are not confined to balls find the norm "
        "by themselves. Mean and standard deviation over runs.",
        models=experiment.attacked_models,
        attacks=direct_attacks,
        settings=norms_per_pixel,
    )
}

QUANTITIES = {"success": "success at the norm (%)", "mean_norm": "mean ℓ² norm"}


def measure(dataset, norm):
    """Return the quantities of one run; the norm is the mean over all successes, nan without any."""
    return {"success": 100 * susceptible(dataset, [norm])[0], "mean_norm": share_and_norms(dataset)["mean_norm"]}


def rows(folder, settings):
    """Yield the table's rows, one for each model and attack."""
    for model in settings["models"]:
        trainer, loss, activation = split_model(model)
        for attack in settings["attacks"]:
            datasets = runs.asked_for(folder, settings, f"attack/{attack}", model)
            labels = {"trainer": trainer_label(trainer), "model": combination_label(activation, loss)}
            labels["attack"] = attack_label(attack)
            yield labels, layout.over_runs(partial(measure, norm=settings["norms"][model]), datasets)


TABLE = layout.Table(
    keys={"trainer": "trainer", "model": "network", "attack": "attack"},
    quantities=QUANTITIES,
    rows=rows,
    notes=lambda settings: [f"success within the ℓ² norm {settings['norm']:g}, of larger images as much per pixel"],
)

if __name__ == "__main__":
    layout.run(__doc__, TABLE)
