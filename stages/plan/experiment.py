"""The experiment that a configuration describes: its models, their networks and images, and its runs."""

from itertools import product

import numpy as np

from stages.model.build import affine_map
from stages.model.readout import FIRST_COMPONENTS
from stages.names.model_name import model_name, split_model

# Default settings of a network, left out of stores: older stores, made before there was a choice, do not have them.
USUAL = {"layer": "dense", "scores": "pixels", "ink": 1}
# Known before anything is fetched, by data.origin: the number of images in each set and the pixels per side.
KNOWN_IMAGES = {
    "mnist": {"train": 60000, "test": 10000, "side": 28},
    "sample": {"train": 10000, "test": 2000, "side": 28},
}
# The trainer of a network that was trained elsewhere: a residual network makes Euler steps.
GIVEN = {"method": "given", "solver": "euler", "weight_decay": 0.0, "epochs": 0}


def table2_models(config):
    """Models of Table 2, the user's own, and networks that were trained elsewhere."""
    grid = config["models"]["table2"]
    combinations = product(grid["trainers"], grid["losses"], grid["activations"])
    models = [model_name(*combination) for combination in combinations] + config["models"]["own"]
    return list(dict.fromkeys([*models, *given(config)]))


def given(config):
    """Return {model: its entry} of the networks that were trained elsewhere: `mine` is the model mine_ce_relu."""
    entries = config["models"].get("given", {})  # older configurations lack it
    return {model_name(name, entry["loss"], entry["activation"]): entry for name, entry in entries.items()}


def table1_models(config):
    return config["models"]["table1"]


def readings(config):
    """Models that try other readings of the paper (stages/plan/readings.py); an experiment of old has none."""
    return config["models"].get("readings", [])


def beside(config):
    """Twins of attacked models with other class scores, shown only beside them; an experiment of old has none."""
    return config["models"].get("beside", [])


def all_models(config):
    return list(dict.fromkeys(table2_models(config) + table1_models(config) + beside(config) + readings(config)))


def evaluated_models(config):
    """Models of Table 2, the user's own, twins beside them, and readings."""
    return list(dict.fromkeys(table2_models(config) + beside(config) + readings(config)))


def attacked_models(config):
    """Those of Table 2 and the user's own that are attacked, and all that were trained elsewhere."""
    trainers = (*config["attack"]["trainers"], *config["models"].get("given", {}))
    return [model for model in table2_models(config) if split_model(model)[0] in trainers]


def attacked_with_readings(config):
    return list(dict.fromkeys(attacked_models(config) + beside(config) + readings(config)))


def robust_pairs(config):
    """Return [plain, robust] for any two attacked models whose trainers differ only in robust training."""
    models = attacked_models(config)
    return _pairs(models, lambda model: "robust" in trainer_of(config, model), _trainers_without(config, "robust"))


def score_pairs(config):
    """Return [pixels, own] for any two attacked models that differ only in their class scores."""

    def rest(model):
        return trainer_of(config, model) | {"network": network_of(config, model) | {"scores": None}, "runs": None}

    models = dict.fromkeys(attacked_models(config) + beside(config))
    return _pairs(models, lambda model: network_of(config, model).get("scores") == "own", rest)


def convolutional_pairs(config):
    """Return [dense, convolutional] for any two attacked models that differ only in network, images and length.

    What the class scores of a dense network are is the experiment's choice, not its trainer's.
    """
    rest = _trainers_without(config, "network", "side", "epochs", "iterations")
    models = [each for each in attacked_models(config) if "scores" not in trainer_of(config, each).get("network", {})]
    return _pairs(models, lambda model: "layer" in network_of(config, model), rest)


def _trainers_without(config, *keys):
    """Return a function that gives the settings of a model's trainer without these."""
    left_out = {"runs", *keys}  # how often a network is trained does not set it apart
    return lambda model: {key: value for key, value in trainer_of(config, model).items() if key not in left_out}


def _pairs(models, is_second, rest):
    """Return [first, second] for any two models of one loss and activation with the same rest(model)."""
    second = [model for model in models if is_second(model)]
    first = [model for model in models if model not in second]
    return [
        [one, other]
        for one, other in product(first, second)
        if split_model(one)[1:] == split_model(other)[1:] and rest(one) == rest(other)
    ]


def twins(config):
    """Return {model: its twin} for both models of every pair of a plain and a robust one."""
    return {one: other for pair in robust_pairs(config) for one, other in (pair, pair[::-1])}


def trainer_of(config, model):
    return trainer_named(config, split_model(model)[0])


def trainer_named(config, name):
    """Return the settings of a trainer; for a network that was trained elsewhere, substitutes for them."""
    if name in config["trainers"]:
        return config["trainers"][name]
    entry = config["models"]["given"][name]
    return GIVEN | {key: entry[key] for key in ("side",) if key in entry}


def network_of(config, model):
    """Return the settings of a model's network: the common ones, overridden by its trainer's."""
    if entry := given(config).get(model):
        shared = {key: config["network"][key] for key in ("classes", "precision")}
        own = {key: entry[key] for key in ("scores", "ink") if entry.get(key, USUAL[key]) != USUAL[key]}
        return {"interval": entry["interval"], "depth": entry["depth"], "components": "classes"} | own | shared
    network = config["network"] | trainer_of(config, model).get("network", {})
    return {key: value for key, value in network.items() if USUAL.get(key) != value}


def side_of(config, model):
    """Return the pixels per side of a model's images."""
    return trainer_of(config, model).get("side", config["data"]["side"])


def affine_map_of(config, model):
    """Return the affine map of a model's layers; raise a UserError if they do not fit its images."""
    network = network_of(config, model)
    layer = network.get("layer", "dense")
    inputs = 1 if isinstance(layer, str) else layer.get("inputs", 1)  # the data stage checks that images have as many
    return affine_map(network, inputs * side_of(config, model) ** 2)


def scores_are_pixels(config, model):
    """Tell whether pixels of a model's images are its class scores at t = 0."""
    affine = affine_map_of(config, model)
    return not affine.own_scores and affine.read_out(network_of(config, model), config["seed"], np) is FIRST_COMPONENTS


def weights_of(config, model):
    """Return the number of weights and biases of a model's network."""
    rows, columns = affine_map_of(config, model).shape
    return network_of(config, model)["depth"] * rows * (columns + 1)


def training_of(config, model, key):
    """Return a setting of the block `training` for a model: its trainer may have its own."""
    return trainer_of(config, model).get(key, config["training"][key])


def digits_of(config, model):
    """Return the name of the store with a model's images: data/digits, or data/digits-28 for another side."""
    return digits_store(config, side_of(config, model))


def digits_store(config, side):
    return "data/digits" if side == config["data"]["side"] else f"data/digits-{side}"


def images(config):
    """Return the numbers of training and test images; where it takes all of a user's own, as many as MNIST has."""
    known = KNOWN_IMAGES.get(config["data"]["origin"], KNOWN_IMAGES["mnist"])
    return {name: config["data"][name] or known[name] for name in ("train", "test")}


def runs(config):
    return list(range(config["training"]["runs"]))


def runs_of(config, model):
    """Return the runs of a model: its trainer may ask for fewer.

    A twin, a reading, or a network that was trained elsewhere, always has one.
    """
    extra = model in beside(config) + readings(config) and model not in table2_models(config)
    if extra or model in given(config):
        return [0]
    return runs(config)[: config["trainers"].get(split_model(model)[0], {}).get("runs")]


def most_runs(config, models):
    """Return the runs of the model among these that has the most; without any model, the usual ones."""
    return max((runs_of(config, model) for model in models), key=len, default=runs(config))
