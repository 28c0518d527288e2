"""The experiment that a configuration describes: its models, its attacks, and the settings that each rule sees.

A rule sees only what can change its result. That is what makes partial reruns exact: a changed RMSprop rate retrains
the SGD models and nothing else.
"""

import copy
from itertools import product

import yaml

from stages.errors import UserError


def load(root, preset=None, overrides=None):
    """Read config.yaml under `root`, then its preset, then the overrides; for use outside Snakemake."""
    config = yaml.safe_load((root / "config.yaml").read_text())
    merge(config, overrides or {})
    config["preset"] = preset or config["preset"]
    merge(config, yaml.safe_load(preset_path(root, config["preset"]).read_text()) or {})
    merge(config, overrides or {})
    return config


def preset_path(root, name):
    """Return the file of a preset, or say which there are."""
    folder = root / "workflow" / "presets"
    names = sorted(path.stem for path in folder.glob("*.yaml"))
    if name not in names:
        raise UserError(f"config: preset: wanted one of {', '.join(names)}, found {name!r}")
    return folder / f"{name}.yaml"


def merge(config, changes):
    """Lay nested `changes` over `config`, in place."""
    for key, value in changes.items():
        if isinstance(value, dict) and isinstance(config.get(key), dict):
            merge(config[key], value)
        else:
            config[key] = copy.deepcopy(value)


# --- models -----------------------------------------------------------------------------------------------------------


def model_name(trainer, loss, activation):
    return f"{trainer}_{loss}_{activation}"


def split_model(model):
    """Return (trainer, loss, activation) of a model's name."""
    return tuple(model.split("_"))


def table2_models(config):
    """Models of Table 2, and the user's own."""
    grid = config["models"]["table2"]
    combinations = product(grid["trainers"], grid["losses"], grid["activations"])
    return list(dict.fromkeys([model_name(*combination) for combination in combinations] + config["models"]["own"]))


def all_models(config):
    return list(dict.fromkeys(table2_models(config) + config["models"]["table1"]))


def attacked_models(config):
    return [model for model in table2_models(config) if split_model(model)[0] in config["attack"]["trainers"]]


def stage_models(config):
    """Return {stage: the models that it has stores of}, as the workflow goes; a stage is called as its folder."""
    stages = {"train": all_models(config), "noise": table2_models(config), "sensitivity": table2_models(config)}
    stages["solvers"] = config["models"]["table1"]
    return stages | {f"attack/{attack}": attacked_models(config) for attack in config["attack"]["attacks"]}


def runs(config):
    return list(range(config["training"]["runs"]))


# --- what each rule sees ----------------------------------------------------------------------------------------------


def data_settings(config):
    data = config["data"]
    keys = ["origin", *{"mnist": ["folder"], "files": ["files"]}.get(data["origin"], [])]
    return {key: data[key] for key in keys}


def downsample_settings(config):
    settings = {key: config["data"][key] for key in ("train", "test", "side", "resampling")}
    return settings | {"classes": config["network"]["classes"]}  # labels beyond them are refused


def train_settings(config, model):
    """Everything that the weights of a model follow from, the run's number aside."""
    trainer, loss, activation = split_model(model)
    settings = {
        "seed": config["seed"],
        "network": config["network"],
        "batch": config["training"]["batch"],
        "batches": config["training"]["batches"],
        "iterations": config["training"]["iterations"],
        "activation": activation,
        "loss": config["losses"][loss],
        "trainer": config["trainers"][trainer],
    }
    if settings["trainer"]["method"] == "rmsprop":
        settings["rmsprop"] = config["rmsprop"]
    if settings["trainer"]["solver"] == "ode45":
        settings["ode45"] = config["ode45"]
    return settings


def noise_settings(config, model):
    return {"seed": config["seed"], "noise": config["noise"], "trained": train_settings(config, model)}


def sensitivity_settings(config, model):
    return {"seed": config["seed"], "sensitivity": config["sensitivity"], "trained": train_settings(config, model)}


def solvers_settings(config, model):
    return {"solvers": config["solvers"], "ode45": config["ode45"], "trained": train_settings(config, model)}


def attack_settings(config, attack, model):
    settings = {
        "attack": config["attack"]["attacks"][attack],
        "images": config["attack"]["images"],
        "trained": train_settings(config, model),
    }
    # Carlini-Wagner looks for the smallest perturbation by itself: no radius confines it.
    if settings["attack"]["method"] != "cw":
        settings["radii"] = config["attack"]["radii"]
    return settings


def stage_settings(config, stage, model):
    """Return the settings of a stage, called as its folder, for a model."""
    name, _, attack = stage.partition("/")
    if attack:
        return attack_settings(config, attack, model)
    makers = {"train": train_settings, "noise": noise_settings}
    makers |= {"sensitivity": sensitivity_settings, "solvers": solvers_settings}
    return makers[name](config, model)
