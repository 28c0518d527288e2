"""Curves over t, shared by the sensitivity figures.

Colours show trainers, markers activations; dashed lines mean weight decay, dotted ones robust training.
"""

from stages.catalogues import METHODS
from stages.drawing import canvas, style
from stages.names import labels
from stages.names.colours import GREY
from stages.names.model_name import split_model, trainers_of
from stages.names.trainers import family
from stages.statistics import runs

MARKERS_PER_CURVE = 7
PAPERS_ORDER = ("rmsprop", "ncg")  # of the panels; other methods follow


def groups(models, trainers):
    """Group the models by the method of their trainer, {title: models}: the paper's two panels, then others."""
    methods = {model: trainers[split_model(model)[0]]["method"] for model in models}
    order = dict.fromkeys([*(method for method in PAPERS_ORDER if method in methods.values()), *methods.values()])
    titles = {each: METHODS.find(each).label if each in METHODS else "Trained elsewhere" for each in order}
    return {titles[each]: [model for model in models if methods[model] == each] for each in order}


def looks(models, trainers):
    """Return {model: how to draw its curve} for all models of a figure."""
    colours = style.trainer_colours(trainers_of(models))
    markers = style.activation_markers(split_model(model)[2] for model in models)
    drawn = {}
    for model in models:
        trainer, _, activation = split_model(model)
        drawn[model] = style.trainer_look(colours[trainer], trainers[trainer], 2.8, 5) | {"marker": markers[activation]}
    return drawn


def read(folder, settings):
    """Return {model: the datasets of its runs} of the sensitivity stage."""
    return {model: runs.asked_for(folder, settings, "sensitivity", model) for model in settings["models"]}


def draw_curves(panel, models, looks, datasets, name):
    """Draw variable `name` of these models; datasets: as `read` returns them. Return the means, one per model."""
    means = []
    for number, model in enumerate(models):
        t, values = runs.coordinate(datasets[model], "t"), runs.over_runs(datasets[model], name)
        # Shift the markers of each curve relative to the previous one.
        step = max(1, len(t) // MARKERS_PER_CURVE)
        look = looks[model] | {"markevery": (number * step // 6 % step, step)}
        means.append(canvas.curve_with_band(panel, t, values, **look))
    return means


def finish(figure, axes, titles, models, trainers):
    """Add a title over each column, the depth below, and a legend of colours, markers and line styles, once each."""
    for panel, title in zip(axes[0], titles, strict=True):
        panel.set_title(title)
    for panel in axes[-1]:
        panel.set_xlabel("depth t")
    colours, handles = style.trainer_colours(trainers_of(models)), {}
    # A trainer and its variants share one colour, labelled by the plain trainer.
    for trainer in sorted(colours, key=lambda name: (trainers[name]["weight_decay"], "robust" in trainers[name])):
        handles.setdefault(family(trainer), canvas.line(labels.trainer_label(trainer), color=colours[trainer]))
    handles = list(handles.values())
    for activation, marker in style.activation_markers(split_model(model)[2] for model in models).items():
        label = labels.activation_label(activation)
        handles.append(canvas.line(label, color=GREY, linestyle="none", marker=marker))
    if any(traits["weight_decay"] for traits in trainers.values()):
        look = {"linestyle": style.DASHES, "marker": "o", "markerfacecolor": "none", "markersize": 5}
        handles.append(canvas.line("weight decay", color=GREY, **look))
    if any("robust" in traits for traits in trainers.values()):
        handles.append(canvas.line("robust training", color=GREY, linestyle=style.DOTS))
    canvas.legend_below(figure, handles, columns=3)
