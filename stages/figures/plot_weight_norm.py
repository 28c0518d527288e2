"""Draw fig_weight_norm: Frobenius norm of W(t) against t, single runs, tanh and l2 loss (paper, Figure 6)."""

from stages import labels
from stages.drawing import canvas, style
from stages.model_name import split_model
from stages.statistics import runs, weights_over_depth
from stages.statistics.scale import scale_line

MOST_RUNS = 4  # as in the paper
RUN_DASHES = ["-", (0, (5, 1.2)), (0, (3, 1, 1, 1)), (0, (1, 1))]


def draw(folder, settings):
    """Return the figure: one panel a trainer, one curve a run."""
    curves = list(zip(settings["runs"][:MOST_RUNS], RUN_DASHES, strict=False))
    footer = scale_line(settings["scale"], "tanh, ℓ² loss; one curve a run")
    rows, columns = canvas.folded(len(settings["models"]))
    figure, axes = canvas.sheet(rows, columns, 0.5 + 1.8 * rows, footer)
    for panel in axes.flat[len(settings["models"]) :]:
        panel.set_visible(False)
    for panel, model in zip(axes.flat, settings["models"], strict=False):
        trainer = split_model(model)[0]
        for run, dashes in curves:
            (dataset,) = runs.read_runs(folder, "train", model, [run], settings["network"])
            norms = weights_over_depth.norms(dataset)
            panel.plot(dataset["t"].values, norms, color=style.trainer_colour(trainer), linestyle=dashes, linewidth=1)
        canvas.head_panel(panel, labels.trainer_label(trainer), style.trainer_colour(trainer), columns)
        panel.set_xlabel("depth t")
        panel.set_ylim(0, 1.08 * panel.dataLim.ymax)
    for row in axes:
        row[0].set_ylabel("‖W(t)‖, Frobenius norm")
    handles = [canvas.line(f"run {run}", color=style.GREY, linestyle=dashes, linewidth=1) for run, dashes in curves]
    if len(handles) > 1:
        canvas.legend_below(figure, handles, columns=len(handles))
    return figure


if __name__ == "__main__":
    canvas.run(__doc__, draw)
