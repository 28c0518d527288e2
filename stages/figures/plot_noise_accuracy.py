"""Draw fig_noise_accuracy: accuracy on noisy test images against the noise's standard deviation (paper, Figure 3)."""

from stages.drawing import canvas, style
from stages.names import labels
from stages.names.model_name import split_model, trainers_of
from stages.names.trainers import family
from stages.plan.exhibit import Exhibit
from stages.statistics import runs
from stages.statistics.scale import footer

EXHIBITS = {
    "fig_noise_accuracy": Exhibit(
        stage="noise",
        place="Figure 3",
        title="Accuracy on noisy test images",
        caption="Accuracy on test images with Gaussian noise, against the standard deviation of the noise, one panel "
        "per combination of activation and loss. Dashed lines with open markers: with weight decay. Lines are means "
        "over runs, bands one standard deviation.",
        words="One panel per combination of loss and activation: test accuracy falls as the standard deviation of the "
        "noise grows from 0 to 0.2, one curve per trainer.",
    )
}

MANY = 8  # trainers whose full names fit below the panels


def draw(folder, settings):
    """Return the figure: one panel per combination of loss and activation, one line per trainer."""
    panels = list(dict.fromkeys(split_model(model)[1:] for model in settings["models"]))
    trainers = trainers_of(settings["models"])
    rows, columns = canvas.folded(len(panels), most=2 if len(panels) in (2, 4) else 3)
    figure, axes = canvas.sheet(rows, columns, 0.65 + 1.7 * rows, footer(settings), sharex=True, sharey=True)
    colours = style.trainer_colours(trainers)
    looks = {each: style.trainer_look(colours[each], settings["trainers"][each], 2, 4.5) for each in trainers}
    for model in settings["models"]:
        trainer, *combination = split_model(model)
        datasets = runs.asked_for(folder, settings, "noise", model)
        std = runs.coordinate(datasets, "noise_std")
        panel = axes.flat[panels.index(tuple(combination))]
        canvas.curve_with_band(panel, std, 100 * runs.over_runs(datasets, "accuracy"), **looks[trainer])
    for panel, (loss, activation) in zip(axes.flat, panels, strict=False):
        panel.set_title(f"{labels.activation_label(activation)}, {labels.loss_label(loss)}")
        panel.label_outer()
    canvas.show_first(axes, len(panels), "standard deviation of the noise" if columns < 3 else "std of the noise")
    for row in axes:
        row[0].set_ylabel("test accuracy (%)")
    families = list(map(family, trainers))
    trainers.sort(key=lambda trainer: families.index(family(trainer)))
    name = labels.trainer_label if len(trainers) <= MANY else labels.trainer_short
    handles = [canvas.line(name(trainer), **looks[trainer]) for trainer in trainers]
    if any(family(trainer) != trainer for trainer in trainers):
        # A trainer above its variants: with weight decay, robust training or other class scores.
        most = max(map(families.count, families))
        canvas.legend_below(figure, handles, columns=-(-len(handles) // most), by_columns=True)
    else:
        canvas.legend_below(figure, handles, columns=min(4, len(handles)))
    return figure


if __name__ == "__main__":
    canvas.run(__doc__, draw)
