"""Write table_own_scores: networks whose class scores are pixels beside those with additional components as scores."""

import functools

from stages.names.attacks import HELD
from stages.names.labels import activation_label, loss_label, trainer_label
from stages.names.model_name import split_model
from stages.names.trainers import family
from stages.plan import experiment
from stages.plan.exhibit import Exhibit
from stages.plan.selection import attacks_named, score_pairs
from stages.statistics import runs
from stages.statistics.attack_curves import susceptible
from stages.tables import layout

ATTACK = "sensitivity"
EXHIBITS = {
    "table_own_scores": Exhibit(
        stage="attack",
        also=("train",),
        place="beyond the paper",
        order=10,
        title="Class scores that are pixels, and class scores of their own",
        caption="Accuracy on clean test images, and the share of correctly classified images that the sensitivity "
        "attack changes within the norm at which claims compare attacks. Pixels: the first pixels are the class scores "
        "at t = 0, as in the paper. Held: the same networks, attacked without these pixels. Own: class scores in "
        "components of their own.",
        models=score_pairs,
        attacks=attacks_named(ATTACK, HELD),
        settings=lambda config: {"pairs": experiment.score_pairs(config), "norm": config["claims"]["attack_norm"]},
        beyond=True,
    )
}

QUANTITIES = {
    "accuracy_pixels": "test accuracy, pixels (%)",
    "accuracy_own": "test accuracy, own (%)",
    "success_pixels": "attack, pixels (%)",
    "success_held": "attack, held (%)",
    "success_own": "attack, own (%)",
}


def rows(folder, settings):
    """Yield the table's rows, one for each pair of twins."""
    read = functools.partial(runs.asked_for, folder, settings)

    def success(attack, model):
        if attack not in settings["attacks"]:
            return []
        return [100 * susceptible(run, [settings["norm"]])[0] for run in read(f"attack/{attack}", model)]

    for pixels, own in sorted(settings["pairs"], key=lambda pair: split_model(pair[0])[:0:-1]):
        trainer, loss, activation = split_model(pixels)
        values = {
            "accuracy_pixels": 100 * runs.over_runs(read("train", pixels), "test_accuracy")[:, -1],
            "accuracy_own": 100 * runs.over_runs(read("train", own), "test_accuracy")[:, -1],
            "success_pixels": success(ATTACK, pixels),
            "success_held": success(HELD, pixels),
            "success_own": success(ATTACK, own),
        }
        names = trainer_label(family(trainer)), activation_label(activation), loss_label(loss)
        yield dict(zip(layout.MODEL, names, strict=True)), values


TABLE = layout.Table(
    keys=layout.MODEL,
    quantities=QUANTITIES,
    rows=rows,
    notes=lambda settings: [f"attack: the sensitivity attack within the ℓ² norm {settings['norm']:g}"],
)

if __name__ == "__main__":
    layout.run(__doc__, TABLE)
