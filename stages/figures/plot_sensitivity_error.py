"""Draw fig_sensitivity_error_l2 or _ce: relative error |xi - delta| / |xi| of the estimate (paper, Figures 9, 10).

Mean and median over test images: a few images whose perturbation nearly vanishes can dominate the mean.
"""

from stages.drawing import canvas, sensitivity_curves
from stages.plan.exhibit import Exhibit
from stages.plan.selection import perturbation, with_loss
from stages.statistics.scale import footer


def _record(loss, place, name):
    return Exhibit(
        stage="sensitivity",
        place=place,
        title=f"Relative error of the estimate, {name}",
        caption="Relative error ‖ξ(t) − δ(t)‖ / ‖ξ(t)‖ of the estimated perturbation through the depth, mean (above) "
        "and median (below) over test images, then the mean over runs; bands are one standard deviation over runs. A "
        "few images whose perturbation nearly vanishes can dominate the mean. Dashed lines: with weight decay. Rows in "
        "which one curve would flatten the others have a logarithmic axis.",
        words="One column per training method, mean and median over images: the relative error of the estimated "
        "perturbation against t, one curve per model.",
        models=with_loss(loss),
        settings=perturbation,
    )


EXHIBITS = {
    "fig_sensitivity_error_ce": _record("ce", "Figure 9", "cross-entropy"),
    "fig_sensitivity_error_l2": _record("l2", "Figure 10", "ℓ² loss"),
}

DEPTH_SHOWN = 30  # a logarithmic axis begins at the smallest error at t = T divided by this
ROWS = [("relative_error", "mean"), ("relative_error_median", "median")]


def draw(folder, settings):
    """Return the figure: one column per training method, one axis per row."""
    looks = sensitivity_curves.looks(settings["models"], settings["trainers"])
    groups = sensitivity_curves.groups(settings["models"], settings["trainers"])
    note = footer(settings, f"input noise {settings['std']:g}")
    figure, axes = canvas.sheet(len(ROWS), len(groups), 3.9, note, sharex=True, sharey="row")
    datasets = sensitivity_curves.read(folder, settings)
    for row, (name, what) in zip(axes, ROWS, strict=True):
        means = []
        for panel, models in zip(row, groups.values(), strict=True):
            means += sensitivity_curves.draw_curves(panel, models, looks, datasets, name)
        _set_scale(row[0], means)
        row[0].set_ylabel(f"‖ξ − δ‖ / ‖ξ‖\n{what} over images")
    sensitivity_curves.finish(figure, axes, groups, settings["models"], settings["trainers"])
    return figure


def _set_scale(panel, curves):
    """Choose the axis of a row: logarithmic if one curve would flatten the others; all start near zero."""
    ends = [curve[-1] for curve in curves]
    if canvas.is_wide(ends):
        low, high = min(end for end in ends if end > 0) / DEPTH_SHOWN, max(curve.max() for curve in curves)
        canvas.logarithmic(panel.yaxis, low, high)
        panel.set_ylim(low, 1.4 * high)
    else:
        panel.set_ylim(bottom=0)


if __name__ == "__main__":
    canvas.run(__doc__, draw)
