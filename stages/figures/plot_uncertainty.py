"""Draw fig_uncertainty: accuracy under noise, predicted from clean images beside measured (beyond the paper).

Noise on the pixels and, below it, noise on all weights and biases. One panel a trainer and kind of noise, one colour a
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
    rows, columns = canvas.folded(len(trainers))
    figure, axes = canvas.sheet(2 * rows, columns, 0.9 + 3.2 * rows, footer, sharey="row", sharex="row")
    # {kind: panels in the trainers' order}: a row of the one kind over a row of the other.
    panels = {kind: axes[number::2].ravel() for number, (kind, _, _) in enumerate(ROWS)}

    read = functools.cache(functools.partial(runs.asked_for, folder, settings, "uncertainty"))
    combinations, lowest = {}, dict.fromkeys(panels, 100.0)
    for model in settings["models"]:
        trainer, loss, activation = split_model(model)
        colour = combinations[activation, loss] = style.combination_colour(activation, loss)
        for kind, coordinate, _ in ROWS:
            panel, std = panels[kind][trainers.index(trainer)], runs.coordinate(read(model), coordinate)
            mean, spread = runs.mean_and_spread(100 * runs.over_runs(read(model), f"{kind}_measured"))
            canvas.curve_with_band(panel, std, mean, spread, color=colour, linewidth=1.2)
            predicted, _ = runs.mean_and_spread(100 * runs.over_runs(read(model), f"{kind}_predicted"))
            lowest[kind] = min(lowest[kind], mean.min(), predicted.min())
            panel.plot(std, predicted, color=colour, linestyle="none", marker="o", markersize=3, markeredgewidth=0)
    for kind, _, name in ROWS:
        for panel in panels[kind]:
            panel.set_xlabel(f"std, {name}")
            panel.set_ylim(10 * (lowest[kind] // 10), 102)
            canvas.plain_ticks(panel.xaxis)
        for panel in panels[kind][len(trainers) :]:
            panel.set_visible(False)
    for row in axes:
        row[0].set_ylabel("test accuracy (%)")
    for panel, trainer in zip(panels["pixel"], trainers, strict=False):
        canvas.head_panel(panel, labels.trainer_label(trainer), style.trainer_colour(trainer), columns)
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
