"""Draw fig_sensitivity_l2 or _ce: estimated beside measured perturbation against t (paper, Figures 4, 7, 8).

Estimated: |xi(t)| / |x(t)| from the sensitivity problem. Measured: |delta(t)| / |x(t)|, the difference of two
solutions of the network. Both are means over test images.
"""

import numpy as np

from stages.drawing import canvas, sensitivity_curves
from stages.plan.exhibit import Exhibit
from stages.plan.selection import perturbation, with_loss
from stages.statistics import runs
from stages.statistics.scale import footer


def _record(loss, place, name):
    return Exhibit(
        stage="sensitivity",
        place=place,
        title=f"Perturbation through the depth, {name}",
        caption="How a small perturbation of the input grows through the network. Left: estimated by the sensitivity "
        "problem, ‖ξ(t)‖ / ‖x(t)‖. Right: measured by running the perturbed image too, ‖δ(t)‖ / ‖x(t)‖. Both are means "
        "over test images, then over runs; bands are one standard deviation over runs. Dashed lines: with weight "
        "decay. Each row has one axis, so that the two columns can be compared; it is logarithmic where values differ "
        "widely.",
        words="Panels of the relative perturbation against t: one row per training method, columns estimated by the "
        "sensitivity problem and measured by running the perturbed image.",
        models=with_loss(loss),
        settings=perturbation,
    )


EXHIBITS = {
    "fig_sensitivity_l2": _record("l2", "Figure 4", "ℓ² loss"),
    "fig_sensitivity_ce": _record("ce", "Figures 7 and 8", "cross-entropy"),
}

COLUMNS = [("estimated", "estimated: ‖ξ(t)‖ / ‖x(t)‖"), ("measured", "measured: ‖δ(t)‖ / ‖x(t)‖")]


def draw(folder, settings):
    """Return the figure: one row per training method; columns estimated, measured."""
    looks = sensitivity_curves.looks(settings["models"], settings["trainers"])
    groups = sensitivity_curves.groups(settings["models"], settings["trainers"])
    note = footer(settings, f"input noise {settings['std']:g}")
    figure, axes = canvas.sheet(len(groups), 2, 0.75 + 1.6 * len(groups), note, sharex=True, sharey="row")
    datasets = sensitivity_curves.read(folder, settings)
    for row, (title, models) in zip(axes, groups.items(), strict=True):
        for panel, (name, _) in zip(row, COLUMNS, strict=True):
            sensitivity_curves.draw_curves(panel, models, looks, datasets, name)
        # Estimated and measured values share an axis for comparison.
        shown = [runs.over_runs(datasets[model], name).ravel() for model in models for name, _ in COLUMNS]
        values = np.concatenate(shown)
        if canvas.is_wide(values):
            canvas.logarithmic(row[0].yaxis, values[values > 0].min(), values.max())
        row[0].set_ylabel(title)
    sensitivity_curves.finish(
        figure, axes, [heading for _, heading in COLUMNS], settings["models"], settings["trainers"]
    )
    return figure


if __name__ == "__main__":
    canvas.run(__doc__, draw)
