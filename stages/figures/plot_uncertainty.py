"""Draw fig_uncertainty: accuracy under noise, predicted from clean images beside measured (beyond the paper).

Noise on the pixels and, below it, noise on all weights and biases. One panel per trainer and kind of noise, one colour
per combination of activation and loss; solid lines were measured, dots were predicted.
"""

from stages.drawing import canvas, style
from stages.names import labels
from stages.names.model_name import split_model, trainers_of
from stages.plan.exhibit import Exhibit
from stages.statistics import runs
from stages.statistics.scale import footer

EXHIBITS = {
    "fig_uncertainty": Exhibit(
        stage="uncertainty",
        place="beyond the paper",
        order=4,
        title="Accuracy under noise, predicted from clean images",
        caption="Test accuracy under Gaussian noise on the pixels (above) and on all weights and biases (below), "
        "against its standard deviation. Lines: measured, mean over draws and runs, bands one standard deviation over "
        "runs. Dots: predicted from clean images, by the covariance of the scores that one backward pass gives.",
        words="Two rows of panels, one column per trainer: accuracy falls as the noise grows; dots lie on the lines "
        "where the network is nearly linear and above them where it is not.",
        beyond=True,
    )
}

ROWS = [("pixel", "noise_std", "pixels"), ("weight", "weight_std", "weights")]


def draw(folder, settings):
    trainers = trainers_of(settings["models"])
    rows, columns = canvas.folded(len(trainers))
    figure, axes = canvas.sheet(2 * rows, columns, 0.9 + 3.2 * rows, footer(settings), sharey="row", sharex="row")
    # {kind: panels in the trainers' order}: a row of the one kind over a row of the other.
    panels = {kind: axes[number::2].ravel() for number, (kind, _, _) in enumerate(ROWS)}
    colours = style.combination_colours(settings["models"])
    lowest = dict.fromkeys(panels, 100.0)
    for model in settings["models"]:
        trainer, loss, activation = split_model(model)
        colour, datasets = colours[activation, loss], runs.asked_for(folder, settings, "uncertainty", model)
        for kind, coordinate, _ in ROWS:
            panel, std = panels[kind][trainers.index(trainer)], runs.coordinate(datasets, coordinate)
            measured, predicted = (100 * runs.over_runs(datasets, f"{kind}_{how}") for how in ("measured", "predicted"))
            measured = canvas.curve_with_band(panel, std, measured, color=colour, linewidth=1.2)
            predicted, _ = runs.mean_and_spread(predicted)
            lowest[kind] = min(lowest[kind], measured.min(), predicted.min())
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
        canvas.head_panel(panel, labels.trainer_label(trainer), columns)
    handles = canvas.combination_lines(colours, linewidth=1.6)
    handles.append(canvas.line("measured", color=style.GREY))
    handles.append(canvas.line("predicted from clean images", color=style.GREY, linestyle="none", marker="o"))
    canvas.legend_below(figure, handles, columns=min(3, len(handles)))
    return figure


if __name__ == "__main__":
    canvas.run(__doc__, draw)
