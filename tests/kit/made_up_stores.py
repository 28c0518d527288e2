"""Made-up stores in the format of the contract, for figures, claims and the report.

`write_stores(results, config, world)` writes what the stages would have written in one of the worlds of made_up_worlds.
"""

import contextlib
import functools
import math
from unittest import mock

import numpy as np
import yaml

from kit.made_up_worlds import as_the_paper_says, as_we_say, with_readings
from kit.project_copy import ROOT
from stages.config import configuration
from stages.model.build import affine_map
from stages.names.model_name import split_model
from stages.plan import experiment, stage_settings, stage_table
from stages.statistics.attack_curves import radii
from stages.storage import stores


def smoke_config():
    """The smoke preset with two runs, which give a spread, and the stages beyond the paper."""
    return configuration.load(ROOT, "smoke", {"beyond": True, "training": {"runs": 2}, "attack": {"images": 24}})


def smoke_results(folder):
    """Write stores in which the paper's claims hold."""
    write_stores(folder, smoke_config(), as_the_paper_says())


def beyond_config(runs=2, **changes):
    """Models and attacks of the preset `beyond`, in the smoke preset's sizes; one set of twins has another loss.

    Class scores of their own: twins of SGD and NCG with both activations, of Sobolev NCG with tanh.
    """
    sizes = yaml.safe_load((ROOT / "workflow/presets/smoke.yaml").read_text())
    sizes |= {"training": {"runs": runs, "batch": 50}, "claims": {"minimum_accuracy": 90.0}}
    sizes["models"] = {"own": ["sgd_ce_relu", "sgd-robust_ce_relu", "sgd-conv_ce_relu"]}
    sizes["models"]["own"] += ["sgd_l2_relu", "ncg_l2_relu", "sgd-own_l2_relu", "ncg-own_l2_relu"]
    sizes["models"]["own"] += ["sgd-own_l2_tanh", "ncg-own_l2_tanh", "ncg-sobolev-own_l2_tanh"]
    return configuration.load(ROOT, "beyond", sizes | changes)


def beyond_results(folder):
    """Write stores in which our own claims hold."""
    write_stores(folder, beyond_config(), as_we_say())


def readings_config():
    """A part of Table 2 with readings of trainers, a loss and two attacks, in the smoke preset's sizes."""
    grid = {"trainers": ["sgd", "sgd-wd", "ncg"], "losses": ["ce", "l2"], "activations": ["relu", "tanh"]}
    listed = ["sgd-rate-0.001_l2_tanh", "sgd-once-exp-0.001_ce_relu", "sgd_ce0_relu", "sgd-wd-1e-4_l2_tanh"]
    listed += ["ncg-random_ce_tanh", "ncg_ce_relu"]
    attacks = {"cw-all": {"reads": "cw", "outputs": "softmax-all"}, "pgd-own": {"reads": "pgd-0.06", "loss": "own"}}
    changes = {
        "models": {"table1": [], "table2": grid, "readings": listed},
        "attack": {"attacks": attacks, "images": 24},
    }
    return configuration.load(ROOT, "smoke", changes | {"training": {"runs": 2}})


def readings_results(folder):
    """Write stores in which the readings differ from their rows."""
    config = readings_config()
    write_stores(folder, config, with_readings(as_the_paper_says(), config))


def one_run_config():
    """The smoke preset with one run, and test images enough for their sampling error to be small."""
    return configuration.load(
        ROOT, "smoke", {"data": {"test": 2000}, "sensitivity": {"images": 500}, "attack": {"images": 400}}
    )


def one_run_results(world, folder):
    """Write the stores of a single run in a world below `folder`; return where they are."""
    write_stores(folder / "smoke", one_run_config(), world)
    return folder / "smoke"


@contextlib.contextmanager
def quickly():
    """Speed up writing hundreds of stores: no flushing to disk, and git is asked for the commit only once."""
    with mock.patch("os.fsync"), mock.patch.object(stores, "_commit", functools.cache(stores._commit)):
        yield


@quickly()
def write_stores(results, config, world):
    """Write the stores of every stage for every model and run of the experiment."""
    digits = _write_digits(results, config)
    attacked = stage_table.folder_models(config)
    for model in experiment.all_models(config):
        for run in experiment.runs_of(config, model):
            # Runs are symmetric around the mean: -1, 1 or -1, 0, 1 ...
            count = len(experiment.runs(config))
            shift = world.jitter * (2 * run / (count - 1) - 1 if count > 1 else 0)
            write = _Writer(results, config, world, model, run, shift, digits)
            write.train()
            if model in config["models"]["table1"]:
                write.solvers()
            if model in experiment.evaluated_models(config):
                write.noise()
            if model in experiment.table2_models(config):
                write.sensitivity()
                write.uncertainty()
            for attack in config["attack"]["attacks"]:
                if model in attacked[f"attack/{attack}"]:
                    write.attack(attack)


def _write_digits(results, config):
    """Write images that look a little like digits: rings and bars."""
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
        settings=stage_settings.downsample_settings(config, config["data"]["side"]),
        inputs={},
    )
    return images[labels], labels


class _Writer:
    def __init__(self, results, config, world, model, run, shift, digits):
        self.results, self.config, self.world, self.model = results, config, world, model
        self.run, self.shift, self.digits = run, shift, digits
        network, side = experiment.network_of(config, model), experiment.side_of(config, model)
        self.interval, self.depth, self.affine = network["interval"], network["depth"], affine_map(network, side**2)
        self.scale = side / config["data"]["side"]  # of norms
        self.accuracy = (world.accuracy(model) + 5 * shift) / 100
        # Images differ in difficulty, in the same way for all networks, but neighbours do not.
        count = config["data"]["test"]
        self.hardness = (np.random.default_rng(0).permutation(count) + 0.5) / count
        self.store = {
            stage: results / stage / model / f"run{run}.zarr" for stage in ("train", "noise", "sensitivity", "solvers")
        }

    def train(self):
        config, (dimensions, shape) = self.config, self.affine.stored
        rough = self.world.roughness(self.model) * (1 + self.shift)
        rng = np.random.default_rng([len(self.model), self.run])
        base = rng.standard_normal(shape).astype(np.float32) / math.prod(shape[1:]) ** 0.5
        layer = np.arange(self.depth)
        wave = 1 + 0.2 * np.sin(layer / self.depth * 3) + rough * rng.uniform(0.5, 1, self.depth) * (layer % 2)
        weights = (base[None] * wave.reshape(-1, *[1] * len(shape))).astype(np.float32)
        epochs = config["trainers"][split_model(self.model)[0]]["epochs"]
        reached = self.accuracy - 0.05 * np.linspace(1, 0, epochs) ** 2 if epochs > 1 else np.array([self.accuracy])
        iterations = np.arange(12)
        falling = np.exp(-iterations / 6)
        stores.write(
            self.store["train"],
            {
                "W": (("layer", *dimensions), weights, {}),
                "b": (("layer", "out"), np.zeros((self.depth, shape[0]), np.float32), {}),
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
            settings=stage_settings.train_settings(config, self.model) | {"run": self.run},
            inputs={"digits": self.results / "data" / "digits.zarr"},
            measured=["seconds"],
        )

    def noise(self):
        std = np.array(self.config["noise"]["std"])
        slope = 2 * (self.world.noise_area(self.model) / 100 - self.accuracy + 0.05 * self.shift)
        curve = self.accuracy + slope * (std - std[0]) / (std[-1] - std[0])  # a straight line with that mean
        stores.write(
            self.store["noise"],
            {
                "accuracy": (("noise_std",), curve, {}),
                "correct": (("noise_std", "draw", "sample"), self.hardness < curve[:, None, None], {}),
            },
            coordinates={"noise_std": (("noise_std",), std, {})},
            settings=stage_table.folder_settings(self.config, "noise", self.model),
            inputs={"network": self.store["train"]},
        )

    def sensitivity(self):
        t = np.linspace(0, self.interval, self.depth + 1)
        share = t / self.interval
        growth = self.world.growth(self.model) * (1 + self.shift)
        estimated = 0.0365 * (1 + (growth - 1) * share**2)
        error = self.world.error(self.model) * (1 + self.shift) * share
        curves = {"estimated": estimated, "measured": estimated * (1 - 0.3 * error), "relative_error": error}
        names = {**curves, **{f"{name}_median": 0.9 * curve for name, curve in curves.items()}}
        names |= {f"{name}_spread": 0.2 * curve for name, curve in curves.items()}
        images = min(self.config["sensitivity"]["images"], self.config["data"]["test"])
        around_one = 1 + 0.2 * 2**0.5 * np.cos(2 * np.pi * (np.arange(images) + 0.5) / images)
        ends = {"estimated_at_start": estimated[0], "estimated_at_end": estimated[-1], "largest_error": error[-1]}
        stores.write(
            self.store["sensitivity"],
            {name: (("t",), curve, {}) for name, curve in names.items()}
            | {name: (("sample",), (end * around_one).astype(np.float32), {}) for name, end in ends.items()},
            coordinates={"t": (("t",), t, {})},
            settings=stage_table.folder_settings(self.config, "sensitivity", self.model),
            inputs={"network": self.store["train"]},
        )

    def uncertainty(self):
        rng = np.random.default_rng([len(self.model), self.run, 7])
        label = self.digits[1]
        right = rng.random(len(label)) < self.accuracy
        answers = {"label": label, "predicted": np.where(right, label, (label + 1) % 10), "right": right}
        measures = {
            name: rng.normal(right, self.world.blur(name, self.model)) for name in ("distance", "confidence", "gap")
        }
        variables = {name: (("sample",), values, {}) for name, values in (answers | measures).items()}
        coordinates = {}
        for kind, name in (("pixel", "noise_std"), ("weight", "weight_std")):
            block = self.config["noise"]["std"] if kind == "pixel" else self.config["uncertainty"]["weight_std"]
            measured = self.accuracy - 0.5 * np.array(block)
            surplus = np.full((len(block), len(label)), self.world.gap(self.model) / 100 * (1 + self.shift))
            variables[f"{kind}_measured"] = ((name,), measured, {})
            variables[f"{kind}_predicted"] = ((name,), measured + surplus[:, 0], {})
            variables[f"{kind}_surplus"] = ((name, "sample"), surplus, {})
            coordinates[name] = ((name,), block, {})
        stores.write(
            self.results / "uncertainty" / self.model / f"run{self.run}.zarr",
            variables,
            coordinates=coordinates,
            settings=stage_table.folder_settings(self.config, "uncertainty", self.model),
            inputs={"digits": self.results / "data" / "digits.zarr"},
        )

    def solvers(self):
        inference = self.config["solvers"]["inference"]
        own = self.config["trainers"][split_model(self.model)[0]]["solver"]
        test = [self.accuracy - (solver != own) * self.world.swapped(self.model) / 100 for solver in inference]
        stores.write(
            self.store["solvers"],
            {
                "train_accuracy": (("inference_solver",), np.array(test) + 0.01, {}),
                "test_accuracy": (("inference_solver",), np.array(test), {}),
                "correct": (("inference_solver", "sample"), self.hardness < np.array(test)[:, None], {}),
            },
            coordinates={"inference_solver": (("inference_solver",), np.array(inference, dtype=object), {})},
            settings=stage_table.folder_settings(self.config, "solvers", self.model),
            inputs={"network": self.store["train"]},
        )

    def attack(self, attack):
        images, labels = (array[: self.config["attack"]["images"]] for array in self.digits)
        count = len(images)
        at_half = np.clip(self.world.susceptible(attack, self.model) * (1 + self.shift), 0.001, 1)
        rank = (np.arange(count) + 0.5) / count
        settings = stage_settings.attack_settings(self.config, self.model, attack)
        if self.config["attack"]["attacks"][attack]["method"] == "cw":
            success = rank <= at_half
            norm = self.world.norm(attack, self.model) * (1 + self.shift) * (0.5 + rank / at_half)
        else:
            norm = (
                0.5 * self.scale * rank / at_half
            )  # share at_half of the images within norm 0.5, and a straight curve
            success = norm <= settings["radii"]["last"]
            grid = radii(settings["radii"])
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
        coordinates = {}
        if self.config["attack"]["attacks"][attack].get("target") == "each":
            classes = self.config["network"]["classes"]
            towards = np.repeat(norm[:, None] * self.world.target_norm(attack), classes, axis=1)
            towards[np.arange(count), labels] = np.nan
            variables["norm_by_target"] = (("sample", "target"), towards, {})
            variables["success_by_target"] = (("sample", "target"), ~np.isnan(towards), {})
            coordinates["target"] = (("target",), np.arange(classes), {})
        stores.write(
            self.results / "attack" / attack / self.model / f"run{self.run}.zarr",
            variables,
            coordinates=coordinates,
            settings=settings,
            inputs={"network": self.store["train"]},
            attributes={"seconds": self.world.seconds(attack)},
        )
