"""Draw fig_attack_comparison: success of all attacks against the l2 norm (paper, Figure 12)."""

import numpy as np

from stages import labels
from stages.drawing import canvas, style
from stages.model_name import model_name, split_model
from stages.statistics import attack_curves, runs
from stages.statistics.scale import scale_line, spread_note


def draw(folder, settings):
    """Return the figure: rows the combinations of activation and loss, columns the trainers."""
    trainers = list(dict.fromkeys(split_model(model)[0] for model in settings["models"]))
    combinations = sorted({split_model(model)[:0:-1] for model in settings["models"]})  # (activation, loss)
    norms = attack_curves.radii(settings["radii"])
    footer = scale_line(settings["scale"], spread_note(settings["runs"]))
    height = 0.75 + 1.3 * len(combinations)
    figure, axes = canvas.sheet(len(combinations), len(trainers), height, footer, sharex=True, sharey=True)
    for row, (activation, loss) in zip(axes, combinations, strict=True):
        for panel, trainer in zip(row, trainers, strict=True):
            model = model_name(trainer, loss, activation)
            if model in settings["models"]:
                _draw_panel(panel, folder, model, norms, settings)
            else:
                panel.text(0.5, 0.5, "not run", transform=panel.transAxes, ha="center", va="center", color=style.GREY)
        row[0].set_ylabel(f"{labels.combination_label(activation, loss)}\nsusceptible (%)")
    for panel, trainer in zip(axes[0], trainers, strict=True):
        canvas.head_panel(panel, labels.trainer_label(trainer), style.trainer_colour(trainer), len(trainers))
    for panel in axes[-1]:
        panel.set_xlabel("ℓ² norm of the perturbation" if len(trainers) <= canvas.FEW else "ℓ² norm")
        canvas.plain_ticks(panel.xaxis)
    axes[0, 0].set_xlim(0, norms[-1])
    axes[0, 0].set_ylim(0, 102)
    handles = [canvas.line(labels.attack_label(attack), **style.attack_look(attack)) for attack in settings["attacks"]]
    canvas.legend_below(figure, handles, columns=3)
    return figure


def _draw_panel(panel, folder, model, norms, settings):
    for attack in settings["attacks"]:
        datasets = runs.asked_for(folder, settings, f"attack/{attack}", model)
        shares = np.stack([100 * attack_curves.susceptible(dataset, norms) for dataset in datasets])
        mean, spread = runs.mean_and_spread(shares)
        canvas.curve_with_band(panel, norms, mean, spread, **style.attack_look(attack))


if __name__ == "__main__":
    canvas.run(__doc__, draw)
