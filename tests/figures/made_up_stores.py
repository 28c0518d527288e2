"""Made-up stores in the format of the contract, for figures, claims and the report.

A `World` holds one number for each thing that a claim looks at. `as_the_paper_says()` makes all claims hold;
`the_opposite()` makes all fail. `write_stores(results, config, world)` writes what the stages would have written.
"""

import atexit
import functools
import math
import shutil
import tempfile
from dataclasses import dataclass
from pathlib import Path
from unittest import mock

import numpy as np

from stages import experiment, stores
from stages.figures.attack_curves import radii
from stages.report.measurements import Measurements


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
    seconds: callable  # attack -> how long it takes
    concentration: callable  # model -> share of the perturbation on one pixel
    jitter: float = 0.02  # how far runs lie apart, as a share of a quantity's natural size


def smoke_config():
    """The smoke preset with two runs, so that there is a spread to show."""
    root = Path(__file__).resolve().parents[2]
    return experiment.load(root, "smoke", {"training": {"runs": 2}, "attack": {"images": 12}})


@functools.cache
def smoke_results():
    """Return a folder of stores in which the paper's claims hold, written once a process."""
    folder = tempfile.mkdtemp(prefix="made-up-results-")
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    with mock.patch("os.fsync"):  # nobody pulls the plug of a test
        write_stores(Path(folder) / "smoke", smoke_config(), as_the_paper_says())
    return Path(folder) / "smoke"


def write_stores(results, config, world, models=None):
    """Write the stores of every stage for every model and run of the experiment."""
    digits = _write_digits(results, config)
    attacked = experiment.attacked_models(config)
    for model in models if models is not None else experiment.all_models(config):
        for run in experiment.runs(config):
            # Runs lie symmetrically around the mean: -1, 1 or -1, 0, 1 ...
            count = len(experiment.runs(config))
            shift = world.jitter * (2 * run / (count - 1) - 1 if count > 1 else 0)
            write = _Writer(results, config, world, model, run, shift, digits)
            write.train()
            if model in config["models"]["table1"]:
                write.solvers()
            if model in experiment.table2_models(config):
                write.noise()
                write.sensitivity()
            if model in attacked:
                for attack in config["attack"]["attacks"]:
                    write.attack(attack)


def _write_digits(results, config):
    """Strokes that look a little like digits: rings and bars."""
    side, count, train = config["data"]["side"], config["data"]["test"], config["data"]["train"]
    rows, columns = np.mgrid[-1 : 1 : side * 1j, -1 : 1 : side * 1j]
    images = []
    for number in range(10):
        ring = np.exp(-(((np.hypot(rows * 0.8, columns * 1.4) - 0.3 - 0.04 * number) / 0.15) ** 2))
        bar = np.exp(-(((columns * math.cos(number) + rows * math.sin(number)) / 0.2) ** 2)) * (abs(rows) < 0.8)
        images.append(np.clip(ring if number % 2 else bar, 0, 1).ravel() * (np.hypot(rows, columns) < 0.95).ravel())
    images = np.array(images, dtype=np.float32)
    labels = np.arange(count) % 10
    train_labels = np.arange(min(train, 50)) % 10
    stores.write(
        results / "data" / "digits.zarr",
        {
            "train_image": (("train", "pixel"), images[train_labels], {}),
            "train_label": (("train",), train_labels, {}),
            "test_image": (("test", "pixel"), images[labels], {}),
            "test_label": (("test",), labels, {}),
        },
        settings=experiment.downsample_settings(config),
        inputs={},
    )
    return images[labels], labels


class _Writer:
    def __init__(self, results, config, world, model, run, shift, digits):
        self.results, self.config, self.world, self.model = results, config, world, model
        self.run, self.shift, self.digits = run, shift, digits
        self.interval, self.depth = config["network"]["interval"], config["network"]["depth"]
        self.accuracy = (world.accuracy(model) + 5 * shift) / 100
        self.store = {
            stage: results / stage / model / f"run{run}.zarr" for stage in ("train", "noise", "sensitivity", "solvers")
        }

    def train(self):
        config, size = self.config, self.config["data"]["side"] ** 2
        rough = self.world.roughness(self.model) * (1 + self.shift)
        rng = np.random.default_rng([len(self.model), self.run])
        base = rng.standard_normal((size, size)).astype(np.float32) / size**0.5
        layer = np.arange(self.depth)
        wave = 1 + 0.2 * np.sin(layer / self.depth * 3) + rough * rng.uniform(0.5, 1, self.depth) * (layer % 2)
        weights = (base[None] * wave[:, None, None]).astype(np.float32)
        epochs = config["trainers"][experiment.split_model(self.model)[0]]["epochs"]
        reached = self.accuracy - 0.05 * np.linspace(1, 0, epochs) ** 2 if epochs > 1 else np.array([self.accuracy])
        iterations = np.arange(12)
        falling = np.exp(-iterations / 6)
        stores.write(
            self.store["train"],
            {
                "W": (("layer", "out", "in"), weights, {}),
                "b": (("layer", "out"), np.zeros((self.depth, size), np.float32), {}),
                **{
                    name: (("iteration",), falling, {})
                    for name in ("loss", "loss_after", "step_size", "conjugacy", "gradient_norm")
                },
                **{name: (("iteration",), 0 * iterations, {}) for name in ("restarts", "halvings")},
                "train_accuracy": (("epoch",), np.minimum(reached + 0.01, 1), {}),
                "test_accuracy": (("epoch",), reached, {}),
                "seconds": (("epoch",), np.full(epochs, 1.0 + self.run), {}),
            },
            coordinates={
                "t": (("layer",), layer * self.interval / self.depth, {}),
                "epoch": (("epoch",), np.arange(1, epochs + 1), {}),
            },
            settings=experiment.train_settings(config, self.model),
            inputs={"digits": self.results / "data" / "digits.zarr"},
            measured=["seconds"],
        )

    def noise(self):
        std = np.array(self.config["noise"]["std"])
        slope = 2 * (self.world.noise_area(self.model) / 100 - self.accuracy + 0.05 * self.shift)
        curve = self.accuracy + slope * (std - std[0]) / (std[-1] - std[0])  # a straight line with that mean
        stores.write(
            self.store["noise"],
            {"accuracy": (("noise_std",), curve, {})},
            coordinates={"noise_std": (("noise_std",), std, {})},
            settings=experiment.noise_settings(self.config, self.model),
            inputs={"network": self.store["train"]},
        )

    def sensitivity(self):
        t = np.linspace(0, self.interval, self.depth + 1)
        share = t / self.interval
        growth = self.world.growth(self.model) * (1 + self.shift)
        estimated = 0.0365 * (1 + (growth - 1) * share**2)
        error = self.world.error(self.model) * (1 + self.shift) * share
        curves = {"estimated": estimated, "measured": estimated * (1 - 0.1 * error), "relative_error": error}
        names = {**curves, **{f"{name}_median": 0.9 * curve for name, curve in curves.items()}}
        names |= {f"{name}_spread": 0.2 * curve for name, curve in curves.items()}
        stores.write(
            self.store["sensitivity"],
            {name: (("t",), curve, {}) for name, curve in names.items()},
            coordinates={"t": (("t",), t, {})},
            settings=experiment.sensitivity_settings(self.config, self.model),
            inputs={"network": self.store["train"]},
        )

    def solvers(self):
        inference = self.config["solvers"]["inference"]
        own = self.config["trainers"][experiment.split_model(self.model)[0]]["solver"]
        test = [self.accuracy - (solver != own) * self.world.swapped(self.model) / 100 for solver in inference]
        stores.write(
            self.store["solvers"],
            {
                "train_accuracy": (("inference_solver",), np.array(test) + 0.01, {}),
                "test_accuracy": (("inference_solver",), np.array(test), {}),
            },
            coordinates={"inference_solver": (("inference_solver",), np.array(inference, dtype=object), {})},
            settings=experiment.solvers_settings(self.config, self.model),
            inputs={"network": self.store["train"]},
        )

    def attack(self, attack):
        images, labels = (array[: self.config["attack"]["images"]] for array in self.digits)
        count = len(images)
        at_half = np.clip(self.world.susceptible(attack, self.model) * (1 + self.shift), 0.001, 1)
        rank = (np.arange(count) + 0.5) / count
        last = self.config["attack"]["radii"]["last"]
        if self.config["attack"]["attacks"][attack]["method"] == "cw":
            success = rank <= at_half
            norm = self.world.norm(attack, self.model) * (1 + self.shift) * (0.5 + rank / at_half)
        else:
            norm = 0.5 * rank / at_half  # share at_half of the images within norm 0.5, and a straight curve
            success = norm <= last
            grid = radii(self.config["attack"]["radii"])
            norm = grid[np.minimum(np.searchsorted(grid, norm), len(grid) - 1)]
        norm = np.where(success, norm, np.nan)
        spread = np.full((count, images.shape[1]), images.shape[1] ** -0.5)
        spike = np.zeros_like(spread)
        spike[np.arange(count), (7 * np.arange(count)) % images.shape[1]] = 1
        share = np.clip(self.world.concentration(self.model) * (1 + self.shift), 0, 1)
        direction = (1 - share) * spread * np.sign(np.sin(np.arange(images.shape[1]))) + share * spike
        direction /= np.linalg.norm(direction, axis=1, keepdims=True)
        adversarial = images + np.nan_to_num(norm)[:, None] * direction
        variables = {
            "success": (("sample",), success, {}),
            "norm": (("sample",), norm, {}),
            "norm_unconfined": (("sample",), 1.1 * norm, {}),
            "iterations": (("sample",), np.full(count, 3), {}),
            "label": (("sample",), labels, {}),
            "predicted": (("sample",), np.where(success, (labels + 1) % 10, labels), {}),
            "image_index": (("sample",), np.arange(count), {}),
            "original": (("sample", "pixel"), images, {}),
            "adversarial": (("sample", "pixel"), adversarial.astype(np.float32), {}),
        }
        stores.write(
            self.results / "attack" / attack / self.model / f"run{self.run}.zarr",
            variables,
            settings=experiment.attack_settings(self.config, attack, self.model),
            inputs={"network": self.store["train"]},
            attributes={"seconds": self.world.seconds(attack)},
        )


# --- the same without stores ------------------------------------------------------------------------------------------


def measurements(config, world):
    """Return what the claims would measure in this world's stores, up to the roundness of the stores' grids."""
    found = Measurements(config["claims"])
    count = len(experiment.runs(config))
    shifts = world.jitter * np.linspace(-1, 1, count) if count > 1 else np.zeros(count)
    for model in experiment.all_models(config):
        found.put("accuracy", model, world.accuracy(model) + 5 * shifts)
        found.put("noise_area", model, world.noise_area(model) + 5 * shifts)
        found.put("growth", model, world.growth(model) * (1 + shifts))
        found.put("largest_error", model, world.error(model) * (1 + shifts))
        for quantity in ("norm_variation", "weight_variation"):
            found.put(quantity, model, world.roughness(model) * (1 + shifts))
        for solver in config["solvers"]["inference"]:
            own = config["trainers"][experiment.split_model(model)[0]]["solver"]
            lost = (solver != own) * world.swapped(model)
            found.put("solver_accuracy", (model, solver), world.accuracy(model) - lost + 5 * shifts)
    for model in experiment.attacked_models(config):
        for attack in config["attack"]["attacks"]:
            share = world.susceptible(attack, model)
            norm = world.norm(attack, model) if attack.startswith("cw") else 0.5
            found.put("success_at_norm", (attack, model), 100 * share * (1 + shifts))
            found.put("success_over_curve", (attack, model), 90 * share * (1 + shifts))
            found.put("norm_per_success", (attack, model), norm / share * (1 + shifts))
            found.put("single_pixel_share", (attack, model), world.concentration(model) * (1 + shifts))
            found.put("attack_seconds", (attack, model), world.seconds(attack) * (1 + shifts))
    return found


# --- two worlds -------------------------------------------------------------------------------------------------------


def as_the_paper_says():
    """Every claim of the paper holds here, by a wide margin."""

    def accuracy(model):
        trainer, loss, _ = experiment.split_model(model)
        if trainer in ("ncg-euler20", "ncg-ode45"):
            return {"ncg-euler20": 98.2, "ncg-ode45": 97.2}[trainer]
        return 95.5 if trainer.startswith("sgd") and loss == "ce" else 97.5

    def noise_area(model):
        trainer, loss, activation = experiment.split_model(model)
        if trainer == "ncg-sobolev":
            return 94.0 if activation == "tanh" else 86.0
        if trainer == "ncg-wd":
            return 75.0
        return 78.0 if trainer.startswith("sgd") and loss == "l2" else 88.0

    def growth(model):
        trainer, loss, activation = experiment.split_model(model)
        if trainer.startswith("sgd"):
            return 0.6 if loss == "ce" and activation == "relu" else 0.9
        return 0.7 if trainer == "ncg-wd" and activation == "tanh" else 1.2

    def susceptible(attack, model):
        trainer, loss, activation = experiment.split_model(model)
        if attack.startswith("cw"):
            return 0.3
        share = {"sgd": 0.6, "ncg": 0.25, "ncg-sobolev": 0.25 if (loss, activation) == ("ce", "relu") else 0.15}[
            trainer
        ]
        factor = {"sensitivity": 1.0, "sensitivity-targeted": 1.02, "pgd-0.06": 0.8, "pgd-0.6": 1.3, "fgsm": 0.5}
        return share * factor[attack]

    return World(
        accuracy=accuracy,
        swapped=lambda model: 0.1,
        noise_area=noise_area,
        growth=growth,
        error=lambda model: 0.03,
        roughness=lambda model: {"sgd": 0.5, "ncg": 0.2, "ncg-sobolev": 0.01}.get(
            experiment.split_model(model)[0], 0.3
        ),
        susceptible=susceptible,
        norm=lambda attack, model: 2.0,
        seconds=lambda attack: {"sensitivity": 1.0, "sensitivity-targeted": 8.5}.get(attack, 2.0),
        concentration=lambda model: 0.8 if model.startswith("sgd") else 0.2,
    )


def the_opposite():
    """No claim of the paper holds here."""
    paper = as_the_paper_says()

    def accuracy(model):
        trainer, loss, _ = experiment.split_model(model)
        if trainer in ("ncg-euler20", "ncg-ode45"):
            return {"ncg-euler20": 96.0, "ncg-ode45": 98.0}[trainer]
        base = 97.5 if trainer.startswith("sgd") and loss == "ce" else 94.5
        return base - 1.5 * trainer.endswith("-wd") - 1.5 * (trainer.startswith("ncg") and loss == "l2")

    def susceptible(attack, model):
        trainer = experiment.split_model(model)[0]
        if attack.startswith("cw"):
            return 0.9
        share = {"sgd": 0.2, "ncg": 0.3, "ncg-sobolev": 0.5}[trainer]
        factor = {"sensitivity": 1.0, "sensitivity-targeted": 1.6, "pgd-0.06": 1.5, "pgd-0.6": 0.6, "fgsm": 0.5}
        return share * factor[attack]

    return World(
        accuracy=accuracy,
        swapped=lambda model: 3.0,
        noise_area=lambda model: (
            {"sgd": 85.0, "sgd-wd": 85.0, "ncg": 75.0, "ncg-wd": 85.0}.get(experiment.split_model(model)[0], 70.0)
            + 3.0 * (experiment.split_model(model)[1] == "l2")
        ),
        growth=lambda model: 2.2 - paper.growth(model) + 0.5 * model.startswith("sgd-wd"),
        error=lambda model: 0.6,
        roughness=lambda model: 0.52 - paper.roughness(model),
        susceptible=susceptible,
        norm=lambda attack, model: 0.1,
        seconds=lambda attack: {"sensitivity": 1.0, "sensitivity-targeted": 1.2}.get(attack, 2.0),
        concentration=lambda model: 1.0 - paper.concentration(model),
    )
