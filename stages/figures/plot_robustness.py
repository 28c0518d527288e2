"""Draw fig_robustness: what robust training gains and what it costs (beyond the paper).

Above: the share of test images that no attack up to a given norm makes the network misclassify; at norm 0 it is the
accuracy. Below: errors on clean images and the success of each attack at one norm, with a line from the plain network
to its robust twin. One column per trainer, one colour per combination.
"""

import numpy as np

from stages.drawing import canvas, style
from stages.names import labels
from stages.names.model_name import split_model, trainers_of
from stages.plan import experiment
from stages.plan.exhibit import Exhibit
from stages.plan.selection import direct_attacks, on_all_images, robust_pairs
from stages.statistics import attack_curves, runs
from stages.statistics.scale import footer


def _depends_on(config):
    """The pairs, the radii, which attacks have their own radii, and the norm of the lower panels."""
    attack = config["attack"]
    return {
        "pairs": experiment.robust_pairs(config),
        "far": [name for name, line in attack["attacks"].items() if "radii" in line],
        "norm": config["claims"]["attack_norm"],
        "images": attack["images"],
        "radii": attack["radii"],
    }


EXHIBITS = {
    "fig_robustness": Exhibit(
        stage="attack",
        also=("train",),
        place="beyond the paper",
        order=1,
        title="What robust training gains, and what it costs",
        caption="Above: the share of the test images that a network still classifies correctly when each of the "
        "attacks may try, against the ℓ² norm that they are allowed; it starts at the accuracy. Dashed: the plain "
        "network; solid: its robust twin, in whose training a share of each batch was moved by the sensitivity attack "
        "before the iterations. A curve that falls to zero shows that no gradient is masked. The dotted line marks the "
        "norm of the panels below: there, errors on all clean test images in the first row, in the others the share "
        "of correctly classified images that each attack changes, from the plain network (ring) to the robust one "
        "(dot).",
        words="Three columns, SGD, NCG and Sobolev NCG. Above, falling curves of images classified correctly under "
        "attack: those of robust networks lie above those of plain ones. Below, one line per attack that leads "
        "from plain networks on the right to robust ones on the left.",
        models=robust_pairs,
        attacks=lambda config: on_all_images(config, direct_attacks(config)),
        settings=_depends_on,
        beyond=True,
    )
}

FARTHEST = 4.0  # norm shown: that of the largest balls in the preset


def draw(folder, settings):
    near = [attack for attack in settings["attacks"] if attack not in settings["far"]]
    plain_models = [plain for plain, _ in settings["pairs"]]
    columns = trainers_of(plain_models)
    norms = attack_curves.radii(settings["radii"])
    norms = np.unique(np.concatenate([norms, np.arange(0.5, FARTHEST + 0.1, 0.5)]))
    note = footer(settings, f"{settings['images']} images attacked")
    height = 3.1 + 0.22 * (1 + len(near))
    ratios = {"height_ratios": [1.9, 0.4 + 0.22 * (1 + len(near))]}
    figure, axes = canvas.sheet(2, len(columns), height, note, sharex="row", sharey="row", gridspec_kw=ratios)
    colours = style.combination_colours(plain_models)
    for plain, robust in settings["pairs"]:
        trainer, loss, activation = split_model(plain)
        colour = colours[activation, loss]
        above, below = axes[:, columns.index(trainer)]
        percent = []  # of each network: errors on clean images, success of each attack
        for model, dashes in ((plain, style.DASHES), (robust, "-")):
            attacked = {
                attack: runs.asked_for(folder, settings, f"attack/{attack}", model) for attack in settings["attacks"]
            }
            left = [_still_right(run, norms, settings["images"]) for run in zip(*attacked.values(), strict=True)]
            canvas.curve_with_band(above, norms, left, color=colour, linestyle=dashes)
            accuracy = runs.final_accuracy(folder, settings, model)
            shares = [[attack_curves.susceptible(run, [settings["norm"]]) for run in attacked[name]] for name in near]
            percent.append([100 - accuracy.mean(), *(100 * np.mean(share) for share in shares)])
        offset = list(colours).index((activation, loss)) - (len(colours) - 1) / 2
        _draw_dumbbells(below, zip(*percent, strict=True), colour, 0.7 * offset / len(colours))
    for panel, trainer in zip(axes[0], columns, strict=True):
        canvas.head_panel(panel, labels.trainer_label(trainer), len(columns))
        panel.set_xlabel("allowed ℓ² norm")
        panel.axvline(settings["norm"], **style.THRESHOLD)
        panel.set(xlim=(0, FARTHEST), ylim=(0, 102))
    for panel in axes[1]:
        panel.set(xlabel="percent", xlim=(0, 102), ylim=(len(near) + 0.5, -0.5))
        panel.axhline(0.5, color=style.GREY, linewidth=0.6)
        panel.set_yticks(range(1 + len(near)), ["errors, clean", *map(labels.attack_short, near)])
        panel.tick_params(axis="y", length=0)
        panel.grid(axis="y", visible=False)
    axes[0, 0].set_ylabel("correct under attack (%)")
    axes[1, 0].set_ylabel(f"success at norm {settings['norm']:g}")
    handles = canvas.combination_lines(colours)
    handles.append(canvas.line("plain", color=style.GREY, linestyle=style.DASHES, **_ring(style.GREY)))
    handles.append(canvas.line("robust", color=style.GREY, **_dot(style.GREY)))
    canvas.legend_below(figure, handles, columns=len(handles))
    return figure


def _still_right(datasets, norms, images):
    """Return the percentage of all images that no attack of a run can change, for each norm."""
    needed = attack_curves.smallest_norms(datasets)
    return 100 * (len(needed) - attack_curves.within(needed, norms).sum(axis=1)) / images


def _draw_dumbbells(panel, rows, colour, offset):
    """Draw a line for clean images and for each attack, from the plain network's ring to the robust one's dot."""
    for row, ends in enumerate(rows):
        panel.plot(ends, [row + offset] * 2, color=colour, linewidth=0.9)
        for x, look in zip(ends, (_ring(colour), _dot(colour)), strict=True):
            panel.plot(x, row + offset, color=colour, **look)


def _ring(colour):
    """The marker of a plain network, large enough to be visible around the dot of a robust one."""
    return _dot(colour) | {"markersize": 5, "markerfacecolor": "white", "markeredgewidth": 0.8}


def _dot(colour):
    """The marker of a robust network."""
    return {"marker": "o", "markersize": 2.8, "markerfacecolor": colour, "markeredgecolor": colour}


if __name__ == "__main__":
    canvas.run(__doc__, draw)
