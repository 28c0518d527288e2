"""Draw fig_noise_accuracy: accuracy on noisy test images against the noise's standard deviation (paper, Figure 3)."""

from stages import labels
from stages.drawing import canvas, style
from stages.model_name import split_model
from stages.statistics import runs
from stages.statistics.scale import scale_line, spread_note


def draw(folder, settings):
    """Return the figure: one panel a combination of loss and activation, one line a trainer."""
    panels = list(dict.fromkeys(split_model(model)[1:] for model in settings["models"]))
    trainers = list(dict.fromkeys(split_model(model)[0] for model in settings["models"]))
    columns = min(2, len(panels))
    rows = -(-len(panels) // columns)
    footer = scale_line(settings["scale"], spread_note(settings["runs"]))
    figure, axes = canvas.sheet(rows, columns, 0.65 + 1.7 * rows, footer, sharex=True, sharey=True)
    looks = {trainer: _look(trainer, settings["trainers"][trainer]) for trainer in trainers}
    for model in settings["models"]:
        trainer, *combination = split_model(model)
        datasets = runs.asked_for(folder, settings, "noise", model)
        std = runs.coordinate(datasets, "noise_std")
        mean, spread = runs.mean_and_spread(100 * runs.over_runs(datasets, "accuracy"))
        panel = axes.flat[panels.index(tuple(combination))]
        canvas.curve_with_band(panel, std, mean, spread, **looks[trainer])
    for panel, (loss, activation) in zip(axes.flat, panels, strict=False):
        panel.set_title(f"{labels.activation_label(activation)}, {labels.loss_label(loss)}")
        panel.label_outer()
    for panel in axes.flat[len(panels) :]:
        panel.set_visible(False)
    for row in axes:
        row[0].set_ylabel("test accuracy (%)")
    for panel in axes.flat[len(panels) - columns :]:  # the lowest that is seen of each column
        panel.set_xlabel("standard deviation of the noise")
        panel.tick_params(labelbottom=True)
    handles = [canvas.line(labels.trainer_label(trainer), **looks[trainer]) for trainer in trainers]
    # A trainer above its twin with weight decay or with robust training.
    canvas.legend_below(figure, handles, columns=-(-len(handles) // 2), by_columns=True)
    return figure


def _look(trainer, traits):
    """Rings with weight decay: dot and ring both show where the two curves coincide."""
    colour = style.trainer_colour(trainer)
    look = {"color": colour, "linestyle": style.trainer_dashes(traits), "marker": "o", "markersize": 2}
    return look | {"markerfacecolor": "none", "markersize": 4.5} if traits["weight_decay"] else look


if __name__ == "__main__":
    canvas.run(__doc__, draw)
