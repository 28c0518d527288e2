"""Curves against t, as the sensitivity figures share them: colour trainer, dashes weight decay, marker activation."""

from stages.experiment import split_model
from stages.figures import canvas, results, style

MARKERS_A_CURVE = 7


def groups(models):
    """Return the models in the paper's two panels: {"SGD-trained ResNets": [...], "NCG-trained sNODEs": [...]}."""
    named = {"SGD-trained ResNets": [], "NCG-trained sNODEs": []}
    for model in models:
        named["SGD-trained ResNets" if model.startswith("sgd") else "NCG-trained sNODEs"].append(model)
    return {title: members for title, members in named.items() if members}


def look(model, number=0, nodes=0):
    """Return how to draw a model; curve `number` has its markers a little further along than the one before."""
    trainer, _, activation = split_model(model)
    colour = style.trainer_colour(trainer)
    step = max(1, nodes // MARKERS_A_CURVE)
    decay = trainer.endswith("-wd")
    return {
        "color": colour,
        "linestyle": style.trainer_dashes(trainer),
        "marker": style.activation_marker(activation),
        # Rings with weight decay: dot and ring both show where the two curves coincide.
        "markerfacecolor": "none" if decay else colour,
        "markersize": 5 if decay else 2.8,
        "markevery": (number * step // 6 % step, step),
    }


def draw_curves(panel, models, read, name):
    """Draw variable `name` of every model; `read(model)` returns the datasets of its runs."""
    for number, model in enumerate(models):
        datasets = read(model)
        t = results.coordinate(datasets, "t")
        mean, spread = results.mean_and_spread(results.over_runs(datasets, name))
        canvas.curve_with_band(panel, t, mean, spread, **look(model, number, len(t)))


def legend(figure, models):
    """Explain each means once: colour the trainer, dashes weight decay, marker the activation."""
    split = [split_model(model) for model in models]
    handles = [
        canvas.line(style.trainer_label(trainer), color=style.trainer_colour(trainer))
        for trainer in dict.fromkeys(trainer.removesuffix("-wd") for trainer, _, _ in split)
    ]
    for activation in dict.fromkeys(activation for _, _, activation in split):
        marker = style.activation_marker(activation)
        label = style.activation_label(activation)
        handles.append(canvas.line(label, color=style.GREY, linestyle="none", marker=marker))
    if any(trainer.endswith("-wd") for trainer, _, _ in split):
        look = {"linestyle": style.DASHES, "marker": "o", "markerfacecolor": "none", "markersize": 5}
        handles.append(canvas.line("weight decay", color=style.GREY, **look))
    canvas.legend_below(figure, handles, columns=3)
