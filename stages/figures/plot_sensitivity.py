"""Draw fig_sensitivity_l2 or _ce: estimated beside measured perturbation against t (paper, Figures 4, 7, 8).

Estimated: |xi(t)| / |x(t)| from the sensitivity problem. Measured: |delta(t)| / |x(t)|, the difference of two
solutions of the network. Both are means over test images.
"""

import functools

import numpy as np

from stages.drawing import canvas, sensitivity_curves
from stages.statistics import runs
from stages.statistics.scale import scale_line, spread_note

COLUMNS = [("estimated", "estimated: ‖ξ(t)‖ / ‖x(t)‖"), ("measured", "measured: ‖δ(t)‖ / ‖x(t)‖")]
LINEAR_UP_TO = 8  # a panel whose largest value exceeds its smallest by more than this is drawn logarithmically


def draw(folder, settings):
    """Return the figure: rows SGD, NCG; columns estimated, measured."""
    groups = sensitivity_curves.groups(settings["models"], settings["trainers"])
    footer = scale_line(settings["scale"], f"input noise {settings['std']:g}", spread_note(settings["runs"]))
    figure, axes = canvas.sheet(len(groups), 2, 0.75 + 1.6 * len(groups), footer, sharex=True, sharey="row")

    read = functools.cache(functools.partial(runs.asked_for, folder, settings, "sensitivity"))
    for row, (title, models) in zip(axes, groups.items(), strict=True):
        for panel, (name, _) in zip(row, COLUMNS, strict=True):
            sensitivity_curves.draw_curves(panel, models, settings["trainers"], read, name)
        scale = _scale(row[0], models, read)
        row[0].set_ylabel(f"{title}\nrelative perturbation{scale}")
    for panel, (_, heading) in zip(axes[0], COLUMNS, strict=True):
        panel.set_title(heading)
    for panel in axes[-1]:
        panel.set_xlabel("depth t")
    sensitivity_curves.legend(figure, settings["models"], settings["trainers"])
    return figure


def _scale(panel, models, read):
    """Choose the axis of a row and name it: estimated and measured share it, so that the eye can compare them."""
    values = np.concatenate([runs.over_runs(read(model), name).ravel() for model in models for name, _ in COLUMNS])
    values = values[values > 0]
    if values.size and values.max() > LINEAR_UP_TO * values.min():
        panel.set_yscale("log")
        return " (log scale)"
    return ""


if __name__ == "__main__":
    canvas.run(__doc__, draw)
