"""Draw fig_attack_success: share of images that can be attacked, against the l2 norm (paper, Figure 5).

Solid: the sensitivity attack. Dashed: PGD with the same step and iterations. One colour per combination.
"""

from stages.drawing import canvas, style
from stages.names import labels
from stages.names.model_name import split_model, trainers_of
from stages.plan.exhibit import Exhibit
from stages.plan.selection import attacked_at_one_side, attacks_named, radii
from stages.statistics import attack_curves
from stages.statistics.scale import footer

EXHIBITS = {
    "fig_attack_success": Exhibit(
        stage="attack",
        place="Figure 5",
        title="Images that can be attacked",
        caption="Share of the correctly classified test images that an attack can change, against the allowed ℓ² norm "
        "of the perturbation. Solid: the sensitivity attack with moving target. Dashed: PGD with the same step and "
        "number of iterations. Lines are means over runs, bands one standard deviation. The dotted line marks the norm "
        "0.5, from which, according to the paper, the perturbation is visible to the naked eye.",
        words="One panel per trainer: the share of correctly classified images that an attack changes, against the "
        "norm of the perturbation; solid curves for the sensitivity attack, dashed ones for PGD.",
        models=attacked_at_one_side,
        attacks=attacks_named("sensitivity", "pgd-0.06"),
        settings=radii,
    )
}

MOST = 6  # panels side by side
VISIBLE = 0.5  # the norm from which, according to the paper, a perturbation is visible to the naked eye
FROM_HERE = style.THRESHOLD | {"linewidth": 0.8}


def draw(folder, settings):
    """Return the figure: one panel per trainer."""
    trainers = trainers_of(settings["models"])
    norms = attack_curves.radii(settings["radii"])
    rows, columns = canvas.folded(len(trainers), most=MOST)
    figure, axes = canvas.sheet(rows, columns, 0.5 + 2.1 * rows, footer(settings), sharex=True, sharey=True)
    colours = style.combination_colours(settings["models"])
    looks = style.attack_looks(settings["attacks"])
    for model in settings["models"]:
        trainer, loss, activation = split_model(model)
        panel = axes.flat[trainers.index(trainer)]
        for attack in settings["attacks"]:
            shares = attack_curves.percent_susceptible(folder, settings, attack, model, norms)
            look = looks[attack] | {"color": colours[activation, loss], "linewidth": 1.2}
            canvas.curve_with_band(panel, norms, shares, **look)
    for panel, trainer in zip(axes.flat, trainers, strict=False):
        canvas.head_panel(panel, labels.trainer_label(trainer), columns)
        panel.axvline(VISIBLE, **FROM_HERE)
        canvas.plain_ticks(panel.xaxis)
        panel.set(xlim=(0, norms[-1]), ylim=(0, 102))
    canvas.show_first(axes, len(trainers), "ℓ² norm of the perturbation" if columns <= canvas.FEW else "ℓ² norm")
    for row in axes:
        row[0].set_ylabel("susceptible images (%)")
    handles = canvas.combination_lines(colours, linewidth=1.6)
    for attack in settings["attacks"]:
        look = looks[attack] | {"color": style.GREY, "linewidth": 1.2}
        handles.append(canvas.line(labels.attack_label(attack), **look))
    handles.append(canvas.line(f"visible from {VISIBLE:g} on", **FROM_HERE))
    canvas.legend_below(figure, handles, columns=max(2, len(colours)))
    return figure


if __name__ == "__main__":
    canvas.run(__doc__, draw)
