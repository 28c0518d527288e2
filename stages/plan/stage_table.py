"""The table of stages: for each, the rule that makes its stores, its models, its settings and its inputs.

Everything that iterates over the results uses this table: targets, freshness, verify, provenance, costs, measurements.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import NamedTuple

from stages.attack import catalogue
from stages.plan import experiment, readings
from stages.plan.stage_settings import (
    attack_settings,
    attack_suits,
    data_settings,
    downsample_settings,
    evaluation_settings,
    solvers_settings,
    surrogates,
    train_settings,
    uncertainty_settings,
)

GIVEN_RULE = "import_network"  # makes the train store of a network that was trained elsewhere
DIGITS, NETWORK = {"digits": "{digits}"}, {"network": "train/{model}/run{run}"}


@dataclass(frozen=True)
class Stage:
    """Stores <folder>/<model>/run<r>.zarr, or <folder>/<part>/<model>/run<r>.zarr for a stage with parts."""

    target: str  # what `snakemake <target>` makes
    rule: str  # has the name of its program
    models: Callable  # models(config): the models of its stores
    settings: Callable  # settings(config, model, part): all that can change a store
    inputs: dict = field(default_factory=lambda: DIGITS | NETWORK)  # {role: store, with {model}, {run} and {digits}}
    parts: Callable = lambda config: [""]
    partners: Callable = lambda config, part: None  # partners(config, part): {model: another network that it needs}
    takes: Callable = lambda config, model, part: True  # takes(config, model, part): whether a model has this part
    beyond: bool = False  # the paper's future work: made only on request, by name or by `beyond: true`


class Store(NamedTuple):
    """A store of an experiment: its path below results/<preset>, its rule, its settings, {role: name of an input}."""

    name: str
    rule: str
    settings: dict
    inputs: dict


def _is_attacked_by(config, model, attack):
    """Twins are compared by success within a norm; towards nine targets that would cost as much as a training."""
    line = config["attack"]["attacks"][attack]
    within_norms = catalogue.is_confined(line["method"]) and line.get("target") != "each"
    if model in experiment.beside(config) and not within_norms:
        return False
    return readings.is_attacked_by(config, model, attack) and attack_suits(config, model, attack)


STAGES = {
    "train": Stage("train", "train_network", experiment.all_models, train_settings, DIGITS),
    "noise": Stage("noise", "evaluate_noise", experiment.evaluated_models, evaluation_settings("seed", "noise")),
    "sensitivity": Stage(
        "sensitivity", "estimate_sensitivity", experiment.table2_models, evaluation_settings("seed", "sensitivity")
    ),
    "uncertainty": Stage(
        "uncertainty", "estimate_uncertainty", experiment.table2_models, uncertainty_settings, beyond=True
    ),
    "solvers": Stage("solvers", "swap_solvers", experiment.table1_models, solvers_settings),
    "attack": Stage(
        "attacks",
        "attack_network",
        experiment.attacked_with_readings,
        attack_settings,
        parts=lambda config: list(config["attack"]["attacks"]),
        partners=surrogates,
        takes=_is_attacked_by,
    ),
}


def data_stores(config):
    """Return {name: Store} of the data: raw files, and digits of every side that a model uses."""
    data = {"data/raw": Store("data/raw", "fetch_digits", data_settings(config), {})}
    sides = [config["data"]["side"], *(experiment.side_of(config, model) for model in experiment.all_models(config))]
    for side in sides:
        name = experiment.digits_store(config, side)
        data[name] = Store(name, "downsample_digits", downsample_settings(config, side), {"raw": "data/raw"})
    return data


def folders(config):
    """Return {folder: (stage, part)} of an experiment, in the order of the workflow: "noise", "attack/fgsm", ..."""
    return {
        "/".join(filter(None, (name, part))): (stage, part)
        for name, stage in STAGES.items()
        for part in stage.parts(config)
    }


def folder_models(config):
    """Return {folder: models of its stores}, without models that lack the partner network that a part needs."""
    allowed = {}
    for folder, (stage, part) in folders(config).items():
        partners = stage.partners(config, part)
        models = [model for model in stage.models(config) if stage.takes(config, model, part)]
        allowed[folder] = [model for model in models if partners is None or model in partners]
    return allowed


def judged_models(config):
    """Return {folder: models that claims may use}: readings and given networks are not of the paper's grid."""
    others, models = experiment.given(config), folder_models(config)
    return {
        folder: [model for model in models[folder] if model not in others and not readings.is_reading(config, model)]
        for folder in usual_folders(config)
        if not readings.reads_an_attack(config, folders(config)[folder][1])
    }


def folder_inputs(config, folder, model, run=None, **others):
    """Return {role: name of an input store} for a store of this folder; others: further values of a job."""
    stage, part = folders(config)[folder]
    partner = (stage.partners(config, part) or {}).get(model)
    roles = stage.inputs | ({"surrogate": f"train/{partner}/run{{run}}"} if partner else {})
    names = {"model": model, "run": run, "digits": experiment.digits_of(config, model)}
    return {role: name.format(**names) for role, name in roles.items()}


def usual_folders(config):
    """Return the folders that the whole workflow makes; stages beyond the paper only on request."""
    return [folder for folder, (stage, _) in folders(config).items() if config["beyond"] or not stage.beyond]


def folder_settings(config, folder, model):
    stage, part = folders(config)[folder]
    return stage.settings(config, model, part)


def stores(config):
    yield from data_stores(config).values()
    given = experiment.given(config)
    for folder, models in folder_models(config).items():
        for model in models:
            settings = folder_settings(config, folder, model)
            rule = GIVEN_RULE if folder == "train" and model in given else rule_of(folder)
            for run in experiment.runs_of(config, model):
                inputs = folder_inputs(config, folder, model, run)
                numbered = {"run": run} if folder == "train" else {}
                yield Store(f"{folder}/{model}/run{run}", rule, settings | numbered, inputs)


def rule_of(name):
    """Return the rule that makes a store, from its path below results/<preset>; "" if no stage makes it."""
    folder = name.split("/")[0]
    if folder == "data":
        return "fetch_digits" if name == "data/raw" else "downsample_digits"
    return STAGES[folder].rule if folder in STAGES else ""


def places_of(role, model, run, settings):
    """Return the path of an input below results/<preset>, as a pattern: digits may have several sides.

    The network has the model and run of the store that uses it, a surrogate the model named in that store's settings.
    """
    places = {"raw": "data/raw", "digits": "data/digits*.zarr", "network": f"train/{model}/{run}.zarr"}
    if "surrogate" in settings:
        places["surrogate"] = f"train/{settings['surrogate']['model']}/{run}.zarr"
    return places.get(role, "")
