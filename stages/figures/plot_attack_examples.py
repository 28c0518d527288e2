"""Draw fig_attack_examples_sgd or _sobolev: successful attacks side by side, ReLU and l2 loss (paper, Figures 14, 15).

Rows: attacks on one network; in fig_robust_examples, beyond the paper, networks under one attack. Above, the original
digits, once each; below each original, the attacked image and the perturbation. Digits that can be changed in most rows
are shown.
"""

import itertools

from stages.drawing import attacked_images, canvas
from stages.names import labels
from stages.names.model_name import split_model
from stages.plan.exhibit import Exhibit
from stages.plan.selection import attacked_with, attacks_named, first_pairs
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
    return [index for index, count in attacked_images.successes(datasets).items() if count][:examples]


def draw(folder, settings):
    models, attacks, (run,), examples = (settings[name] for name in ("models", "attacks", "runs", "examples"))
    if len(models) == 1:
        shared, names = labels.model_label(models[0]), [labels.attack_short(attack) for attack in attacks]
    else:
        names = [labels.trainer_label(split_model(model)[0]) for model in models]
        shared = labels.attack_label(attacks[0])
    datasets = attacked_images.read(folder, settings).values()
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
        original, *pairs = axes[:, 3 * number : 3 * number + 2]
        samples = [attacked_images.sample(dataset, index) for dataset in datasets]
        attacked_images.draw_original(original[0], next(filter(attacked_images.is_kept, samples)))
        for pair, sample in zip(pairs, samples, strict=True):
            attacked_images.draw_attacked(pair, sample, "attack\nfailed", "ℓ² {norm:.2f}")
    for panel, title in zip(axes[1], itertools.cycle(("attacked", "change", "")), strict=False):
        panel.set_title(title, fontsize=6, pad=3)
    if not any(dataset["success"].values.any() for dataset in datasets):
        axes[1, 0].text(0, 0.5, "no attack succeeded", fontsize=6.5, va="center", transform=axes[1, 0].transAxes)
    return figure


if __name__ == "__main__":
    canvas.run(__doc__, draw)
