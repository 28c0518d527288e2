"""What each figure and table shows: its place in the paper, its models, and the settings that its rule sees.

As in `stages.experiment`, a rule sees only what can change its picture: a changed `figures.examples` redraws two files.
"""

from stages import experiment

# The attacks that a figure shows, by their names in the configuration, in the order of its legend.
COMPARED = ["sensitivity", "sensitivity-targeted", "pgd-0.06", "pgd-0.6", "fgsm"]
EXAMPLES = ["pgd-0.06", "fgsm", "cw", "sensitivity"]
SHOWN_ATTACKS = {
    "fig_attack_success": ["sensitivity", "pgd-0.06"],
    "fig_attack_comparison": COMPARED,
    "fig_one_image": ["sensitivity-targeted", "sensitivity", "pgd-0.06"],
    "fig_attack_examples_sgd": EXAMPLES,
    "fig_attack_examples_sobolev": EXAMPLES,
    "table3_cw": [],  # every attack by Carlini and Wagner's method
}


# --- which models and attacks a figure shows --------------------------------------------------------------------------


def models_of(config, name):
    """Return the models of a figure or table: those that the paper shows, as far as this experiment has them."""
    table2, attacked = experiment.table2_models(config), experiment.attacked_models(config)
    if name in ("fig_solver_accuracy", "table1_solvers"):
        return config["models"]["table1"]
    if name.startswith("fig_sensitivity"):
        return [model for model in table2 if experiment.split_model(model)[1] == name.rpartition("_")[2]]
    if name == "fig_weight_norm":
        return [model for model in _plain(config, table2) if experiment.split_model(model)[1:] == ("l2", "tanh")]
    if name == "fig_one_image":
        return [model for model in attacked if experiment.split_model(model)[1:] == ("ce", "tanh")]
    if name.startswith("fig_attack_examples"):
        trainer = {"sgd": "sgd", "sobolev": "ncg-sobolev"}[name.rpartition("_")[2]]
        return [model for model in attacked if model == experiment.model_name(trainer, "l2", "relu")]
    if name.startswith("fig_attack") or name == "table3_cw":
        return attacked
    return [] if name == "fig_noisy_images" else table2


def attacks_of(config, name):
    """Return the attacks of a figure or table, as far as this experiment has them."""
    attacks = config["attack"]["attacks"]
    if name == "table3_cw":
        return [attack for attack in attacks if attacks[attack]["method"] == "cw"]
    return [attack for attack in SHOWN_ATTACKS.get(name, []) if attack in attacks]


def runs_of(config, name):
    """Return the runs of a figure: pictures of single images show the first run alone."""
    return [0] if name == "fig_one_image" or name.startswith("fig_attack_examples") else experiment.runs(config)


def available(config, names):
    """Return those of `names` that this experiment has anything for."""
    return [
        name
        for name in names
        if name == "fig_noisy_images"
        or (models_of(config, name) and (attacks_of(config, name) or name not in SHOWN_ATTACKS))
    ]


def _plain(config, models):
    return [model for model in models if not config["trainers"][experiment.split_model(model)[0]]["weight_decay"]]


# --- what each rule sees ----------------------------------------------------------------------------------------------


def settings_of(config, name):
    """Return the settings of a figure or table."""
    figures = config["figures"]
    models = models_of(config, name)
    settings = {"name": name, "scale": scale(config, models), "models": models, "runs": runs_of(config, name)}
    if models:
        settings["network"] = config["network"]
    if name.startswith("fig"):
        settings["dpi"] = figures["dpi"]
    if attacks_of(config, name):
        settings["attacks"] = attacks_of(config, name)
    if name == "table3_cw":
        settings["outputs"] = [config["attack"]["attacks"][attack]["outputs"] for attack in attacks_of(config, name)]
    if name in ("fig_attack_success", "fig_attack_comparison"):
        settings["radii"] = config["attack"]["radii"]
    if name in ("fig_solver_accuracy", "table1_solvers"):
        settings["ode45"] = config["ode45"]
    if name.startswith("fig_sensitivity"):
        settings["std"] = config["sensitivity"]["std"]
    if name == "fig_noisy_images":
        settings |= {"seed": config["seed"], "image": figures["noisy_image"], "std": figures["noisy_std"]}
        settings["clip"] = config["noise"]["clip"]
    if name == "fig_one_image":
        settings["image"] = figures["one_image"]
    if name.startswith("fig_attack_examples"):
        settings["examples"] = figures["examples"]
    return settings


def claims_settings(config):
    """Return what the verdicts follow from: all that the stores were made with, and the thresholds."""
    used = {key: value for key, value in config.items() if key not in ("preset", "data", "figures", "execution")}
    return {"config": used, "scale": scale(config, models_of(config, "table2_accuracy"))}


def report_settings(config):
    """Return what the report shows: the whole experiment, but not how it was run."""
    return {"config": {key: value for key, value in config.items() if key != "execution"}}


def scale(config, models):
    """Return the sizes that a reader must know to read the picture rightly."""
    epochs = sorted({config["trainers"][experiment.split_model(model)[0]]["epochs"] for model in models})
    return {
        "preset": config["preset"],
        "layers": config["network"]["depth"],
        "digits": config["data"]["train"],
        "epochs": epochs,
        "runs": config["training"]["runs"],
    }
