"""Draw fig_attack_success: share of images that can be attacked, against the l2 norm (paper, Figure 5).

Solid: the sensitivity attack. Dashed: PGD with the same step and iterations. One colour a combination.
"""

import numpy as np

from stages import labels
from stages.drawing import canvas, style
from stages.model_name import split_model
from stages.statistics import attack_curves, runs
from stages.statistics.scale import scale_line, spread_note

VISIBLE = 0.5  # the norm from which, says the paper, the naked eye sees a perturbation


def draw(folder, settings):
    """Return the figure: one panel a trainer."""
    trainers = list(dict.fromkeys(split_model(model)[0] for model in settings["models"]))
    norms = attack_curves.radii(settings["radii"])
    footer = scale_line(settings["scale"], spread_note(settings["runs"]))
    figure, axes = canvas.sheet(1, len(trainers), 2.6, footer, sharex=True, sharey=True)
    combinations = {}
    for model in settings["models"]:
        trainer, loss, activation = split_model(model)
        colour = combinations[activation, loss] = style.combination_colour(activation, loss)
        panel = axes[0, trainers.index(trainer)]
        for attack in settings["attacks"]:
            datasets = runs.asked_for(folder, settings, f"attack/{attack}", model)
            shares = np.stack([100 * attack_curves.susceptible(dataset, norms) for dataset in datasets])
            mean, spread = runs.mean_and_spread(shares)
            look = style.attack_look(attack) | {"color": colour, "linewidth": 1.2}
            canvas.curve_with_band(panel, norms, mean, spread, **look)
    for panel, trainer in zip(axes[0], trainers, strict=True):
        canvas.head_panel(panel, labels.trainer_label(trainer), style.trainer_colour(trainer), len(trainers))
        panel.axvline(VISIBLE, color=style.GREY, linewidth=0.6, linestyle=(0, (1, 2)))
        panel.set_xlabel("ℓ² norm of the perturbation" if len(trainers) <= canvas.FEW else "ℓ² norm")
        canvas.plain_ticks(panel.xaxis)
        panel.set_xlim(0, norms[-1])
        panel.set_ylim(0, 102)
    axes[0, 0].set_ylabel("susceptible images (%)")
    handles = [
        canvas.line(labels.combination_label(*combination), color=colour, linewidth=1.6)
        for combination, colour in sorted(combinations.items())
    ]
    for attack in settings["attacks"]:
        look = style.attack_look(attack) | {"color": style.GREY, "linewidth": 1.2}
        handles.append(canvas.line(labels.attack_label(attack), **look))
    canvas.legend_below(figure, handles, columns=max(2, len(combinations)))
    return figure


if __name__ == "__main__":
    canvas.run(__doc__, draw)
