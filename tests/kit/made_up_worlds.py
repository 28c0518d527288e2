"""Made-up outcomes of the whole experiment, for tests of figures, claims and the report.

A `World` has one number for each quantity of a claim. In `as_the_paper_says()` all claims hold, in `the_opposite()` all
fail; `as_we_say()` and `not_as_we_say()` are the same for our own claims beyond the paper.
`measurements(config, world)` is what the claims would measure in such a world.
"""

import dataclasses
import math
from dataclasses import dataclass

import numpy as np

from stages.claims.measurements import Measurements
from stages.names.model_name import split_model
from stages.plan import experiment, readings


@dataclass(frozen=True)
class World:
    """Functions of a model (and attack); each returns the value of the mean run."""

    accuracy: callable  # model -> clean test accuracy in percent
    swapped: callable  # model -> accuracy lost by the swapped solver, in points
    noise_area: callable  # model -> mean accuracy over the noise levels, in percent
    growth: callable  # model -> estimated perturbation at T over that at 0
    error: callable  # model -> relative error of the estimate at T
    roughness: callable  # model -> total variation of the weights, relative to their norm
    susceptible: callable  # attack, model -> share of images that can be changed at norm 0.5
    norm: callable  # attack, model -> mean norm of Carlini-Wagner's successful perturbations
    seconds: callable  # attack -> its seconds
    concentration: callable  # model -> share of the perturbation on one pixel
    target_norm: callable = lambda attack: 1.0  # norm towards each of nine targets, over the norm of the best
    gap: callable = lambda model: 0.5  # model -> predicted minus measured accuracy under noise, in points
    blur: callable = lambda measure, model: 0.5  # overlap of right and wrong answers in a confidence measure
    jitter: float = 0.002  # distance between runs, as a share of a quantity's natural size


def as_the_paper_says():
    """Every claim of the paper holds here, by a wide margin."""

    def accuracy(model):
        trainer, loss, _ = split_model(model)
        if trainer in ("ncg-euler20", "ncg-ode45"):
            return {"ncg-euler20": 98.2, "ncg-ode45": 97.2}[trainer]
        if trainer.startswith("ncg-sobolev"):
            return 96.9
        return 95.5 if trainer.startswith("sgd") and loss == "ce" else 97.5

    def noise_area(model):
        trainer, loss, activation = split_model(model)
        if trainer == "ncg-sobolev":
            return 94.0 if activation == "tanh" else 92.5
        if trainer == "ncg-wd":
            return 75.0
        return 78.0 if trainer.startswith("sgd") and loss == "l2" else 88.0

    def growth(model):
        trainer, loss, activation = split_model(model)
        if trainer.startswith("sgd"):
            return 0.6 if loss == "ce" and activation == "relu" else 0.9
        return 0.7 if trainer == "ncg-wd" and activation == "tanh" else 1.2

    def susceptible(attack, model):
        trainer, loss, activation = split_model(model)
        if attack.startswith("cw"):
            return {"sgd": 0.45, "ncg": 0.2}.get(trainer, 0.3)
        share = {"sgd": 0.6, "ncg": 0.25, "ncg-sobolev": 0.25 if (loss, activation) == ("ce", "relu") else 0.15}[
            trainer
        ]
        factor = {"sensitivity": 1.0, "sensitivity-targeted": 1.02, "pgd-0.06": 0.76, "pgd-0.6": 1.3, "fgsm": 0.5}
        return share * factor[attack]

    return World(
        accuracy=accuracy,
        swapped=lambda model: 0.1,
        noise_area=noise_area,
        growth=growth,
        error=lambda model: 0.03,
        roughness=lambda model: {"sgd": 0.5, "ncg": 0.2, "ncg-sobolev": 0.01}.get(split_model(model)[0], 0.3),
        susceptible=susceptible,
        norm=lambda attack, model: 4.0,
        seconds=lambda attack: {"sensitivity": 1.0, "sensitivity-targeted": 8.5}.get(attack, 2.0),
        concentration=lambda model: 0.8 if model.startswith("sgd") else 0.2,
    )


def the_opposite():
    """No claim of the paper holds here."""
    paper = as_the_paper_says()

    def accuracy(model):
        trainer, loss, _ = split_model(model)
        if trainer in ("ncg-euler20", "ncg-ode45"):
            return {"ncg-euler20": 96.0, "ncg-ode45": 98.0}[trainer]
        base = 97.5 if trainer.startswith("sgd") and loss == "ce" else 94.5 + (trainer == "ncg-sobolev")
        return base - 1.5 * trainer.endswith("-wd") - 1.5 * (trainer.startswith("ncg") and loss == "l2")

    def susceptible(attack, model):
        trainer = split_model(model)[0]
        if attack.startswith("cw"):
            return {"sgd": 0.7, "ncg-sobolev": 0.8, "ncg": 0.9}[trainer]
        share = {"sgd": 0.2, "ncg": 0.3, "ncg-sobolev": 0.5}[trainer]
        factor = {"sensitivity": 1.0, "sensitivity-targeted": 1.6, "pgd-0.06": 1.5, "pgd-0.6": 0.6, "fgsm": 1.9}
        return share * factor[attack]

    return World(
        accuracy=accuracy,
        swapped=lambda model: 3.0,
        noise_area=lambda model: (
            {"sgd": 85.0, "sgd-wd": 85.0, "ncg": 75.0, "ncg-wd": 85.0}.get(split_model(model)[0], 70.0)
            + 3.0 * (split_model(model)[1] == "l2")
        ),
        growth=lambda model: (
            2.2
            - paper.growth(model)
            + 0.5 * (model.startswith("sgd-wd") or (model.startswith("ncg") and "_l2_" in model))
        ),
        error=lambda model: 0.6,
        roughness=lambda model: 0.52 - paper.roughness(model),
        susceptible=susceptible,
        norm=lambda attack, model: 0.1,
        seconds=lambda attack: {"sensitivity": 1.0, "sensitivity-targeted": 1.2}.get(attack, 2.0),
        concentration=lambda model: 1.0 - paper.concentration(model),
        target_norm=lambda attack: 0.05,
    )


def as_we_say():
    """Every claim of our own holds here."""
    strength = {"sensitivity": 1.0, "sensitivity-targeted": 1.02, "pgd-0.06": 0.8, "pgd-0.6": 1.1, "fgsm": 0.5}
    strength |= {"cw": 0.4, "cw-softmax": 0.3, "pgd-far": 1.1, "transfer": 0.2}
    strength |= {"sensitivity-held": 0.9}
    left = {"sgd-robust": 0.3, "ncg-robust": 0.5, "ncg-sobolev-robust": 0.5}
    paper = as_the_paper_says()

    def susceptible(attack, model):
        trainer, _, activation = split_model(model)
        factor = 1.0 if trainer.startswith("sgd") else {"relu": 0.75, "tanh": 1.3}[activation]
        return 0.6 * strength[attack] * left.get(trainer, 1.0) * factor

    return dataclasses.replace(
        paper,
        accuracy=lambda model: paper.accuracy(model) + 1.5 * ("-conv" in model),
        susceptible=susceptible,
        norm=lambda attack, model: 0.2,
        gap=lambda model: {"sgd": 3.0, "ncg": 0.8}.get(split_model(model)[0], 0.4),
        blur=lambda measure, model: 0.3 if measure == "distance" else 0.6,
    )


def not_as_we_say():
    """No claim of our own holds here: robust training only masks the gradient, own scores cost accuracy."""
    strength = {"fgsm": 1.2, "transfer": 1.4, "pgd-far": 0.05}

    def accuracy(model):
        if "-own" in model:
            return 93.0 if model.endswith("relu") else 95.0
        return 94.0 if "-robust" in model else 97.0 - 1.5 * ("-conv" in model)

    def susceptible(attack, model):
        below = model.startswith("sgd") == model.endswith("relu")
        return 0.5 * strength.get(attack, 1.0) * (0.75 if below else 1.0)

    return dataclasses.replace(
        as_the_paper_says(),
        accuracy=accuracy,
        susceptible=susceptible,
        norm=lambda attack, model: 0.2,
        gap=lambda model: 3.0 if "sobolev" in model else 1.5,
        blur=lambda measure, model: 0.6 if measure == "distance" else 0.3,
    )


def with_readings(world, config):
    """Return the world with the readings of an experiment: each is a little worse than its row."""

    def of_row(function, change):
        def value(*key):
            *attack, model = key
            row = [
                *(config["attack"]["attacks"][name].get("reads", name) for name in attack),
                readings.row_of(config, model),
            ]
            known = [each.replace("-wd_", "_") for each in row] if attack else row  # weight decay is not attacked
            return function(*known) - change * (row != list(key))

        return value

    changes = {"accuracy": 0.5, "noise_area": 1.0, "growth": 0.0, "error": 0.0, "roughness": 0.0, "concentration": 0.0}
    changes |= {"susceptible": 0.05, "norm": 0.3, "gap": 0.0}
    return dataclasses.replace(world, **{name: of_row(getattr(world, name), by) for name, by in changes.items()})


def measurements(config, world):
    """Return what the claims would measure in this world's stores, up to the resolution of the stores' grids."""
    found = Measurements(config["claims"])
    found.score_pairs = experiment.score_pairs(config)
    count = len(experiment.runs(config))
    shifts = world.jitter * np.linspace(-1, 1, count) if count > 1 else np.zeros(count)
    for model in experiment.all_models(config):
        for quantity in ("accuracy", "trained_accuracy"):
            found.put(quantity, model, world.accuracy(model) + 5 * shifts)
        found.put("noise_area", model, world.noise_area(model) + 5 * shifts)
        # The curve is a straight line with that mean.
        found.put("noise_loss", model, 2 * (world.accuracy(model) - world.noise_area(model)) + 5 * shifts)
        found.put("growth", model, world.growth(model) * (1 + shifts))
        found.put("largest_error", model, world.error(model) * (1 + shifts))
        found.put("largest_median_error", model, 0.9 * world.error(model) * (1 + shifts))
        found.put("curve_distance", model, 0.3 * world.error(model) * (1 + shifts))
        for quantity in ("largest_gap", "mean_gap"):
            found.put(quantity, model, world.gap(model) * (1 + shifts))
        for measure in ("distance", "confidence"):
            # Right answers lie around 1, wrong ones around 0.
            area = 0.5 * (1 + math.erf(0.5 / world.blur(measure, model)))
            found.put(f"roc_area_{measure}", model, area * (1 + 0.1 * shifts))
        for quantity in ("norm_variation", "weight_variation"):
            found.put(quantity, model, world.roughness(model) * (1 + shifts))
        for solver in config["solvers"]["inference"]:
            own = config["trainers"][split_model(model)[0]]["solver"]
            lost = (solver != own) * world.swapped(model)
            for quantity, more in (("accuracy", 0), ("train_accuracy", 1)):
                found.put(f"{quantity}_under_{solver}", model, world.accuracy(model) - lost + more + 5 * shifts)
    for model in experiment.attacked_models(config):
        for attack in config["attack"]["attacks"]:
            share = world.susceptible(attack, model)
            norm = world.norm(attack, model) if attack.startswith("cw") else 0.5
            found.put("success_at_norm", (attack, model), 100 * share * (1 + shifts))
            found.put(
                "success_at_last",
                (attack, model),
                np.minimum(100, (100 if "cw" in attack else 800) * share) + 0 * shifts,
            )
            within = 50 * share * (1 + shifts)  # a straight curve; Carlini-Wagner's norms are the world's
            found.put("success_up_to_norm", (attack, model), within if norm <= 0.5 else 0 * shifts)
            found.put("success_over_curve", (attack, model), 90 * share * (1 + shifts))
            found.put("norm_per_success", (attack, model), norm / share * (1 + shifts))
            found.put("mean_norm", (attack, model), norm * (1 + shifts))
            found.put("max_norm", (attack, model), 1.5 * norm * (1 + shifts))
            found.put("single_pixel_share", (attack, model), world.concentration(model) * (1 + shifts))
            found.put("attack_seconds", (attack, model), world.seconds(attack) * (1 + shifts))
            found.put(
                "solves",
                (attack, model),
                (1 + 8.1 * attack.endswith("targeted") * (world.target_norm(attack) > 0.5)) * (1 + shifts),
            )
    return found
