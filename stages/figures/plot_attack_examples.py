"""Draw fig_attack_examples_sgd or _sobolev: successful attacks side by side, ReLU and l2 loss (paper, Figures 14, 15).

Rows: attacks on one network; fig_robust_examples, beyond the paper: networks under one attack. Columns: original,
attacked image and perturbation of one digit, then of the next. Digits that can be changed in all rows come first, so
that the rows show the same ones wherever they can.
"""

import itertools

import numpy as np

from stages import labels
from stages.drawing import canvas
from stages.model_name import split_model
from stages.statistics import attack_curves, runs
from stages.statistics.scale import scale_line

NAMES = {"pgd-0.06": "PGD", "fgsm": "FGSM", "cw": "CW", "sensitivity": "sensitivity"}


def choose(datasets, examples):
    """Return, for each attack, the places of its samples to show."""
    successes = [
        set(dataset["image_index"].values[dataset["success"].values.astype(bool) & attack_curves.pictured(dataset)])
        for dataset in datasets
    ]
    common = set.intersection(*successes) if successes else set()
    chosen = []
    for dataset, indices in zip(datasets, successes, strict=True):
        wanted = sorted(indices, key=lambda index: (index not in common, index))[:examples]
        chosen.append([int(np.flatnonzero(dataset["image_index"].values == index)[0]) for index in wanted])
    return chosen


def draw(folder, settings):
    """Return the figure."""
    models, attacks, (run,), examples = (settings[name] for name in ("models", "attacks", "runs", "examples"))
    if len(models) == 1:
        shared, names = labels.model_label(models[0]), [NAMES.get(attack, attack) for attack in attacks]
    else:
        shared, names = labels.attack_label(attacks[0]), [_in_lines(model) for model in models]
    datasets = [
        runs.read_runs(folder, f"attack/{attack}", model, [run], settings["network"])[0]
        for model, attack in itertools.product(models, attacks)
    ]
    footer = scale_line(settings["scale"], shared, runs=f"run {run}")
    footer += "\neach perturbation scaled to its own largest pixel"
    # A narrow empty column between one digit and the next.
    widths = ([1, 1, 1, 0.12] * examples)[:-1]
    height = 0.46 + (canvas.WIDTH / (sum(widths) + 1.2) + 0.2) * len(names)
    figure, axes = canvas.sheet(len(names), len(widths), height, footer, width_ratios=widths)
    figure.get_layout_engine().set(wspace=0, w_pad=0.02, h_pad=0.02)
    for row, name, dataset, places in zip(axes, names, datasets, choose(datasets, examples), strict=True):
        row[0].set_ylabel(name, fontsize=7)
        if not places:
            row[0].text(0, 0.5, "no attack succeeded", fontsize=6.5, va="center", transform=row[0].transAxes)
        for number in range(examples):
            _draw_example(row[4 * number : 4 * number + 3], dataset, places[number] if number < len(places) else None)
        for gap in row[3::4]:
            gap.set_axis_off()
    for number in range(examples):
        for panel, title in zip(axes[0, 4 * number :], ("original", "attacked", "change"), strict=False):
            panel.set_title(title, fontsize=6, pad=3)
    return figure


def _in_lines(model):
    """Name a network's trainer, a line a word: the rows are narrow."""
    return labels.trainer_label(split_model(model)[0]).replace(", ", "\n").replace(" ", "\n")


def _draw_example(panels, dataset, place):
    if place is None:
        for panel in panels:
            panel.set(xticks=[], yticks=[])
            panel.grid(False)
            for spine in panel.spines.values():
                spine.set_visible(False)
        return
    original, attacked = (dataset[name].values[place] for name in ("original", "adversarial"))
    change = attacked - original
    largest = np.abs(change).max() or 1.0
    canvas.picture(panels[0], original, vmin=0, vmax=1)
    canvas.picture(panels[1], attacked, vmin=0, vmax=1)
    canvas.picture(panels[2], change, vmin=-largest, vmax=largest, cmap="RdBu_r")
    panels[0].set_xlabel(f"is {dataset['label'].values[place]}", fontsize=6, labelpad=2)
    panels[1].set_xlabel(f"read {dataset['predicted'].values[place]}", fontsize=6, labelpad=2)
    panels[2].set_xlabel(f"ℓ² {np.linalg.norm(change):.2f}", fontsize=6, labelpad=2)


if __name__ == "__main__":
    canvas.run(__doc__, draw)
