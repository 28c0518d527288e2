"""The networks that claims compare: those of Table 2 and their twins, and comparisons over the whole grid."""

from stages.names.labels import SHORT_LOSSES, activation_label, combination_label, trainer_label
from stages.names.model_name import model_name, split_model
from stages.names.paper_rows import LOSSES

ACTIVATIONS = ("relu", "tanh")
GRID = [(loss, activation) for activation in ACTIVATIONS for loss in LOSSES]
WITHOUT_DECAY = ("sgd", "ncg", "ncg-sobolev")
POINTS = "points"


def models(trainers):
    """Return the models of these trainers with every loss and activation."""
    return [model_name(trainer, *combination) for trainer in trainers for combination in GRID]


def about(loss, activation, **more):
    """Return the parts {name: value} of a claim that a comparison belongs to."""
    return {"activation": activation_label(activation), "loss": SHORT_LOSSES.get(loss, loss), **more}


def about_model(model, **more):
    trainer, loss, activation = split_model(model)
    return about(loss, activation, trainer=trainer_label(trainer), **more)


def over_the_grid(numbers, compare, words, quantity, trainers, *limit, under=None, losses=LOSSES, unit=POINTS, **more):
    """Compare the networks of two trainers for every activation and loss, whose names follow the words.

    under: the attack that the quantity is of; limit, more: what `compare` takes besides two values and the unit.
    """
    comparisons = []
    for loss, activation in GRID:
        if loss in losses:
            pair = [model_name(trainer, loss, activation) for trainer in trainers]
            values = [numbers.get(quantity, (under, model) if under else model) for model in pair]
            name = ", ".join(filter(None, (words, combination_label(activation, loss))))
            comparisons.append(compare(name, *values, *limit, unit, **about(loss, activation), **more))
    return comparisons


def two_losses(numbers, compare, words, quantity, losses, trainers, *limit, unit=POINTS):
    """Compare the losses for these trainers and both activations, whose names replace {trainer} and {activation}."""
    comparisons = []
    for trainer in trainers:
        for activation in ACTIVATIONS:
            values = [numbers.get(quantity, model_name(trainer, loss, activation)) for loss in losses]
            parts = {"trainer": trainer_label(trainer), "activation": activation_label(activation)}
            comparisons.append(compare(words.format(**parts), *values, *limit, unit, **parts))
    return comparisons


def twins(trainers, suffix):
    """Return (model, model of the trainer with this suffix) for every network of the grid."""
    return list(zip(models(trainers), models([trainer + suffix for trainer in trainers]), strict=True))


def twins_of(numbers, trainers, suffix):
    """Return those twins of which the experiment has both; without any all, to report them as not run."""
    pairs = twins(trainers, suffix)
    return [pair for pair in pairs if all(("accuracy", model) in numbers.values for model in pair)] or pairs
