"""Draw fig_own_scores: attacks with and without the pixels that are class scores (beyond the paper).

Columns: the paper's networks, the same with these pixels fixed, their twins with additional components as class scores.
Rows: activation and loss. Colours: trainers, so that each panel shows whose networks are more susceptible.
"""

from stages.drawing import canvas, style
from stages.names import labels
from stages.names.attacks import HELD
from stages.names.model_name import combinations_of, split_model, trainers_of
from stages.names.trainers import family
from stages.plan import experiment
from stages.plan.exhibit import Exhibit
from stages.plan.selection import attacks_named, score_pairs
from stages.statistics import attack_curves
from stages.statistics.scale import footer

ATTACK = "sensitivity"


def _depends_on(config):
    return {
        "pairs": experiment.score_pairs(config),
        "norm": config["claims"]["attack_norm"],
        "images": config["attack"]["images"],
        "radii": config["attack"]["radii"],
    }


EXHIBITS = {
    "fig_own_scores": Exhibit(
        stage="attack",
        place="beyond the paper",
        order=10,
        title="Attacks without the pixels that are class scores",
        caption="Share of the correctly classified test images that the sensitivity attack changes, against the "
        "allowed ℓ² norm. Left: networks whose class scores are the first pixels at t = 0, as in the paper. Right: "
        "their twins, trained with class scores in components of their own that start at zero. Middle, if it was run: "
        "the networks on the left, attacked without these pixels. The dotted line marks the norm at which claims "
        "compare attacks.",
        words="Rows of panels, one row per activation and loss: rising curves of attack success, one per trainer; from "
        "left to right the pixels that are class scores are open to the attacker, held (if it was run), and not there.",
        models=score_pairs,
        attacks=attacks_named(ATTACK, HELD),
        settings=_depends_on,
        beyond=True,
    )
}


def draw(folder, settings):
    norms = attack_curves.radii(settings["radii"])
    # {title: (attack, whether on the twin)}
    columns = {"pixels are scores": (ATTACK, 0), "these pixels held": (HELD, 0), "scores of their own": (ATTACK, 1)}
    columns = {title: shown for title, shown in columns.items() if shown[0] in settings["attacks"]}
    plain = [pair[0] for pair in settings["pairs"]]
    combinations = combinations_of(plain)
    note, height = footer(settings, f"{settings['images']} images attacked"), 0.7 + 1.35 * len(combinations)
    figure, axes = canvas.sheet(len(combinations), len(columns), height, note, sharex=True, sharey=True)
    colours = style.trainer_colours(list(dict.fromkeys(map(family, trainers_of(plain)))))
    for pair in settings["pairs"]:
        trainer, loss, activation = split_model(pair[0])
        for panel, (attack, twin) in zip(axes[combinations.index((activation, loss))], columns.values(), strict=True):
            shares = attack_curves.percent_susceptible(folder, settings, attack, pair[twin], norms)
            canvas.curve_with_band(panel, norms, shares, color=colours[family(trainer)])
    for panel, title in zip(axes[0], columns, strict=True):
        canvas.head_panel(panel, title, len(columns))
    for row, combination in zip(axes, combinations, strict=True):
        row[0].set_ylabel(f"{labels.combination_label(*combination)}\nsusceptible (%)")
    for panel in axes.flat:
        panel.axvline(settings["norm"], **style.THRESHOLD)
        panel.set(xlim=(0, norms[-1]), ylim=(0, 102))
        canvas.plain_ticks(panel.xaxis)
    for panel in axes[-1]:
        panel.set_xlabel("allowed ℓ² norm")
    handles = [canvas.line(labels.trainer_label(name), color=colour, linewidth=1.6) for name, colour in colours.items()]
    canvas.legend_below(figure, handles, columns=len(handles))
    return figure


if __name__ == "__main__":
    canvas.run(__doc__, draw)
