"""Draw fig_attack_comparison: success of all attacks against the l2 norm (paper, Figure 12)."""

from stages.drawing import canvas, style
from stages.names import labels
from stages.names.model_name import combinations_of, model_name, split_model, trainers_of
from stages.plan.exhibit import Exhibit
from stages.plan.selection import attacked_at_one_side, confined_attacks, radii
from stages.statistics import attack_curves
from stages.statistics.scale import footer

MOST = 5  # panels side by side if each has its own title
WIDEST = 20  # letters of a trainer's name over a panel

EXHIBITS = {
    "fig_attack_comparison": Exhibit(
        stage="attack",
        place="Figure 12",
        title="All attacks compared",
        caption="Share of the correctly classified test images that each attack can change, against the allowed ℓ² "
        "norm of the perturbation, by trainer and by activation and loss. Every attack is confined to "
        "the ball of that radius. Lines are means over runs, bands one standard deviation.",
        words="Panels by activation and loss and by trainer: the share of images that each attack changes, against "
        "the norm of the perturbation.",
        models=attacked_at_one_side,
        attacks=confined_attacks,
        settings=radii,
    )
}


def draw(folder, settings):
    """Return the figure: rows the combinations of activation and loss, columns the trainers.

    If some of them were not attacked, one panel per model instead, without gaps.
    """
    trainers = trainers_of(settings["models"])
    combinations = combinations_of(settings["models"])
    norms, looks = attack_curves.radii(settings["radii"]), style.attack_looks(settings["attacks"])
    grid = [model_name(trainer, loss, activation) for activation, loss in combinations for trainer in trainers]
    models = [model for model in grid if model in settings["models"]]
    complete = models == grid
    rows, columns = (len(combinations), len(trainers)) if complete else canvas.folded(len(models), most=MOST)
    height = 0.75 + (1.3 if complete else 1.45) * rows
    figure, axes = canvas.sheet(rows, columns, height, footer(settings), sharex=True, sharey=True)
    for panel, model in zip(axes.flat, models, strict=False):
        for attack, look in looks.items():
            shares = attack_curves.percent_susceptible(folder, settings, attack, model, norms)
            canvas.curve_with_band(panel, norms, shares, **look)
        canvas.plain_ticks(panel.xaxis)
    if complete:
        _head_grid(axes, trainers, combinations)
    else:
        _head_panels(axes, models)
    canvas.show_first(axes, len(models), "ℓ² norm of the perturbation" if columns <= canvas.FEW else "ℓ² norm")
    axes[0, 0].set(xlim=(0, norms[-1]), ylim=(0, 102))
    handles = [canvas.line(labels.attack_label(attack), **look) for attack, look in looks.items()]
    canvas.legend_below(figure, handles, columns=3)
    return figure


def _head_grid(axes, trainers, combinations):
    """Name the columns and rows of a full grid."""
    for panel, trainer in zip(axes[0], trainers, strict=True):
        canvas.head_panel(panel, labels.trainer_label(trainer), len(trainers))
    for row, combination in zip(axes, combinations, strict=True):
        row[0].set_ylabel(f"{labels.combination_label(*combination)}\nsusceptible (%)")


def _head_panels(axes, models):
    """Name every panel by its model."""
    for panel, model in zip(axes.flat, models, strict=False):
        trainer, loss, activation = split_model(model)
        name = labels.trainer_label(trainer)
        name = name if len(name) <= WIDEST else labels.trainer_short(trainer)
        panel.set_title(f"{name}\n{labels.combination_label(activation, loss)}", fontsize=6.5)
    for row in axes:
        row[0].set_ylabel("susceptible (%)")


if __name__ == "__main__":
    canvas.run(__doc__, draw)
