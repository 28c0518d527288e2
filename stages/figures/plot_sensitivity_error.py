"""Draw fig_sensitivity_error_l2 or _ce: relative error |xi - delta| / |xi| of the estimate (paper, Figures 9, 10)."""

import functools

from stages import program
from stages.figures import canvas, results, sensitivity_curves
from stages.figures.scale import scale_line, spread_note


def draw(folder, settings):
    """Return the figure: SGD on the left, NCG on the right, one axis."""
    groups = sensitivity_curves.groups(settings["models"])
    footer = scale_line(settings["scale"], f"input noise {settings['std']:g}", spread_note(settings["runs"]))
    figure, axes = canvas.sheet(1, len(groups), 2.5, footer, sharex=True, sharey=True)

    @functools.cache
    def read(model):
        return results.read_runs(folder, "sensitivity", model, settings["runs"], settings["network"])

    for panel, (title, models) in zip(axes[0], groups.items(), strict=True):
        sensitivity_curves.draw_curves(panel, models, read, "relative_error")
        panel.set_title(title)
        panel.set_xlabel("depth t")
    axes[0, 0].set_ylim(bottom=0)
    axes[0, 0].set_ylabel("relative error  ‖ξ − δ‖ / ‖ξ‖")
    sensitivity_curves.legend(figure, settings["models"])
    return figure


def main(options):
    canvas.save(draw(options.results, options.settings), options.output, options.settings["dpi"])


if __name__ == "__main__":
    program.run(__doc__, results.arguments, main)
