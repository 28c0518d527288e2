"""Draw fig_weight_norm: Frobenius norm of W(t) against t, single runs, tanh and l2 loss (paper, Figure 6)."""

from stages.drawing import canvas, style
from stages.names import labels
from stages.names.model_name import split_model, trainers_of
from stages.plan.exhibit import Exhibit
from stages.plan.selection import tanh_l2_without_decay
from stages.statistics import runs, weights_over_depth
from stages.statistics.scale import scale_line

EXHIBITS = {
    "fig_weight_norm": Exhibit(
        stage="train",
        place="Figure 6",
        title="Weights over the depth",
        caption="Frobenius norm of the weight matrix W(t) over the depth t, single runs (tanh, ℓ² loss). The Sobolev "
        "gradient is meant to give smooth weights. All panels have the same axis.",
        words="One panel per trainer: the Frobenius norm of the weight matrix W(t) against t, one curve per run.",
        models=tanh_l2_without_decay,
    )
}

RUN_DASHES = ["-", (0, (5, 1.2)), (0, (3, 1, 1, 1)), (0, (1, 1))]  # of at most four runs, as in the paper


def draw(folder, settings):
    """Return the figure: one panel per trainer, one curve per run, all on one axis."""
    looks = {
        run: {"linestyle": dashes, "linewidth": 1} for run, dashes in zip(settings["runs"], RUN_DASHES, strict=False)
    }
    shown = settings | {"runs": list(looks)}
    footer = scale_line(settings["scale"], "tanh, ℓ² loss; one curve per run")
    colours = style.trainer_colours(trainers_of(settings["models"]))
    rows, columns = canvas.folded(len(settings["models"]))
    figure, axes = canvas.sheet(rows, columns, 0.5 + 1.8 * rows, footer, sharey=True)
    for panel in axes.flat[len(settings["models"]) :]:
        panel.set_visible(False)
    largest = []
    for panel, model in zip(axes.flat, settings["models"], strict=False):
        trainer = split_model(model)[0]
        for dataset, look in zip(runs.asked_for(folder, shown, "train", model), looks.values(), strict=False):
            panel.plot(dataset["t"].values, weights_over_depth.norms(dataset), color=colours[trainer], **look)
        canvas.head_panel(panel, labels.trainer_label(trainer), columns, colours[trainer])
        panel.set_xlabel("depth t")
        largest.append(panel.dataLim.ymax)
    if canvas.is_wide(largest):
        low = min(panel.dataLim.minposy for panel in axes.flat[: len(largest)])
        canvas.logarithmic(axes[0, 0].yaxis, low, max(largest))
    else:
        axes[0, 0].set_ylim(0, 1.08 * max(largest))
    for row in axes:
        row[0].set_ylabel("‖W(t)‖, Frobenius norm")
    handles = [canvas.line(f"run {run}", color=style.GREY, **look) for run, look in looks.items()]
    if len(handles) > 1:
        canvas.legend_below(figure, handles, columns=len(handles))
    return figure


if __name__ == "__main__":
    canvas.run(__doc__, draw)
