"""Draw fig_convolutions: convolutional networks beside dense ones (beyond the paper).

Accuracy against the seconds of training, against noise on the pixels, and success of an attack against its norm per
pixel, |δ| / side: the root mean square of the change of a pixel.
"""

import functools

import numpy as np

from stages import labels
from stages.drawing import canvas, style
from stages.model_name import split_model
from stages.statistics import attack_curves, runs
from stages.statistics.scale import scale_line, spread_note


def draw(folder, settings):
    """Return the figure."""

    read = functools.cache(functools.partial(runs.asked_for, folder, settings))
    (attack,) = settings["attacks"]
    per_pixel = attack_curves.radii(settings["radii"]) / settings["side"]
    footer = scale_line(settings["scale"], spread_note(settings["runs"]))
    figure, (panels,) = canvas.sheet(1, 3, 3.1, footer)
    handles = []
    for model in settings["models"]:
        look = _look(model, settings["pairs"])
        trained, noised, attacked = (read(stage, model) for stage in ("train", "noise", f"attack/{attack}"))
        seconds = runs.over_runs(trained, "seconds").cumsum(axis=1).mean(axis=0)
        accuracy = 100 * runs.over_runs(trained, "test_accuracy")
        canvas.curve_with_band(panels[0], seconds, *runs.mean_and_spread(accuracy), marker="o", **look)
        std, under_noise = runs.coordinate(noised, "noise_std"), 100 * runs.over_runs(noised, "accuracy")
        canvas.curve_with_band(panels[1], std, *runs.mean_and_spread(under_noise), **look)
        side = settings["sides"][model]
        shares = np.stack([100 * attack_curves.susceptible(run, side * per_pixel) for run in attacked])
        canvas.curve_with_band(panels[2], per_pixel, *runs.mean_and_spread(shares), **look)
        name = f"{labels.model_label(model)}: {side} × {side} pixels, {settings['weights'][model]:,} weights"
        handles.append(canvas.line(name, **look))
    panels[0].set(xlabel="seconds of one core", ylabel="test accuracy (%)", title="training")
    panels[1].set(xlabel="std of pixel noise", ylabel="test accuracy (%)", title="noise")
    name = labels.attack_label(attack).partition(",")[0]
    panels[2].set(xlabel="ℓ² norm / side", ylabel="susceptible (%)", title=name, ylim=(0, 102))
    panels[0].set_xlim(0)
    for panel in panels:
        canvas.plain_ticks(panel.xaxis)
    canvas.legend_below(figure, handles, columns=1)
    return figure


def _look(model, pairs):
    """The colour of the pair's trainer; dashes for the dense network."""
    dense = next(dense for dense, other in pairs if model in (dense, other))
    dashes = style.DASHES if model == dense else "-"
    return {"color": style.trainer_colour(split_model(dense)[0]), "linestyle": dashes, "markersize": 3}


if __name__ == "__main__":
    canvas.run(__doc__, draw)
