"""Draw fig_convolutions: convolutional networks beside dense ones (beyond the paper).

Accuracy against the seconds of training, against noise on the pixels, and success of an attack against its norm per
pixel, |δ| / side: the root mean square of the change of a pixel.
"""

from stages.drawing import canvas, style
from stages.names import colours, labels
from stages.names.model_name import split_model
from stages.names.trainers import trainer
from stages.plan.exhibit import Exhibit
from stages.plan.selection import attacks_named, convolutional_pairs, convolutional_twins, radii
from stages.statistics import attack_curves, runs
from stages.statistics.scale import footer

EXHIBITS = {
    "fig_convolutions": Exhibit(
        stage="attack",
        also=("train", "noise"),
        place="beyond the paper",
        order=3,
        title="Convolutions of whole images beside dense layers",
        caption="Dense networks (dashed) and convolutional ones of the same trainer (solid). Left: test accuracy after "
        "each epoch, against the CPU time of the training. Middle: accuracy under Gaussian noise on the pixels. Right: "
        "share of the correctly classified images that the sensitivity attack changes, against the ℓ² norm of the "
        "change divided by the square root of the number of pixels: the same change of every pixel is the same number "
        "for both sizes of images.",
        words="Three panels: accuracy against training time, accuracy against noise, success of an attack against the "
        "norm per pixel; dashed curves of dense networks beside solid ones of convolutional networks.",
        models=convolutional_pairs,
        attacks=attacks_named("sensitivity"),
        settings=lambda config: convolutional_twins(config) | radii(config),
        beyond=True,
    )
}


def draw(folder, settings):
    (attack,) = settings["attacks"]
    per_pixel = attack_curves.radii(settings["radii"]) / settings["side"]
    figure, (panels,) = canvas.sheet(1, 3, 3.1, footer(settings))
    handles, looks = [], _looks(settings["pairs"])
    for model in settings["models"]:
        look = looks[model]
        trained, noised = (runs.asked_for(folder, settings, stage, model) for stage in ("train", "noise"))
        seconds = runs.over_runs(trained, "seconds").cumsum(axis=1).mean(axis=0)
        canvas.curve_with_band(panels[0], seconds, 100 * runs.over_runs(trained, "test_accuracy"), marker="o", **look)
        std = runs.coordinate(noised, "noise_std")
        canvas.curve_with_band(panels[1], std, 100 * runs.over_runs(noised, "accuracy"), **look)
        side = settings["sides"][model]
        shares = attack_curves.percent_susceptible(folder, settings, attack, model, side * per_pixel)
        canvas.curve_with_band(panels[2], per_pixel, shares, **look)
        name = f"{labels.model_label(model)}: {side} × {side} pixels, {settings['weights'][model]:,} weights"
        handles.append(canvas.line(name, **look))
    panels[0].set(xlabel="CPU time (s)", ylabel="test accuracy (%)", title="training")
    panels[1].set(xlabel="std of pixel noise", ylabel="test accuracy (%)", title="noise")
    name = labels.attack_label(attack).partition(",")[0]
    panels[2].set(xlabel="ℓ² norm / side", ylabel="susceptible (%)", title=name, ylim=(0, 102))
    panels[0].set_xlim(0)
    for panel in panels:
        canvas.plain_ticks(panel.xaxis)
    canvas.legend_below(figure, handles, columns=1)
    return figure


def _looks(pairs):
    """Return {model: line style}: one colour per dense network, its trainer's if that is left, and dashes for it."""
    preferred = {dense: trainer(split_model(dense)[0]).colour for dense, _ in pairs}
    given, looks = colours.distinct(preferred, taken=[colours.GREY]), {}
    for dense, other in pairs:
        look = {"color": given[dense], "markersize": 3}
        looks |= {dense: look | {"linestyle": style.DASHES}, other: look | {"linestyle": "-"}}
    return looks


if __name__ == "__main__":
    canvas.run(__doc__, draw)
