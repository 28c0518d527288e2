"""Draw fig_one_image: one digit that every network can be made to misread, and how (paper, Figure 13).

Columns: for each trainer the targeted, the untargeted and the PGD attack. Upper row: the attacked image and what the
network reads. Lower row: the perturbation and its norm.
"""

import numpy as np

from stages import labels
from stages.drawing import canvas, style
from stages.errors import UserError
from stages.model_name import split_model
from stages.statistics import attack_curves, runs
from stages.statistics.scale import scale_line

SHORT = {"sensitivity-targeted": "targeted", "sensitivity": "untargeted", "pgd-0.06": "PGD"}


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
            "take one that a network reads rightly, below attack.images, or -1"
        )
    if not successes:
        raise UserError("no image was attacked: the networks read none of them rightly; train longer")
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
    largest = max((np.abs(sample["adversarial"] - sample["original"]).max() for sample in shown), default=1.0)

    footer = scale_line(settings["scale"], f"test image {number}; tanh, cross-entropy", runs=f"run {run}")
    figure, axes = canvas.sheet(2, 1 + len(chosen), 1.85, footer, headroom=0.2)
    some = next(sample for sample in [*shown, *chosen.values()] if sample is not None)
    canvas.picture(axes[0, 0], some["original"], vmin=0, vmax=1)
    axes[0, 0].set_title("original", fontsize=6, pad=3)
    axes[0, 0].set_xlabel(f"is a {some['label']}", fontsize=6, labelpad=2)
    axes[1, 0].set_axis_off()
    image = None
    for column, ((model, attack), sample) in enumerate(chosen.items(), start=1):
        upper, lower = axes[:, column]
        trainer = split_model(model)[0]
        # The trainer stands once, over the middle of its attacks.
        middle = attacks.index(attack) == len(attacks) // 2
        upper.set_title(f"{SHORT.get(attack, attack)}", fontsize=6, color=style.trainer_colour(trainer), pad=3)
        if middle:
            heading = {"ha": "center", "va": "bottom", "fontsize": 7.5, "fontweight": "bold"}
            name = upper.annotate(
                labels.trainer_label(trainer),
                (0.5, 1),
                (0, 13),
                xycoords="axes fraction",
                textcoords="offset points",
                color=style.trainer_colour(trainer),
                **heading,
            )
            name.set_in_layout(False)
        if sample is None or not sample["success"]:
            _say_no(upper, lower, "misread\nunattacked" if sample is None else "not fooled")
            continue
        canvas.picture(upper, sample["adversarial"], vmin=0, vmax=1)
        upper.set_xlabel(f"read as {sample['predicted']}", fontsize=6, labelpad=2)
        change = sample["adversarial"] - sample["original"]
        image = canvas.picture(lower, change, vmin=-largest, vmax=largest, cmap="RdBu_r")
        lower.set_xlabel(f"ℓ² {np.linalg.norm(change):.2f}", fontsize=6, labelpad=2)
    if image is not None:
        scale = axes[1, 0].inset_axes([0.62, 0, 0.16, 1])
        figure.colorbar(image, cax=scale, ticks=[-largest, 0, largest])
        scale.yaxis.set_ticks_position("left")
        scale.set_yticklabels([f"−{largest:.2f}", "0", f"+{largest:.2f}"], fontsize=5.5)
        scale.set_xlabel("change", fontsize=6, labelpad=3)
    return figure


def _sample(dataset, number):
    """Return one attacked image as plain values, or None where the network misreads it unattacked."""
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
    for axes in (upper, lower):
        axes.set_xticks([])
        axes.set_yticks([])
        axes.grid(False)
    upper.text(0.5, 0.5, text, ha="center", va="center", fontsize=5.5, transform=upper.transAxes)
    lower.set_axis_off()


if __name__ == "__main__":
    canvas.run(__doc__, draw)
