"""Draw fig_sensitivity_error_l2 or _ce: relative error |xi - delta| / |xi| of the estimate (paper, Figures 9, 10).

Mean and median over test images: a few images whose perturbation nearly vanishes can carry the mean.
"""

import functools

from stages.drawing import canvas, sensitivity_curves
from stages.statistics import runs
from stages.statistics.scale import scale_line, spread_note

ROWS = [("relative_error", "mean"), ("relative_error_median", "median")]


def draw(folder, settings):
    """Return the figure: SGD on the left, NCG on the right, one axis a row."""
    groups = sensitivity_curves.groups(settings["models"], settings["trainers"])
    footer = scale_line(settings["scale"], f"input noise {settings['std']:g}", spread_note(settings["runs"]))
    figure, axes = canvas.sheet(len(ROWS), len(groups), 3.9, footer, sharex=True, sharey="row")

    read = functools.cache(functools.partial(runs.asked_for, folder, settings, "sensitivity"))
    for row, (name, what) in zip(axes, ROWS, strict=True):
        for panel, models in zip(row, groups.values(), strict=True):
            sensitivity_curves.draw_curves(panel, models, settings["trainers"], read, name)
        row[0].set_ylim(bottom=0)
        row[0].set_ylabel(f"‖ξ − δ‖ / ‖ξ‖\n{what} over images")
    for panel, title in zip(axes[0], groups, strict=True):
        panel.set_title(title)
    for panel in axes[-1]:
        panel.set_xlabel("depth t")
    sensitivity_curves.legend(figure, settings["models"], settings["trainers"])
    return figure


if __name__ == "__main__":
    canvas.run(__doc__, draw)
