"""Write table_own_scores: networks whose class scores are pixels beside those with additional components as scores."""

from stages.names.attacks import HELD
from stages.names.labels import activation_label, loss_label, trainer_label
from stages.names.model_name import split_model
from stages.names.trainers import family
from stages.plan import experiment
from stages.plan.exhibit import Exhibit
from stages.plan.selection import attacks_named, score_pairs
from stages.statistics import runs
from stages.statistics.attack_curves import percent_susceptible
from stages.tables import layout

ATTACK, LARGE_STEPS = "sensitivity", "pgd-0.6"
EXHIBITS = {
    "table_own_scores": Exhibit(
        stage="attack",
        also=("train",),
        place="beyond the paper",
        order=10,
        title="Class scores that are pixels, and class scores of their own",
        caption="Accuracy on clean test images, and the share of correctly classified images that the sensitivity "
        "attack changes within the norm at which claims compare attacks, and PGD with large steps. Pixels: the first "
        "pixels are the class scores at t = 0, as in the paper. Held: the same networks, attacked without these "
        "pixels. Own: class scores in components of their own.",
        models=score_pairs,
        attacks=attacks_named(ATTACK, HELD, LARGE_STEPS),
        settings=lambda config: {"pairs": experiment.score_pairs(config), "norm": config["claims"]["attack_norm"]},
        beyond=True,
    )
}

ACCURACY = {"accuracy_pixels": "test accuracy, pixels (%)", "accuracy_own": "test accuracy, own (%)"}
# {quantity: (heading, attack, 0: on the network whose scores are pixels, 1: on its twin)}
SUCCESS = {
    "success_pixels": ("attack, pixels (%)", ATTACK, 0),
    "success_held": ("attack, held (%)", HELD, 0),
    "success_own": ("attack, own (%)", ATTACK, 1),
    "pgd_pixels": ("PGD 0.6, pixels (%)", LARGE_STEPS, 0),
    "pgd_own": ("PGD 0.6, own (%)", LARGE_STEPS, 1),
}


def success_columns(settings):
    """Return the part of SUCCESS whose attacks the experiment has."""
    return {name: column for name, column in SUCCESS.items() if column[1] in settings["attacks"]}


def quantities(settings):
    return ACCURACY | {name: heading for name, (heading, _, _) in success_columns(settings).items()}


def rows(folder, settings):
    """Yield the table's rows, one for each pair of twins."""
    for pair in sorted(settings["pairs"], key=lambda pair: split_model(pair[0])[:0:-1]):
        values = {
            name: runs.final_accuracy(folder, settings, model) for name, model in zip(ACCURACY, pair, strict=True)
        }
        for name, (_, attack, twin) in success_columns(settings).items():
            values[name] = percent_susceptible(folder, settings, attack, pair[twin], [settings["norm"]])[:, 0]
        trainer, loss, activation = split_model(pair[0])
        names = trainer_label(family(trainer)), activation_label(activation), loss_label(loss)
        yield dict(zip(layout.MODEL, names, strict=True)), values


TABLE = layout.Table(
    keys=layout.MODEL,
    quantities=quantities,
    rows=rows,
    notes=lambda settings: [f"attack: the sensitivity attack; success within the ℓ² norm {settings['norm']:g}"],
)

if __name__ == "__main__":
    layout.run(__doc__, TABLE)
