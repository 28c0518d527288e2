"""Which models and attacks a figure or table shows, and what else it depends on: functions for its record."""

from stages.attack import catalogue
from stages.names.model_name import split_model
from stages.plan import experiment, readings
from stages.plan.stage_settings import attack_suits

# --- which models and attacks a figure shows --------------------------------------------------------------------------


def with_loss(loss):
    """Return a function that gives the models of Table 2 with this loss."""
    return lambda config: [model for model in experiment.table2_models(config) if split_model(model)[1] == loss]


def attacked_with(trainer=None, loss=None, activation=None):
    """Return a function that gives the attacked models with these parts."""

    wanted = (trainer, loss, activation)

    def fits(model):
        return all(part in (None, own) for part, own in zip(wanted, split_model(model), strict=True))

    return lambda config: [model for model in experiment.attacked_models(config) if fits(model)]


def attacked_at_one_side(config):
    """The attacked models whose images have the side to which the configured norms refer."""
    side = config["data"]["side"]
    return [model for model in experiment.attacked_models(config) if experiment.side_of(config, model) == side]


def _models_of(pairs):
    """The models of these pairs, each once: a plain one may have several twins."""
    return list(dict.fromkeys(model for pair in pairs for model in pair))


def robust_pairs(config):
    """The models of every pair of twins, plain before robust."""
    return _models_of(experiment.robust_pairs(config))


def first_pairs(config):
    """The robust pairs of the first combination of loss and activation."""
    models = robust_pairs(config)
    return [model for model in models if split_model(model)[1:] == split_model(models[0])[1:]]


def convolutional_pairs(config):
    """The models of every pair of a dense and a convolutional network, the dense one first."""
    return _models_of(experiment.convolutional_pairs(config))


def score_pairs(config):
    """The models of every pair of twins with class scores as pixels and as additional components."""
    return _models_of(experiment.score_pairs(config))


def tanh_l2_without_decay(config):
    return [
        model
        for model in experiment.table2_models(config)
        if split_model(model)[1:] == ("l2", "tanh") and not experiment.trainer_of(config, model)["weight_decay"]
    ]


def attacks_named(*names):
    """Return a function that gives those of these attacks that the experiment has."""
    return lambda config: [name for name in names if name in config["attack"]["attacks"]]


def usual_attacks(config):
    """Every attack that is run on all attacked networks: {name: its line}, without readings."""
    lines = config["attack"]["attacks"].items()
    return {name: line for name, line in lines if not readings.reads_an_attack(config, name)}


def direct_attacks(config):
    """Every attack that needs no second network and suits all attacked ones, including a user's own."""
    models = experiment.attacked_models(config)
    return [
        name
        for name, line in usual_attacks(config).items()
        if not catalogue.has_surrogate(line["method"]) and all(attack_suits(config, model, name) for model in models)
    ]


def on_all_images(config, names):
    """Those of these attacks that use images of every class: an attack towards a class skips images of that class."""
    return [name for name in names if not isinstance(config["attack"]["attacks"][name].get("target"), int)]


def confined_attacks(config):
    """The direct attacks that are confined to the common balls."""
    lines = config["attack"]["attacks"]
    confined = [name for name in direct_attacks(config) if catalogue.is_confined(lines[name]["method"])]
    return [name for name in confined if "radii" not in lines[name]]


def carlini_wagner(config):
    """Every variant of the Carlini-Wagner attack that all attacked networks have."""
    return [name for name, line in usual_attacks(config).items() if line["method"] == "cw"]


# --- what else a picture depends on -----------------------------------------------------------------------------------


def radii(config):
    return {"radii": config["attack"]["radii"]}


def perturbation(config):
    return {"std": config["sensitivity"]["std"]}


def tolerances(config):
    return {"ode45": config["ode45"]}


def noisy_images(config):
    figures = config["figures"]
    return {"seed": config["seed"], "image": figures["noisy_image"], "std": figures["noisy_std"]}


def convolutional_twins(config):
    """The pairs, the sides of their images, their numbers of weights, and the side to which norms refer."""
    sides = {model: experiment.side_of(config, model) for model in convolutional_pairs(config)}
    weights = {model: experiment.weights_of(config, model) for model in sides}
    pairs = experiment.convolutional_pairs(config)
    return {"pairs": pairs, "sides": sides, "weights": weights, "side": config["data"]["side"]}


def norms_per_pixel(config):
    """The norm at which claims compare attacks, and for each attacked model the same norm per pixel."""
    norm, side = config["claims"]["attack_norm"], config["data"]["side"]
    models = experiment.attacked_models(config)
    return {"norm": norm, "norms": {model: norm * experiment.side_of(config, model) / side for model in models}}


def attacked_outputs(config):
    """The outputs that each variant of the Carlini-Wagner attack uses."""
    return {"outputs": [config["attack"]["attacks"][name]["outputs"] for name in carlini_wagner(config)]}
