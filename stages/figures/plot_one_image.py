"""Draw fig_one_image: one digit that every network can be made to misclassify, and how (paper, Figure 13).

Columns: for each trainer the sensitivity attack with the best target and with a moving target, and PGD. Upper row: the
attacked image and the predicted class. Lower row: the perturbation, its norm and its largest pixel.
"""

import numpy as np

from stages.drawing import canvas, style
from stages.names import labels
from stages.names.model_name import split_model
from stages.plan.exhibit import Exhibit
from stages.plan.selection import attacked_with, attacks_named
from stages.runtime.errors import UserError
from stages.statistics import attack_curves, runs
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
    successes = {}
    for dataset in attacked.values():
        shown = dataset["success"].values.astype(bool) & attack_curves.pictured(dataset)
        for index, success in zip(dataset["image_index"].values, shown, strict=True):
            successes[int(index)] = successes.get(int(index), 0) + bool(success)
    if wanted >= 0 and wanted not in successes:
        raise UserError(
            f"config: figures.one_image: wanted a test image that was attacked, found {wanted}; "
            "take one that a network classifies correctly, below attack.images, or -1"
        )
    if not successes:
        raise UserError("no image was attacked: the networks classify none of them correctly; train longer")
    return wanted if wanted >= 0 else min(successes, key=lambda index: (-successes[index], index))


def draw(folder, settings):
    """Return the figure."""
    models, attacks, (run,) = settings["models"], settings["attacks"], settings["runs"]
    attacked = {
        (model, attack): runs.read_runs(folder, f"attack/{attack}", model, [run], settings["network"])[0]
        for model in models
        for attack in attacks
    }
    number = choose(attacked, settings["image"])
    chosen = {key: _sample(dataset, number) for key, dataset in attacked.items()}
    shown = [sample for sample in chosen.values() if sample is not None and sample["success"]]

    footer = scale_line(settings["scale"], f"test image {number}; tanh, cross-entropy", runs=f"run {run}")
    footer += (
        "\neach change scaled to its own largest pixel: red is lighter, blue darker; below it, ℓ² norm and that pixel"
    )
    figure, axes = canvas.sheet(2, 1 + len(chosen), 2.1, footer, headroom=0.2)
    some = next(sample for sample in [*shown, *chosen.values()] if sample is not None)
    canvas.picture(axes[0, 0], some["original"], vmin=0, vmax=1)
    axes[0, 0].set_title("original", fontsize=6, pad=3)
    axes[0, 0].set_xlabel(f"true class {some['label']}", fontsize=6, labelpad=2)
    canvas.clear(axes[1, 0])
    axes[1, 0].text(0.5, 0.5, "change", ha="center", va="center", fontsize=6, transform=axes[1, 0].transAxes)
    axes[1, 0].set_xlabel("norm\nlargest pixel", fontsize=6, labelpad=2, linespacing=1.5)
    colours = style.trainer_colours([split_model(model)[0] for model in models])
    for column, ((model, attack), sample) in enumerate(chosen.items(), start=1):
        upper, lower = axes[:, column]
        trainer = split_model(model)[0]
        # The trainer's name appears once, above the middle of its attacks.
        middle = attacks.index(attack) == len(attacks) // 2
        upper.set_title(labels.attack_short(attack), fontsize=6, color=colours[trainer], pad=3)
        if middle:
            heading = {"ha": "center", "va": "bottom", "fontsize": 7.5, "fontweight": "bold"}
            name = upper.annotate(
                labels.trainer_label(trainer),
                (0.5, 1),
                (0, 13),
                xycoords="axes fraction",
                textcoords="offset points",
                color=colours[trainer],
                **heading,
            )
            name.set_in_layout(False)
        if sample is None or not sample["success"]:
            _say_no(upper, lower, "misclassified\nunattacked" if sample is None else "unchanged")
            continue
        canvas.picture(upper, sample["adversarial"], vmin=0, vmax=1)
        upper.set_xlabel(f"predicted {sample['predicted']}", fontsize=6, labelpad=2)
        change = sample["adversarial"] - sample["original"]
        largest = np.abs(change).max()
        canvas.picture(lower, change, vmin=-largest, vmax=largest, cmap="RdBu_r")
        lower.set_xlabel(f"{np.linalg.norm(change):.2f}\n{largest:.2f}", fontsize=6, labelpad=2, linespacing=1.5)
    return figure


def _sample(dataset, number):
    """Return one attacked image as plain values, or None if the network misclassifies the original."""
    (place,) = (
        np.flatnonzero(dataset["image_index"].values == number)[:1] if number in dataset["image_index"] else (None,)
    )
    if place is None:
        return None
    names = ("success", "original", "adversarial", "label", "predicted")
    sample = {name: dataset[name].values[place] for name in names}
    if sample["success"] and not np.isfinite(sample["adversarial"]).all():
        raise UserError(
            f"config: figures.one_image: wanted image {number}, found extracts without its pictures; "
            "take one of the first images, or -1"
        )
    return sample


def _say_no(upper, lower, text):
    canvas.clear(upper)
    upper.text(0.5, 0.5, text, ha="center", va="center", fontsize=5.5, transform=upper.transAxes)
    lower.set_axis_off()


if __name__ == "__main__":
    canvas.run(__doc__, draw)
