"""Draw fig_uncertainty: accuracy under noise, predicted from clean images beside measured (beyond the paper).

Upper row: noise on the pixels. Lower row: noise on all weights and biases. One panel a trainer, one colour a
combination of activation and loss; solid lines were measured, dots were predicted.
"""

import functools

from stages import labels
from stages.drawing import canvas, style
from stages.model_name import split_model
from stages.statistics import runs
from stages.statistics.scale import scale_line, spread_note

ROWS = [("pixel", "noise_std", "pixels"), ("weight", "weight_std", "weights")]


def draw(folder, settings):
    """Return the figure."""
    trainers = list(dict.fromkeys(split_model(model)[0] for model in settings["models"]))
    footer = scale_line(settings["scale"], spread_note(settings["runs"]))
    figure, axes = canvas.sheet(2, len(trainers), 4.3, footer, sharey=True, sharex="row")

    read = functools.cache(functools.partial(runs.asked_for, folder, settings, "uncertainty"))
    combinations = {}
    for model in settings["models"]:
        trainer, loss, activation = split_model(model)
        colour = combinations[activation, loss] = style.combination_colour(activation, loss)
        for row, (kind, coordinate, _) in zip(axes, ROWS, strict=True):
            panel, std = row[trainers.index(trainer)], runs.coordinate(read(model), coordinate)
            mean, spread = runs.mean_and_spread(100 * runs.over_runs(read(model), f"{kind}_measured"))
            canvas.curve_with_band(panel, std, mean, spread, color=colour, linewidth=1.2)
            predicted, _ = runs.mean_and_spread(100 * runs.over_runs(read(model), f"{kind}_predicted"))
            panel.plot(std, predicted, color=colour, linestyle="none", marker="o", markersize=3, markeredgewidth=0)
    for row, (_, _, name) in zip(axes, ROWS, strict=True):
        row[0].set_ylabel("test accuracy (%)")
        for panel in row:
            panel.set_xlabel(f"std, {name}", fontsize=6.5)  # short: six panels stand side by side
            panel.set_ylim(0, 102)
            canvas.plain_ticks(panel.xaxis)
    for panel, trainer in zip(axes[0], trainers, strict=True):
        canvas.head_panel(panel, labels.trainer_label(trainer), style.trainer_colour(trainer), len(trainers))
    handles = [
        canvas.line(labels.combination_label(*combination), color=colour, linewidth=1.6)
        for combination, colour in sorted(combinations.items())
    ]
    handles.append(canvas.line("measured", color=style.GREY))
    handles.append(canvas.line("predicted from clean images", color=style.GREY, linestyle="none", marker="o"))
    canvas.legend_below(figure, handles, columns=min(3, len(handles)))
    return figure


if __name__ == "__main__":
    canvas.run(__doc__, draw)
