"""Draw fig_attack_examples_sgd or _sobolev: successful attacks side by side, ReLU and l2 loss (paper, Figures 14, 15).

Rows: attacks on one network; in fig_robust_examples, beyond the paper, networks under one attack. Above, the original
digits, once each; below each original, the attacked image and the perturbation. Digits that can be changed in most rows
are shown.
"""

import itertools
from collections import Counter

import numpy as np

from stages.drawing import canvas
from stages.names import labels
from stages.names.model_name import split_model
from stages.plan.exhibit import Exhibit
from stages.plan.selection import attacked_with, attacks_named, first_pairs
from stages.statistics import attack_curves, runs
from stages.statistics.scale import scale_line


def _examples(config):
    return {"examples": config["figures"]["examples"]}


def _of_one_network(trainer, place, name):
    return Exhibit(
        stage="attack",
        place=place,
        title=f"Attacks on {name} network",
        caption="Successful attacks on one network (ReLU, ℓ² loss): PGD with step 0.06, FGSM, Carlini-Wagner on the "
        "class scores, and the sensitivity attack with moving target. Top row: original digits with their classes. "
        "Below: attacked digit with the predicted class, and the change with its ℓ² norm. Digits that every attack can "
        "change come first. Each change is scaled to its own largest pixel: red is lighter, blue is darker.",
        words="Four rows, PGD, FGSM, Carlini-Wagner and the sensitivity attack: original digits, attacked digits and "
        "the perturbations between them.",
        models=attacked_with(trainer, "l2", "relu"),
        attacks=attacks_named("pgd-0.06", "fgsm", "cw", "sensitivity"),
        settings=_examples,
        one_run=True,
    )


EXHIBITS = {
    "fig_attack_examples_sgd": _of_one_network("sgd", "Figure 14", "an SGD-trained"),
    "fig_attack_examples_sobolev": _of_one_network("ncg-sobolev", "Figure 15", "a Sobolev-trained"),
    "fig_robust_examples": Exhibit(
        stage="attack",
        place="beyond the paper",
        order=2,
        title="The perturbations that are needed",
        caption="The same digits under the sensitivity attack on a plain network and, below it, on its robust twin: "
        "attacked digit with the predicted class, and the change with its ℓ² norm; the originals stand above. Each "
        "change is scaled to its own largest pixel: red is lighter, blue is darker.",
        words="Rows of digits, a plain network above its robust twin: original, attacked digit and change. The changes "
        "of robust networks are larger and follow the strokes.",
        models=first_pairs,
        attacks=attacks_named("sensitivity"),
        settings=_examples,
        one_run=True,
        beyond=True,
    ),
}


def choose(datasets, examples):
    """Return the test images to show: those that are changed in most rows come first."""
    successes = Counter()
    for dataset in datasets:
        changed = dataset["success"].values.astype(bool) & attack_curves.pictured(dataset)
        successes.update(int(index) for index in dataset["image_index"].values[changed])
    return sorted(successes, key=lambda index: (-successes[index], index))[:examples]


def draw(folder, settings):
    """Return the figure."""
    models, attacks, (run,), examples = (settings[name] for name in ("models", "attacks", "runs", "examples"))
    if len(models) == 1:
        shared, names = labels.model_label(models[0]), [labels.attack_short(attack) for attack in attacks]
    else:
        shared, names = (
            labels.attack_label(attacks[0]),
            [labels.trainer_label(split_model(model)[0]) for model in models],
        )
    datasets = [
        runs.read_runs(folder, f"attack/{attack}", model, [run], settings["network"])[0]
        for model, attack in itertools.product(models, attacks)
    ]
    footer = scale_line(settings["scale"], shared, runs=f"run {run}")
    footer += "\neach change scaled to its own largest pixel; red is lighter, blue is darker"
    # Two pictures per digit, and a narrow empty column between digits.
    widths = ([1, 1, 0.15] * examples)[:-1]
    picture = (canvas.WIDTH - 0.7) / sum(widths)
    figure, axes = canvas.sheet(
        1 + len(names), len(widths), 0.4 + (picture + 0.16) * (1 + len(names)), footer, width_ratios=widths
    )
    figure.get_layout_engine().set(wspace=0, w_pad=0.02, h_pad=0.02)
    for panel in axes.flat:
        canvas.clear(panel)
    for row, name in zip(axes, ["original", *names], strict=True):
        row[0].set_ylabel(
            name.replace(", ", ",\n").replace(" ", "\n"), fontsize=6.5, rotation=0, ha="right", va="center"
        )
    for number, index in enumerate(choose(datasets, examples)):
        columns = axes[:, 3 * number : 3 * number + 2]
        _draw_original(columns[0, 0], datasets, index)
        for pair, dataset in zip(columns[1:], datasets, strict=True):
            _draw_attacked(pair, dataset, index)
    for panel, title in zip(axes[1], itertools.cycle(("attacked", "change", "")), strict=False):
        panel.set_title(title, fontsize=6, pad=3)
    if not any(dataset["success"].values.any() for dataset in datasets):
        axes[1, 0].text(0, 0.5, "no attack succeeded", fontsize=6.5, va="center", transform=axes[1, 0].transAxes)
    return figure


def _place(dataset, index):
    """Return the position of a test image among the attacked ones, or None."""
    places = np.flatnonzero(dataset["image_index"].values == index)
    return places[0] if places.size else None


def _draw_original(panel, datasets, index):
    """Show the digit before the attack, once for all rows."""
    dataset = next(each for each in datasets if _place(each, index) is not None)
    place = _place(dataset, index)
    canvas.picture(panel, dataset["original"].values[place], vmin=0, vmax=1)
    panel.set_xlabel(f"true class {dataset['label'].values[place]}", fontsize=6, labelpad=2)


def _draw_attacked(panels, dataset, index):
    """Show the attacked digit and the change, or say why there is none."""
    place = _place(dataset, index)
    if place is None or not dataset["success"].values[place]:
        text = "misclassified\nunattacked" if place is None else "attack\nfailed"
        panels[0].text(0.5, 0.5, text, fontsize=5.5, ha="center", va="center", transform=panels[0].transAxes)
        return
    change = dataset["adversarial"].values[place] - dataset["original"].values[place]
    largest = np.abs(change).max() or 1.0
    canvas.picture(panels[0], dataset["adversarial"].values[place], vmin=0, vmax=1)
    canvas.picture(panels[1], change, vmin=-largest, vmax=largest, cmap="RdBu_r")
    panels[0].set_xlabel(f"predicted {dataset['predicted'].values[place]}", fontsize=6, labelpad=2)
    panels[1].set_xlabel(f"ℓ² {np.linalg.norm(change):.2f}", fontsize=6, labelpad=2)


if __name__ == "__main__":
    canvas.run(__doc__, draw)
