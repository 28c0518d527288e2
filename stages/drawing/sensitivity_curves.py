"""Curves against t, as the sensitivity figures share them: colour trainer, marker activation, dashes weight decay,

dots robust training.
"""

from stages import labels
from stages.drawing import canvas, style
from stages.model_name import split_model
from stages.statistics import runs

MARKERS_A_CURVE = 7
PANELS = {"rmsprop": "SGD-trained ResNets", "ncg": "NCG-trained sNODEs"}


def groups(models, trainers):
    """Return the models in the paper's two panels, {title: models}, by the methods of their trainers."""
    methods = {model: trainers[split_model(model)[0]]["method"] for model in models}
    members = {title: [model for model in models if methods[model] == method] for method, title in PANELS.items()}
    return {title: models for title, models in members.items() if models}


def look(model, traits, number=0, nodes=0):
    """Return how to draw a model; curve `number` has its markers a little further along than the one before."""
    trainer, _, activation = split_model(model)
    colour, decay = style.trainer_colour(trainer), traits["weight_decay"]
    step = max(1, nodes // MARKERS_A_CURVE)
    return {
        "color": colour,
        "linestyle": style.trainer_dashes(traits),
        "marker": style.activation_marker(activation),
        # Rings with weight decay: dot and ring both show where the two curves coincide.
        "markerfacecolor": "none" if decay else colour,
        "markersize": 5 if decay else 2.8,
        "markevery": (number * step // 6 % step, step),
    }


def draw_curves(panel, models, trainers, read, name):
    """Draw variable `name` of every model; `read(model)` returns the datasets of its runs."""
    for number, model in enumerate(models):
        datasets = read(model)
        t = runs.coordinate(datasets, "t")
        mean, spread = runs.mean_and_spread(runs.over_runs(datasets, name))
        traits = trainers[split_model(model)[0]]
        canvas.curve_with_band(panel, t, mean, spread, **look(model, traits, number, len(t)))


def legend(figure, models, trainers):
    """Explain each means once: colour the trainer, dashes weight decay, marker the activation."""
    # A trainer and its twin with weight decay have one colour: the one without gives it its name.
    names = {}
    for trainer in sorted(trainers, key=lambda trainer: trainers[trainer]["weight_decay"]):
        names.setdefault(style.trainer_colour(trainer), labels.trainer_label(trainer))
    handles = [canvas.line(name, color=colour) for colour, name in names.items()]
    for activation in dict.fromkeys(split_model(model)[2] for model in models):
        marker = style.activation_marker(activation)
        label = labels.activation_label(activation)
        handles.append(canvas.line(label, color=style.GREY, linestyle="none", marker=marker))
    if any(traits["weight_decay"] for traits in trainers.values()):
        look = {"linestyle": style.DASHES, "marker": "o", "markerfacecolor": "none", "markersize": 5}
        handles.append(canvas.line("weight decay", color=style.GREY, **look))
    if any("robust" in traits for traits in trainers.values()):
        handles.append(canvas.line("robust training", color=style.GREY, linestyle=style.DOTS))
    canvas.legend_below(figure, handles, columns=3)
