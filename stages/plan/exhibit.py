"""The record of a figure or table. It is in the file of its program; `stages.plan.all_exhibits` collects them all."""

from collections.abc import Callable
from dataclasses import dataclass

from stages.names.model_name import trainers_of
from stages.plan import experiment, readings
from stages.plan.stage_table import STAGES, folder_models


@dataclass(frozen=True)
class Exhibit:
    """A figure or table: all that the rule, the report and the reader need to know about it.

    A rule gets only settings that can change its picture: models, runs, sizes and what `settings` returns. The record
    itself is not part of the program's code identity: an edited caption redraws nothing.
    """

    stage: str  # whose stores it shows; "data": only the digits
    place: str  # in the paper
    title: str
    caption: str
    words: str = ""  # for a reader who cannot see the picture
    models: Callable = experiment.table2_models  # models(config)
    attacks: Callable | None = None  # attacks(config): names of attacks, for stage "attack"
    also: tuple = ()  # further stages of the same models
    settings: Callable = lambda config: {}  # settings(config): what else it depends on
    one_run: bool = False  # pictures of single images show only the first run
    digits: bool = False  # it also shows digits
    reference: str = ""  # the paper's numbers: a CSV file in workflow/reference
    beyond: bool = False  # about the paper's future work
    order: int = 100  # in the report, among those that are not in the paper
    program: str = ""  # its module: set when the records are collected

    @property
    def shows_digits(self):
        return self.digits or self.stage == "data"

    def runs(self, config):
        return [0] if self.one_run else experiment.most_runs(config, self.models(config))

    def parts(self, config):
        """Return the folders whose stores it shows."""
        if self.stage == "data":
            return []
        if self.attacks is None:
            return [self.stage, *self.also]
        attacked = [f"{self.stage}/{attack}" for attack in self.attacks(config)]
        return attacked and [*attacked, *self.also]

    def available(self, config):
        """Tell whether this experiment has stores to show."""
        if self.stage == "data":
            return True
        asked_for = config["beyond"] or not STAGES[self.stage].beyond
        return bool(asked_for and self.models(config) and self.parts(config))


def present(config, wanted):
    """Return the part of `wanted`, {name: Exhibit}, that this experiment has stores for."""
    return {name: record for name, record in wanted.items() if record.available(config)}


def settings_of(config, name, record):
    """Return the settings of a figure or table; a table's include its title, which it prints."""
    settings = {"name": name} | record.settings(config)
    if record.program.startswith("stages.figures."):
        settings["dpi"] = config["figures"]["dpi"]
    else:
        settings["title"] = f"{record.place}: {record.title}" if record.reference else record.title
    if record.stage == "data":
        return settings
    models = record.models(config)
    settings |= {"scale": scale(config, models), "models": models, "runs": record.runs(config)}
    settings |= {"network": shared_network(config, models), "trainers": traits(config, models)}
    counts = {model: len(experiment.runs_of(config, model)) for model in models}
    if fewer := {model: count for model, count in counts.items() if count < len(settings["runs"])}:
        settings["fewer"] = fewer  # {model: its number of runs}, where others have more
    if record.attacks is not None:
        settings["attacks"] = record.attacks(config)
    return settings


def scale(config, models):
    """Return the sizes that a reader must know to judge the picture; those that differ between models as a list."""
    depths = sorted({network["depth"] for network in networks(config, models)})
    own_images = {"own_images": True} if config["data"]["origin"] == "files" else {}
    trained = [model for model in models if model not in experiment.given(config)]
    runs = sorted({len(experiment.runs_of(config, model)) for model in trained or models})
    return own_images | {
        "preset": config["preset"],
        "layers": depths[0] if len(depths) == 1 else depths,
        "digits": config["data"]["train"],
        "epochs": sorted({experiment.trainer_of(config, model)["epochs"] for model in models} - {0}),  # 0: given
        "runs": runs if len(runs) > 1 else len(experiment.most_runs(config, models)),
    }


def networks(config, models):
    """Return the settings of these models' networks, or of all networks if no models are given."""
    return [experiment.network_of(config, model) for model in models or experiment.all_models(config)]


def shared_network(config, models):
    """Return the settings that the networks of these models have in common."""
    first, *others = networks(config, models)
    return {key: value for key, value in first.items() if all(other.get(key) == value for other in others)}


def traits(config, models):
    """Return what a reader needs to know about each trainer, from its settings: {trainer: {method, gradient, ...}}."""
    keys = ("method", "gradient", "solver", "weight_decay", "robust", "scores")
    settings = {name: experiment.trainer_named(config, name) for name in trainers_of(models)}
    settings = {name: own.get("network", {}) | own for name, own in settings.items()}
    return {name: {key: trainer[key] for key in keys if key in trainer} for name, trainer in settings.items()}


def claims_settings(config):
    """Return what determines the verdicts: the settings of all stores but those of readings, and the thresholds."""
    config = readings.judged(config)
    used = {key: value for key, value in config.items() if key not in ("preset", "data", "figures", "execution")}
    used["data"] = {"side": config["data"]["side"]}  # to which the norms of attacks refer
    return {"config": used, "scale": scale(config, experiment.table2_models(config))}


def report_settings(config):
    """Return what the report shows: the whole experiment, except how it was run and where this machine has MNIST."""
    whole = {key: value for key, value in config.items() if key != "execution"}
    return {"config": whole | {"data": config["data"] | {"folder": ""}}}


def inputs_of(config, record):
    """Yield (folder, model, run) of every store that a figure or table is made from."""
    known = folder_models(config)
    for folder in record.parts(config):
        for model in record.models(config):
            if model in known[folder]:
                there = experiment.runs_of(config, model)
                yield from ((folder, model, run) for run in record.runs(config) if run in there)


def words_of(record):
    return {key: getattr(record, key) for key in ("title", "place", "caption", "words", "beyond")}
