"""Draw fig_one_image: one digit that every network can be made to misclassify, and how (paper, Figure 13).

Columns: for each trainer the sensitivity attack with the best target and with a moving target, and PGD. Upper row: the
attacked image and the predicted class. Lower row: the perturbation, its norm and its largest pixel.
"""

import numpy as np

from stages.drawing import attacked_images, canvas, style
from stages.names import labels
from stages.names.model_name import split_model, trainers_of
from stages.plan.exhibit import Exhibit
from stages.plan.selection import attacked_with, attacks_named
from stages.runtime.errors import UserError
from stages.statistics.scale import scale_line

EXHIBITS = {
    "fig_one_image": Exhibit(
        stage="attack",
        place="Figure 13",
        title="One digit under attack",
        caption="One test digit: networks of each trainer (tanh, cross-entropy), each attacked with the best target, "
        "with a moving target and by PGD; the paper shows nine such attacks. Upper row: the attacked image and the "
        "class that the network predicts. Lower row: the perturbation, each on its own colour scale, its ℓ² norm and "
        "its largest pixel.",
        words="A digit and, for each network and attack, the attacked image above its perturbation.",
        models=attacked_with(None, "ce", "tanh"),
        attacks=attacks_named("sensitivity-targeted", "sensitivity", "pgd-0.06"),
        settings=lambda config: {"image": config["figures"]["one_image"]},
        one_run=True,
    )
}


def choose(attacked, wanted):
    """Return the test image to show: `wanted`, or the first with the most successful attacks."""
    successes = attacked_images.successes(attacked.values())
    if wanted >= 0 and wanted not in successes:
        raise UserError(
            f"config: figures.one_image: wanted a test image that was attacked, found {wanted}; "
            "take one that a network classifies correctly, below attack.images, or -1"
        )
    if not successes:
        raise UserError("no image was attacked: the networks classify none of them correctly; train longer")
    return wanted if wanted >= 0 else next(iter(successes))


def draw(folder, settings):
    models, attacks, (run,) = settings["models"], settings["attacks"], settings["runs"]
    attacked = attacked_images.read(folder, settings)
    number = choose(attacked, settings["image"])
    chosen = {key: attacked_images.sample(dataset, number) for key, dataset in attacked.items()}
    shown = [sample for sample in chosen.values() if sample is not None and sample["success"]]
    if not all(np.isfinite(sample["adversarial"]).all() for sample in shown):
        raise UserError(
            f"config: figures.one_image: wanted image {number}, found extracts without its pictures; "
            "take one of the first images, or -1"
        )

    footer = scale_line(settings["scale"], f"test image {number}; tanh, cross-entropy", runs=f"run {run}")
    footer += (
        "\neach change scaled to its own largest pixel: red is lighter, blue darker; below it, ℓ² norm and that pixel"
    )
    figure, axes = canvas.sheet(2, 1 + len(chosen), 2.1, footer, headroom=0.2)
    some = next(sample for sample in [*shown, *chosen.values()] if sample is not None)
    attacked_images.draw_original(axes[0, 0], some)
    axes[0, 0].set_title("original", fontsize=6, pad=3)
    canvas.clear(axes[1, 0])
    axes[1, 0].text(0.5, 0.5, "change", ha="center", va="center", fontsize=6, transform=axes[1, 0].transAxes)
    axes[1, 0].set_xlabel("norm\nlargest pixel", **attacked_images.SMALL)
    colours = style.trainer_colours(trainers_of(models))
    for column, ((model, attack), sample) in enumerate(chosen.items(), start=1):
        attacked_images.draw_attacked(axes[:, column], sample, "unchanged", "{norm:.2f}\n{largest:.2f}")
        upper, trainer = axes[0, column], split_model(model)[0]
        upper.set_title(labels.attack_short(attack), fontsize=6, color=colours[trainer], pad=3)
        if attacks.index(attack) == len(attacks) // 2:
            _name_trainer(upper, labels.trainer_label(trainer), colours[trainer])
    for panel in axes[1]:
        panel.xaxis.label.set_linespacing(1.5)
    return figure


def _name_trainer(panel, name, colour):
    """Write a trainer's name once, above the middle of its attacks."""
    heading = {"ha": "center", "va": "bottom", "fontsize": 7.5, "fontweight": "bold", "color": colour}
    place = {"xy": (0.5, 1), "xycoords": "axes fraction", "xytext": (0, 13), "textcoords": "offset points"}
    panel.annotate(name, **place, **heading).set_in_layout(False)


if __name__ == "__main__":
    canvas.run(__doc__, draw)
