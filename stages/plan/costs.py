"""Expected cost of a job in core seconds, from the sizes of the experiment, corrected by measurements on this machine.

The unit is one Euler solve of one image: depth x rows x columns multiplications and additions. The number of units of a
job follows from its settings; the time of a unit was measured at the paper's scale (workflow/published/paper) on one
core of an AMD EPYC without AVX-512. Other machines differ: once jobs of a stage have run here, in this run or in one of
another preset, the estimates of the remaining ones are scaled by the ratio of measured to estimated time.
"""

import functools

from stages.attack.radii import radii_of
from stages.plan import experiment, stage_table
from stages.plan.machine import Sizes

SECONDS_PER_PRODUCT = 2.6e-11  # one multiplication and addition of a float32 solve, ReLU
ACTIVATIONS = {"relu": 1.0}
OTHER_ACTIVATION = 1.75  # tanh, and others as expensive
START = 0.8  # seconds to start a stage program and to write its results
# Measured: solves per image and iteration, or per image.
METHODS, OTHER_METHOD = {"rmsprop": 3.0, "ncg": 5.5}, 5.5
SOBOLEV, ROBUST = 1.25, 1.5  # relative to the same training without
# Relative to Euler's method, at a tolerance of 1e-3: a training has a number of steps per layer plus a fixed number.
ODE45_PER_LAYER, ODE45_ANYWAY, ODE45_SOLVE = 2.0, 45.0, 25.0
SENSITIVITY_SOLVES, CLASS_ROW_SOLVES = 4.5, 15
EXHIBITS = {"data": 2.0, "figures": 2.5, "tables": 0.8, "claims": 5.0, "report": 3.0}  # seconds
EXHIBIT_RULES = {
    "fetch_digits": "data",
    "downsample_digits": "data",
    "draw_figure": "figures",
    "tabulate": "tables",
    "judge_claims": "claims",
    "write_report": "report",
}


class Costs:
    """The costs of an experiment's jobs.

    measured: {(folder, model, run): seconds} of jobs that have run; elsewhere: {folder: ratio of measured to estimated
    seconds} of other runs on this machine.
    """

    def __init__(self, config, measured=(), elsewhere=()):
        self.config, self.measured, self.elsewhere = config, dict(measured), dict(elsewhere)
        self.of_this_machine = bool(self.measured or self.elsewhere)
        self._images = experiment.images(config)
        self._sizes = functools.cache(lambda model: Sizes(config, model))
        self.estimate = functools.cache(self._estimate)

    def seconds(self, folder, model=None, run=None):
        """Return measured or expected seconds of a job; folder: its store's ("train", "attack/cw"), or "figures"."""
        if (folder, model, run) in self.measured:
            return self.measured[folder, model, run]
        return self.estimate(folder, model) * self.correction(folder)

    def of_job(self, rule, wildcards):
        """Return the expected seconds of a Snakemake job; 0 for one that only collects files."""
        if rule in EXHIBIT_RULES:
            return self.seconds(EXHIBIT_RULES[rule])
        stages = {stage.rule: name for name, stage in stage_table.STAGES.items()}
        stages |= {stage_table.GIVEN_RULE: "train", "train_one_run": "train"}
        if rule not in stages:
            return 0.0
        folder = "/".join(filter(None, (stages[rule], wildcards.get("attack"))))
        runs = [int(wildcards["run"])] if "run" in wildcards else experiment.runs_of(self.config, wildcards["model"])
        return sum(self.seconds(folder, wildcards["model"], run) for run in runs)

    @functools.cached_property
    def sums(self):
        """{folder: (measured, estimated) seconds of its finished jobs}."""
        sums = {}
        for (folder, model, _), seconds in self.measured.items():
            took, expected = sums.get(folder, (0.0, 0.0))
            sums[folder] = (took + seconds, expected + self.estimate(folder, model))
        return sums

    @functools.cached_property
    def _corrections(self):
        return {folder: took / expected for folder, (took, expected) in self.sums.items() if expected}

    def correction(self, folder):
        """Return the ratio of measured to estimated seconds of a folder's jobs, else that of its stage, else 1.

        This run's jobs count, or those of other runs if none of the stage has run in this one.
        """
        stage = folder.split("/")[0]
        for known in (self._corrections, self.elsewhere):
            alike = {name: factor for name, factor in known.items() if name.split("/")[0] == stage}
            if alike:
                return alike.get(folder, sum(alike.values()) / len(alike))
        return 1.0

    def _estimate(self, folder, model):
        stage = folder.split("/")[0]
        if stage in EXHIBITS:
            return EXHIBITS[stage]
        settings = stage_table.folder_settings(self.config, folder, model)
        solves = getattr(self, f"_{stage}_solves", self._other_solves)(settings)
        return START + solves * self._solve_seconds(model)

    def _solve_seconds(self, model):
        """Return the seconds of one Euler solve of one image."""
        sizes = self._sizes(model)
        factor = ACTIVATIONS.get(model.rpartition("_")[2], OTHER_ACTIVATION)
        return SECONDS_PER_PRODUCT * sizes.depth * sizes.products * factor * sizes.number / 4

    def _train_solves(self, settings):
        trainer, images = settings["trainer"], self._images["train"]
        if "file" in settings:  # trained elsewhere: its accuracies alone
            return images + self._images["test"]
        solves = METHODS.get(trainer["method"], OTHER_METHOD) * settings["iterations"]
        solves *= SOBOLEV if trainer["gradient"] == "sobolev" else 1.0
        solves *= 1 + trainer["robust"]["share"] * (ROBUST - 1) if "robust" in trainer else 1.0
        if trainer["solver"] != "euler":
            solves *= ODE45_PER_LAYER + ODE45_ANYWAY / settings["network"]["depth"]
            solves *= _of_tolerance(settings.get(trainer["solver"], {}))
        return trainer["epochs"] * (images * (solves + 1) + self._images["test"])  # both accuracies after each epoch

    def _noise_solves(self, settings):
        return self._images["test"] * settings["noise"]["draws"] * len(settings["noise"]["std"])

    def _sensitivity_solves(self, settings):
        return SENSITIVITY_SOLVES * min(settings["sensitivity"]["images"], self._images["test"])

    def _solvers_solves(self, settings):
        others = [name for name in settings["solvers"]["inference"] if name != "euler"]
        return self._images["test"] * (1 + sum(ODE45_SOLVE * _of_tolerance(settings.get(name, {})) for name in others))

    def _uncertainty_solves(self, settings):
        block = settings["uncertainty"]
        levels = len(settings["noise"]["std"]) + len(block["weight_std"])
        return min(block["images"], self._images["test"]) * (CLASS_ROW_SOLVES + block["draws"] * levels)

    def _attack_solves(self, settings):
        line, images = settings["attack"], settings["images"]
        radii = len(radii_of(settings["radii"])) if "radii" in settings else 1
        steps = radii * line.get("iterations", 1)
        if line["method"] == "cw":
            return images * 6.0 * line["searches"] * line["iterations"]
        if line["method"] == "sensitivity":
            return images * steps * (5.0 if line["target"] == "each" else 1.5)
        return images * steps * 0.65

    def _other_solves(self, settings):
        """For a stage that a user added: the same as the noise stage."""
        return self._images["test"] * len(self.config["noise"]["std"])


def _of_tolerance(settings):
    """Return the cost of an adaptive solve relative to one at 1e-3: steps grow with the sixth root of 1 / tolerance."""
    return max(1.0, (1e-3 / settings["atol"]) ** (1 / 6)) if "atol" in settings else 1.0


def experiment_jobs(config):
    """Yield (folder, model, run) of all jobs that write stores, in the order of the workflow."""
    for folder in stage_table.usual_folders(config):
        for model in stage_table.folder_models(config)[folder]:
            for run in experiment.runs_of(config, model):
                yield folder, model, run
