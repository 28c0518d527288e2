"""Draw fig_robustness: what robust training gains and what it costs (beyond the paper).

Above: the share of all attacked test images that a network still reads rightly when every attack may try, against the
norm that they are allowed; at norm 0 it is the accuracy. Below: accuracy against the success of each attack at one
norm, a line from the plain network to its robust twin. One column a trainer, one colour a combination.
"""

import functools

import numpy as np

from stages import labels
from stages.drawing import canvas, style
from stages.model_name import split_model
from stages.statistics import attack_curves, runs
from stages.statistics.scale import scale_line, spread_note

MARKERS = dict(zip(labels.ATTACKS, "oDs^vPX", strict=False))
FARTHEST = 4.0  # norm shown: that of the largest balls in the preset


def draw(folder, settings):
    """Return the figure."""

    read = functools.cache(functools.partial(runs.asked_for, folder, settings))
    near = [attack for attack in settings["attacks"] if attack not in settings["far"]]
    columns = list(dict.fromkeys(split_model(plain)[0] for plain, _ in settings["pairs"]))
    norms = attack_curves.radii(settings["radii"])
    norms = np.unique(np.concatenate([norms, np.arange(0.5, FARTHEST + 0.1, 0.5)]))
    footer = scale_line(settings["scale"], f"{settings['images']} images attacked", spread_note(settings["runs"]))
    figure, axes = canvas.sheet(2, len(columns), 4.6, footer, sharex="row", sharey="row")
    colours = {}
    for plain, robust in settings["pairs"]:
        trainer, loss, activation = split_model(plain)
        colour = colours[activation, loss] = style.combination_colour(activation, loss)
        above, below = axes[:, columns.index(trainer)]
        for model, dashes in ((plain, style.DASHES), (robust, "-")):
            attacked = [read(f"attack/{attack}", model) for attack in settings["attacks"]]
            left = [_still_right(run, norms, settings["images"]) for run in zip(*attacked, strict=True)]
            canvas.curve_with_band(above, norms, *runs.mean_and_spread(left), color=colour, linestyle=dashes)
        _draw_trade(below, read, (plain, robust), near, settings["norm"], colour)
    for panel, trainer in zip(axes[0], columns, strict=True):
        canvas.head_panel(panel, labels.trainer_label(trainer), style.trainer_colour(trainer), len(columns))
        panel.set_xlabel("allowed ℓ² norm")
        panel.axvline(settings["norm"], color=style.GREY, linewidth=0.6, linestyle=(0, (1, 2)))
        panel.set(xlim=(0, FARTHEST), ylim=(0, 102))
    for panel in axes[1]:
        panel.set_xlabel(f"success at norm {settings['norm']:g} (%)")
        panel.set_xlim(0)
    axes[0, 0].set_ylabel("read rightly under attack (%)")
    axes[1, 0].set_ylabel("test accuracy (%)")
    handles = [canvas.line(labels.combination_label(*each), color=colour) for each, colour in sorted(colours.items())]
    handles.append(canvas.line("plain", color=style.GREY, linestyle=style.DASHES, **_point("o", "none")))
    handles.append(canvas.line("robust", color=style.GREY, **_point("o", style.GREY)))
    for attack in near:
        look = _point(MARKERS.get(attack, "o"), style.GREY)
        handles.append(canvas.line(labels.attack_label(attack), color=style.GREY, linestyle="none", **look))
    canvas.legend_below(figure, handles, columns=3)
    return figure


def _still_right(datasets, norms, images):
    """Return the percent of all images that no attack of a run can change, for each norm."""
    needed = attack_curves.smallest_norms(datasets)
    return 100 * (len(needed) - attack_curves.within(needed, norms).sum(axis=1)) / images


def _draw_trade(panel, read, pair, attacks, norm, colour):
    """Draw a line for each attack, from the plain network's ring to the robust one's dot."""
    accuracy = [100 * runs.over_runs(read("train", model), "test_accuracy")[:, -1].mean() for model in pair]
    for attack in attacks:
        shares = [[attack_curves.susceptible(run, [norm]) for run in read(f"attack/{attack}", model)] for model in pair]
        success = [100 * np.mean(share) for share in shares]
        panel.plot(success, accuracy, color=colour, linewidth=0.6, alpha=0.6)
        for x, y, face in zip(success, accuracy, ("white", colour), strict=True):
            panel.plot(x, y, color=colour, **_point(MARKERS.get(attack, "o"), face))


def _point(marker, face):
    return {"marker": marker, "markersize": 3.5, "markerfacecolor": face, "markeredgewidth": 0.7}


if __name__ == "__main__":
    canvas.run(__doc__, draw)
