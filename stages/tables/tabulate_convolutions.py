"""Write table_convolutions: cost and robustness of convolutional networks beside dense ones (beyond the paper)."""

import functools

from stages.names.labels import attack_label, model_label
from stages.plan.exhibit import Exhibit
from stages.plan.selection import attacks_named, convolutional_pairs, convolutional_twins
from stages.statistics import runs
from stages.statistics.attack_curves import percent_susceptible
from stages.tables import layout

ATTACKS = ("sensitivity", "pgd-0.6")
EXHIBITS = {
    "table_convolutions": Exhibit(
        stage="attack",
        also=("train", "noise"),
        place="beyond the paper",
        order=3,
        title="Convolutional and dense networks",
        caption="Each convolutional network below the dense one of the same trainer: weights and biases, CPU time of "
        "the training in seconds, accuracy on clean test images, mean accuracy over the levels of noise, and the share "
        "of correctly classified images that two attacks change within the same norm per pixel.",
        models=convolutional_pairs,
        attacks=attacks_named(*ATTACKS),
        settings=lambda config: convolutional_twins(config) | {"norm": config["claims"]["attack_norm"]},
        beyond=True,
    )
}

QUANTITIES = {
    "seconds": "training (s of CPU time)",
    "accuracy": "test accuracy (%)",
    "under_noise": "mean under noise (%)",
    **{attack: f"{attack_label(attack)} (%)" for attack in ATTACKS},
}


def rows(folder, settings):
    """Yield the table's rows; the norm of attacks is that of data.side, scaled to the same norm per pixel."""
    read = functools.partial(runs.asked_for, folder, settings)
    for model in settings["models"]:
        trained, noised, side = read("train", model), read("noise", model), settings["sides"][model]
        norm = settings["norm"] * side / settings["side"]
        values = {
            "seconds": runs.over_runs(trained, "seconds").sum(axis=1),
            "accuracy": 100 * runs.over_runs(trained, "test_accuracy")[:, -1],
            "under_noise": 100 * runs.over_runs(noised, "accuracy").mean(axis=1),
        }
        for name in settings["attacks"]:
            values[name] = percent_susceptible(folder, settings, name, model, [norm])[:, 0]
        labels = {"network": model_label(model), "images": f"{side} × {side}"}
        labels |= {"layers": str(trained[0].sizes["layer"]), "weights": f"{settings['weights'][model]:,}"}
        yield labels, values


TABLE = layout.Table(
    keys={"network": "network", "images": "images", "layers": "layers", "weights": "weights"},
    quantities=QUANTITIES,
    rows=rows,
    notes=lambda settings: [
        "under noise: the plain mean over its strengths",
        f"attacks within the ℓ² norm {settings['norm'] / settings['side']:.3g} × side",
    ],
)

if __name__ == "__main__":
    layout.run(__doc__, TABLE)
