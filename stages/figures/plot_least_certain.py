"""Draw fig_least_certain: errors that remain when the least certain answers are given to a person (beyond the paper).

Above: error rate of the answers that are kept against their share, ordered by the distance to the nearest decision
boundary, one panel per trainer. Below: the digits of which the first network is least certain, with the true and the
predicted class.
"""

import numpy as np

from stages.drawing import canvas, style
from stages.names import labels
from stages.names.colours import VERMILION
from stages.names.model_name import split_model, trainers_of
from stages.plan.exhibit import Exhibit
from stages.statistics import runs
from stages.statistics.scale import scale_line
from stages.statistics.selective_prediction import risk_against_coverage
from stages.storage import stores

EXHIBITS = {
    "fig_least_certain": Exhibit(
        stage="uncertainty",
        place="beyond the paper",
        order=5,
        title="The least certain answers",
        caption="Above: the share of wrong answers among those that are kept, when the least certain are handed to a "
        "person; certainty is the distance to the nearest decision boundary, to first order. Below: the ten digits "
        "that one network of each trainer is least certain of, the true class and the predicted one (red: wrong).",
        words="One panel per trainer: the share of wrong answers falls as fewer answers are kept. Below, rows of ten "
        "digits that are hard to classify.",
        digits=True,
        beyond=True,
    )
}

SHOWN = 10  # digits in a row
POINTS = 200  # of a curve: more would make the file large and the curve no finer
KEPT = 0.5  # smallest share of kept answers: among the few most certain ones a single wrong answer is a large share


def draw(folder, settings):
    """Return the figure: curves above, one row of digits for each trainer below."""
    trainers = trainers_of(settings["models"])
    footer = scale_line(settings["scale"], "certainty: distance to the nearest boundary; digits: run 0")
    rows, columns = canvas.folded(len(trainers))
    figure, blank = canvas.sheet(1, 1, 0.5 + 1.6 * rows + 0.66 * len(trainers), footer)
    blank[0, 0].remove()
    grid = figure.add_gridspec(2, 1, height_ratios=[2.4 * rows, len(trainers)])
    curves_above = grid[0].subgridspec(rows, columns).subplots(sharey=True, squeeze=False)
    panels = curves_above.ravel()
    images = stores.read(folder / "data" / "digits.zarr")["test_image"].values
    colours, first = style.combination_colours(settings["models"], taken=[VERMILION]), {}
    for model in settings["models"]:
        trainer, loss, activation = split_model(model)
        panel, colour = panels[trainers.index(trainer)], colours[activation, loss]
        datasets = runs.asked_for(folder, settings, "uncertainty", model)
        first.setdefault(trainer, (datasets[0], labels.model_label(model)))
        curves = [risk_against_coverage(data["distance"].values, data["right"].values) for data in datasets]
        coverage = curves[0][0]
        some = np.unique(np.linspace(np.searchsorted(coverage, KEPT), len(coverage) - 1, POINTS).astype(int))
        risks = [100 * risk[some] for _, risk in curves]
        canvas.curve_with_band(panel, 100 * coverage[some], risks, color=colour, linewidth=1.2)
    for panel in panels:
        panel.set_xlabel("kept (%)")
        panel.set_xlim(100 * KEPT, 100)
    for panel in panels[len(trainers) :]:
        panel.set_visible(False)
    for panel, trainer in zip(panels, trainers, strict=False):
        canvas.head_panel(panel, labels.trainer_label(trainer), columns)
    for row in curves_above:
        row[0].set_ylabel("wrong among\nthe kept (%)")
    digits = grid[1].subgridspec(len(trainers), SHOWN).subplots(squeeze=False)
    for row, trainer in zip(digits, trainers, strict=True):
        _draw_digits(row, images, *first[trainer])
    handles = canvas.combination_lines(colours, linewidth=1.6)
    canvas.legend_below(figure, handles, columns=len(handles))
    return figure


def _draw_digits(row, images, data, name):
    """Show the digits nearest to a boundary, with their true and predicted classes."""
    least = np.argsort(data["distance"].values, kind="stable")[:SHOWN]
    row[0].set_ylabel(
        name.replace(", ", "\n").replace(" ", "\n"), fontsize=5.5, rotation=0, ha="right", va="center", labelpad=4
    )
    for panel, index in zip(row, least, strict=False):
        canvas.picture(panel, images[index], vmin=0, vmax=1)
        is_, taken = int(data["label"].values[index]), int(data["predicted"].values[index])
        panel.set_xlabel(f"{is_} as {taken}", fontsize=5.5, labelpad=2, color=style.GREY if is_ == taken else VERMILION)
    for panel in row[len(least) :]:
        panel.set_axis_off()


if __name__ == "__main__":
    canvas.run(__doc__, draw)
