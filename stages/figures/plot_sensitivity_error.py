"""Draw fig_sensitivity_error_l2 or _ce: relative error |xi - delta| / |xi| of the estimate (paper, Figures 9, 10)."""

import functools

from stages.drawing import canvas, sensitivity_curves
from stages.statistics import runs
from stages.statistics.scale import scale_line, spread_note


def draw(folder, settings):
    """Return the figure: SGD on the left, NCG on the right, one axis."""
    groups = sensitivity_curves.groups(settings["models"], settings["trainers"])
    footer = scale_line(settings["scale"], f"input noise {settings['std']:g}", spread_note(settings["runs"]))
    figure, axes = canvas.sheet(1, len(groups), 2.5, footer, sharex=True, sharey=True)

    read = functools.cache(functools.partial(runs.asked_for, folder, settings, "sensitivity"))
    for panel, (title, models) in zip(axes[0], groups.items(), strict=True):
        sensitivity_curves.draw_curves(panel, models, settings["trainers"], read, "relative_error")
        panel.set_title(title)
        panel.set_xlabel("depth t")
    axes[0, 0].set_ylim(bottom=0)
    axes[0, 0].set_ylabel("relative error  ‖ξ − δ‖ / ‖ξ‖")
    sensitivity_curves.legend(figure, settings["models"], settings["trainers"])
    return figure


if __name__ == "__main__":
    canvas.run(__doc__, draw)
