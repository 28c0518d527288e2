"""What each rule sees: of the configuration all that can change its result, and nothing else.

That is what makes partial reruns exact: a changed RMSprop rate retrains the SGD models and nothing else.
"""

from stages.attack import methods
from stages.model_name import split_model
from stages.plan import experiment

# What a trainer may say otherwise than the whole experiment: it stands where the experiment has it.
OVERRIDES = ("network", "side", "iterations")


def data_settings(config):
    data = config["data"]
    keys = ["origin", *{"mnist": ["folder"], "files": ["files"]}.get(data["origin"], [])]
    return {key: data[key] for key in keys}


def downsample_settings(config, side=None):
    """Settings of the digits of data.side, or of another one."""
    settings = {key: config["data"][key] for key in ("train", "test", "side", "resampling")}
    settings |= {"classes": config["network"]["classes"]}  # labels beyond them are refused
    return settings if side is None else settings | {"side": side}


def train_settings(config, model, part=""):
    """Everything that the weights of a model follow from, the run's number aside."""
    _, loss, activation = split_model(model)
    trainer = experiment.trainer_of(config, model)
    settings = {
        "seed": config["seed"],
        "network": experiment.network_of(config, model),
        "batch": config["training"]["batch"],
        "batches": config["training"]["batches"],
        "iterations": experiment.iterations_of(config, model),
        "activation": activation,
        "loss": config["losses"][loss],
        "trainer": {key: value for key, value in trainer.items() if key not in OVERRIDES},
    }
    if settings["trainer"]["method"] == "rmsprop":
        settings["rmsprop"] = config["rmsprop"]
    if settings["trainer"]["solver"] == "ode45":
        settings["ode45"] = config["ode45"]
    return settings


def evaluation_settings(*blocks):
    """Return a function that gives a stage these blocks of the configuration, and what the network was trained with."""

    def settings(config, model, part=""):
        return {block: config[block] for block in blocks} | {"trained": train_settings(config, model)}

    return settings


def uncertainty_settings(config, model, part=""):
    """Of the noise stage its list alone: the noise is never clipped, and has draws of its own."""
    settings = evaluation_settings("seed", "uncertainty")(config, model)
    return settings | {"noise": {"std": config["noise"]["std"]}}


def attack_settings(config, model, attack):
    """Lengths in the configuration are those for data.side: of other images they have the same norm per pixel."""
    line = dict(config["attack"]["attacks"][attack])
    radii = line.pop("radii", config["attack"]["radii"])  # an attack may have radii of its own
    scale = experiment.side_of(config, model) / config["data"]["side"]
    if scale != 1:
        line |= {name: scale * line[name] for name in methods.lengths(line["method"])}
        radii = {name: scale * value for name, value in radii.items()}
    settings = {"attack": line, "images": config["attack"]["images"], "trained": train_settings(config, model)}
    if methods.is_confined(line["method"]):
        settings["radii"] = radii
    if partners := surrogates(config, attack):
        settings["surrogate"] = {"model": partners[model], "trained": train_settings(config, partners[model])}
    return settings


def surrogates(config, attack):
    """Return {model: its twin} where an attack looks for its images on another network; None where it does not."""
    return experiment.twins(config) if methods.has_surrogate(config["attack"]["attacks"][attack]["method"]) else None
