"""The table of stages: of each, the rule that makes its stores, its models, its settings and its inputs.

All who go through the results go through this table: targets, freshness, verify, provenance, costs and measurements.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

from stages.plan import experiment, readings
from stages.plan.stage_settings import (
    attack_settings,
    data_settings,
    downsample_settings,
    evaluation_settings,
    solvers_settings,
    surrogates,
    train_settings,
    uncertainty_settings,
)

DIGITS, NETWORK = {"digits": "{digits}"}, {"network": "train/{model}/run{run}"}


@dataclass(frozen=True)
class Stage:
    """Stores <folder>/<model>/run<r>.zarr; <folder>/<part>/<model>/run<r>.zarr where a stage has parts."""

    target: str  # what `snakemake <target>` makes
    rule: str  # which has the name of its program
    models: Callable  # models(config): those that it has stores of
    settings: Callable  # settings(config, model, part): all that can change a store
    inputs: dict  # {role: name of a store, with {model}, {run} and {digits}}
    parts: Callable = lambda config: [""]
    partners: Callable = lambda config, part: None  # partners(config, part): {model: another network that it needs}
    takes: Callable = lambda config, model, part: True  # takes(config, model, part): whether a model has this part
    beyond: bool = False  # the paper's future work: made when it is asked for, by name or by `beyond: true`


class Store(NamedTuple):
    """A store of an experiment: its place below results/<preset>, its rule, its settings, {role: name of an input}."""

    name: str
    rule: str
    settings: dict
    inputs: dict


STAGES = {
    "train": Stage("train", "train_network", experiment.all_models, train_settings, DIGITS),
    "noise": Stage(
        "noise", "evaluate_noise", experiment.evaluated_models, evaluation_settings("seed", "noise"), DIGITS | NETWORK
    ),
    "sensitivity": Stage(
        "sensitivity",
        "estimate_sensitivity",
        experiment.evaluated_models,
        evaluation_settings("seed", "sensitivity"),
        DIGITS | NETWORK,
    ),
    "uncertainty": Stage(
        "uncertainty",
        "estimate_uncertainty",
        experiment.table2_models,
        uncertainty_settings,
        DIGITS | NETWORK,
        beyond=True,
    ),
    "solvers": Stage("solvers", "swap_solvers", experiment.table1_models, solvers_settings, DIGITS | NETWORK),
    "attack": Stage(
        "attacks",
        "attack_network",
        experiment.attacked_with_readings,
        attack_settings,
        DIGITS | NETWORK,
        parts=lambda config: list(config["attack"]["attacks"]),
        partners=surrogates,
        takes=readings.is_attacked_by,
    ),
}


def data_stores(config):
    """Return {name: Store} of what comes before the first model: digits of every side that a model takes."""
    found = {"data/raw": Store("data/raw", "fetch_digits", data_settings(config), {})}
    sides = [config["data"]["side"], *(experiment.side_of(config, model) for model in experiment.all_models(config))]
    for side in sides:
        name = experiment.digits_store(config, side)
        found[name] = Store(name, "downsample_digits", downsample_settings(config, side), {"raw": "data/raw"})
    return found


def folders(config):
    """Return {folder: (stage, part)} of an experiment, as the workflow goes: "noise", "attack/fgsm", ..."""
    return {
        "/".join(filter(None, (name, part))): (stage, part)
        for name, stage in STAGES.items()
        for part in stage.parts(config)
    }


def folder_models(config):
    """Return {folder: the models that it has stores of}: those that have the other network that a part needs."""
    found = {}
    for folder, (stage, part) in folders(config).items():
        partners = stage.partners(config, part)
        models = [model for model in stage.models(config) if stage.takes(config, model, part)]
        found[folder] = [model for model in models if partners is None or model in partners]
    return found


def judged_models(config):
    """Return {folder: its models that claims may look at}: readings are no networks of the paper's grid."""
    return {
        folder: [model for model in models if not readings.is_reading(config, model)]
        for folder, models in folder_models(config).items()
        if folder in usual_folders(config) and not readings.reads_an_attack(config, folders(config)[folder][1])
    }


def folder_inputs(config, folder, model, run=None, **others):
    """Return {role: name of a store} that a store of this folder is made from; others: what else a job is told."""
    stage, part = folders(config)[folder]
    partner = (stage.partners(config, part) or {}).get(model)
    roles = stage.inputs | ({"surrogate": f"train/{partner}/run{{run}}"} if partner else {})
    names = {"model": model, "run": run, "digits": experiment.digits_of(config, model)}
    return {role: name.format(**names) for role, name in roles.items()}


def usual_folders(config):
    """Return the folders that belong to everything: those of stages beyond the paper only where they are asked for."""
    return [folder for folder, (stage, _) in folders(config).items() if config["beyond"] or not stage.beyond]


def folder_settings(config, folder, model):
    """Return the settings of a folder's stores of a model."""
    stage, part = folders(config)[folder]
    return stage.settings(config, model, part)


def stores(config):
    """Yield every Store of an experiment."""
    yield from data_stores(config).values()
    known = folders(config)
    for folder, models in folder_models(config).items():
        stage, part = known[folder]
        for model in models:
            settings = stage.settings(config, model, part)
            for run in experiment.runs_of(config, model):
                inputs = folder_inputs(config, folder, model, run)
                numbered = {"run": run} if folder == "train" else {}
                yield Store(f"{folder}/{model}/run{run}", stage.rule, settings | numbered, inputs)


def rule_of(name):
    """Return the rule that makes a store, by its place below results/<preset>; "" for a place that no stage has."""
    folder = name.split("/")[0]
    if folder == "data":
        return "fetch_digits" if name == "data/raw" else "downsample_digits"
    return STAGES[folder].rule if folder in STAGES else ""


def places_of(role, model, run, settings):
    """Return where the input of a role lies, below results/<preset>, as a pattern: digits may be of several sides.

    The network has the model and run of its user, a surrogate the model that the user's settings name.
    """
    places = {"raw": "data/raw", "digits": "data/digits*.zarr", "network": f"train/{model}/{run}.zarr"}
    if "surrogate" in settings:
        places["surrogate"] = f"train/{settings['surrogate']['model']}/{run}.zarr"
    return places.get(role, "")
