"""Draw fig_solver_accuracy: training and test accuracy against epoch, Euler against ODE45 (paper, Figure 2)."""

from stages.drawing import canvas, style
from stages.names import labels
from stages.names.model_name import split_model
from stages.plan import experiment
from stages.plan.exhibit import Exhibit
from stages.plan.selection import tolerances
from stages.statistics import runs
from stages.statistics.scale import footer

EXHIBITS = {
    "fig_solver_accuracy": Exhibit(
        stage="train",
        place="Figure 2",
        title="Euler and ODE45 in training",
        caption="Training and test accuracy of NCG-trained sNODEs (tanh, ℓ² loss) against the epoch, trained through "
        "Euler steps and through the adaptive solver ODE45. Lines are means over runs, bands one standard deviation.",
        words="Two panels of accuracy against the epoch, training images and test images, with one curve for NCG "
        "training through Euler steps and one for training through ODE45.",
        models=experiment.table1_models,
        settings=tolerances,
    )
}

PANELS = [("train_accuracy", "Training images"), ("test_accuracy", "Test images")]
MARKERS = ["o", "s", "^", "D"]  # curves of two solvers may coincide: markers keep both visible


def draw(folder, settings):
    note = f"{footer(settings)}\n{labels.tolerances_label(settings['ode45'])}"
    figure, axes = canvas.sheet(1, 2, 2.5, note, sharex=True)
    colours, handles = style.trainer_colours(settings["trainers"]), []
    for model, marker in zip(settings["models"], MARKERS * len(settings["models"]), strict=False):
        trainer = split_model(model)[0]
        traits = settings["trainers"][trainer]
        look = {"color": colours[trainer], "linestyle": style.trainer_dashes(traits), "marker": marker}
        look["markerfacecolor"] = "white" if marker == "s" else look["color"]
        datasets = runs.asked_for(folder, settings, "train", model)
        epoch = runs.coordinate(datasets, "epoch")
        for panel, (name, _) in zip(axes[0], PANELS, strict=True):
            canvas.curve_with_band(panel, epoch, 100 * runs.over_runs(datasets, name), **look)
        handles.append(canvas.line(f"trained with {labels.solver_label(traits['solver'])}", **look))
    for panel, (_, title) in zip(axes[0], PANELS, strict=True):
        panel.set_title(title)
        panel.set_xlabel("epoch")
        panel.xaxis.get_major_locator().set_params(integer=True)
        panel.margins(x=0.06)
    axes[0, 0].set_ylabel("accuracy (%)")
    canvas.legend_below(figure, handles, columns=2)
    return figure


if __name__ == "__main__":
    canvas.run(__doc__, draw)
