"""The settings of each rule: exactly the part of the configuration that can change its result.

This makes partial reruns exact: a changed RMSprop rate retrains the SGD models and nothing else.
"""

import os

from stages.attack import catalogue
from stages.names.model_name import split_model
from stages.plan import experiment

# Settings of the whole experiment that a trainer may override, in the same place. It may also override a block with the
# name of its method or solver.
OVERRIDES = ("network", "side", "iterations", "batches")
READS = "reads"  # the row of the paper that a line is another reading of: it changes no result
RUNS = "runs"  # how often a trainer's models are trained: it changes no single result


def data_settings(config):
    """The source of the images; relative paths are relative to data.folder if it is given."""
    data = config["data"]
    files = {role: os.path.join(data["folder"], path) if path else path for role, path in data["files"].items()}
    own = {"mnist": {"folder": data["folder"]}, "files": {"files": files}}
    return {"origin": data["origin"]} | own.get(data["origin"], {})


def downsample_settings(config, side):
    settings = {key: config["data"][key] for key in ("train", "test", "resampling")}
    return settings | {"side": side, "classes": config["network"]["classes"]}  # larger labels are refused


def train_settings(config, model, part=""):
    """Everything that determines the weights of a model, except the run's number."""
    _, loss, activation = split_model(model)
    trainer = experiment.trainer_of(config, model)
    if entry := experiment.given(config).get(model):
        return {
            "file": {"sha256": entry["sha256"]},
            "network": experiment.network_of(config, model),
            "activation": activation,
            "loss": config["losses"][loss],
            "trainer": {key: value for key, value in trainer.items() if key not in (RUNS, *OVERRIDES)},
        }
    blocks = {name: config.get(name, {}) | trainer.get(name, {}) for name in (trainer["method"], trainer["solver"])}
    elsewhere = (READS, RUNS, *OVERRIDES, *blocks)
    settings = {
        "seed": config["seed"],
        "network": experiment.network_of(config, model),
        "batch": config["training"]["batch"],
        "batches": experiment.training_of(config, model, "batches"),
        "iterations": experiment.training_of(config, model, "iterations"),
        "activation": activation,
        "loss": without_reads(config["losses"][loss]),
        "trainer": {key: value for key, value in trainer.items() if key not in elsewhere},
    }
    return settings | {name: block for name, block in blocks.items() if block}


def without_reads(line):
    """Return a trainer, loss or attack as passed to programs."""
    return {key: value for key, value in line.items() if key != READS}


def evaluation_settings(*blocks):
    """Return a function that gives a stage these blocks of the configuration and the settings of the training."""

    def settings(config, model, part=""):
        return {block: config[block] for block in blocks} | {"trained": train_settings(config, model)}

    return settings


def solvers_settings(config, model, part=""):
    """The solvers that a network is tested with, and the settings of those that have any."""
    blocks = [name for name in config["solvers"]["inference"] if config.get(name)]
    return evaluation_settings("solvers", *blocks)(config, model)


def uncertainty_settings(config, model, part=""):
    """Only the list of strengths is taken from the noise stage: here noise is not clipped and has its own draws."""
    settings = evaluation_settings("seed", "uncertainty")(config, model)
    return settings | {"noise": {"std": config["noise"]["std"]}}


def attack_settings(config, model, attack):
    """Norms in the configuration are for data.side; for other images they are scaled to the same norm per pixel."""
    settings = attack_line(config, attack, experiment.side_of(config, model) / config["data"]["side"])
    settings |= {"images": config["attack"]["images"], "trained": train_settings(config, model)}
    if partners := surrogates(config, attack):
        settings["surrogate"] = {"model": partners[model], "trained": train_settings(config, partners[model])}
    return settings


def attack_line(config, attack, scale):
    """Return {attack: its line, radii: of the balls, if it is confined to any}, scaled as in `scaled_attack`."""
    line = without_reads(config["attack"]["attacks"][attack])
    radii = line.pop("radii", config["attack"]["radii"])  # an attack may have its own radii
    line, radii = scaled_attack(line, radii, scale)
    return {"attack": line} | ({"radii": radii} if catalogue.is_confined(line["method"]) else {})


def attack_suits(config, model, attack):
    """Tell whether an attack is run on a model: one that fixes pixels that are class scores needs such pixels."""
    return "hold" not in config["attack"]["attacks"][attack] or experiment.scores_are_pixels(config, model)


def scaled_attack(line, radii, scale):
    """Return an attack's line and radii for images whose side is `scale` times that of data.side."""
    if scale == 1:
        return line, radii
    norms = {name: scale * line[name] for name in catalogue.norm_settings(line["method"])}
    return line | norms, {name: scale * value for name, value in radii.items()}


def surrogates(config, attack):
    """Return {model: its twin} if an attack computes its images on another network, else None."""
    return experiment.twins(config) if catalogue.has_surrogate(config["attack"]["attacks"][attack]["method"]) else None
