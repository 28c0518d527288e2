"""What each figure and table shows: its place in the paper, its models, and the settings that its rule sees.

As in `stages.experiment`, a rule sees only what can change its picture: a changed `figures.examples` redraws two files.
"""

from stages import experiment

# file name: (where the paper has it, title, what a reader who cannot see the picture is told)
FIGURES = {
    "fig_solver_accuracy": (
        "Figure 2",
        "Euler against ODE45 training",
        "Two panels of accuracy against epoch, training images and test images, with one curve for NCG training "
        "through Euler steps and one for training through ODE45.",
    ),
    "fig_noise_accuracy": (
        "Figure 3",
        "Accuracy on noisy test images",
        "One panel for each combination of loss and activation: test accuracy falls as the standard deviation of the "
        "noise grows from 0 to 0.2, one curve for each trainer.",
    ),
    "fig_sensitivity_l2": (
        "Figure 4",
        "Perturbation through the depth, ℓ² loss",
        "Four panels of relative perturbation against t: rows SGD and NCG, columns estimated by the sensitivity "
        "problem and measured by running the perturbed image.",
    ),
    "fig_attack_success": (
        "Figure 5",
        "Images that can be attacked",
        "Three panels, SGD, NCG and Sobolev NCG: the share of correctly classified images that an attack changes, "
        "against the norm of the perturbation; solid curves for the sensitivity attack, dashed ones for PGD.",
    ),
    "fig_weight_norm": (
        "Figure 6",
        "Weights over the depth",
        "Three panels, SGD, NCG and Sobolev NCG: the Frobenius norm of the weight matrix W(t) against t, "
        "one curve a run.",
    ),
    "fig_sensitivity_ce": (
        "Figures 7 and 8",
        "Perturbation through the depth, cross-entropy",
        "Four panels of relative perturbation against t: rows SGD and NCG, columns estimated by the sensitivity "
        "problem and measured by running the perturbed image.",
    ),
    "fig_sensitivity_error_ce": (
        "Figure 9",
        "Relative error of the estimate, cross-entropy",
        "Two panels, SGD and NCG: the relative error of the estimated perturbation against t, one curve a model.",
    ),
    "fig_sensitivity_error_l2": (
        "Figure 10",
        "Relative error of the estimate, ℓ² loss",
        "Two panels, SGD and NCG: the relative error of the estimated perturbation against t, one curve a model.",
    ),
    "fig_noisy_images": (
        "Figure 11",
        "One digit at growing noise",
        "One handwritten digit repeated in a row, with Gaussian noise of growing standard deviation.",
    ),
    "fig_attack_comparison": (
        "Figure 12",
        "All attacks compared",
        "Twelve panels, four combinations of activation and loss by three trainers: the share of images that each of "
        "five attacks changes, against the norm of the perturbation.",
    ),
    "fig_one_image": (
        "Figure 13",
        "One digit under nine attacks",
        "A digit and, for three networks under three attacks each, the attacked image above its perturbation.",
    ),
    "fig_attack_examples_sgd": (
        "Figure 14",
        "Attacks on an SGD-trained network",
        "Four rows, PGD, FGSM, Carlini-Wagner and the sensitivity attack: original digits, attacked digits and the "
        "perturbations between them.",
    ),
    "fig_attack_examples_sobolev": (
        "Figure 15",
        "Attacks on a Sobolev-trained network",
        "Four rows, PGD, FGSM, Carlini-Wagner and the sensitivity attack: original digits, attacked digits and the "
        "perturbations between them.",
    ),
}
TABLES = {
    "table1_solvers": ("Table 1", "Solvers in training and inference"),
    "table2_accuracy": ("Table 2", "Accuracy on clean test images"),
    "table3_cw": ("Table 3", "Carlini-Wagner attack"),
}

# The attacks that a figure shows, by their names in the configuration.
SUCCESS_ATTACKS = ["sensitivity", "pgd-0.06"]
COMPARED_ATTACKS = ["sensitivity", "sensitivity-targeted", "pgd-0.06", "pgd-0.6", "fgsm"]
ONE_IMAGE_ATTACKS = ["sensitivity-targeted", "sensitivity", "pgd-0.06"]
EXAMPLE_ATTACKS = ["pgd-0.06", "fgsm", "cw", "sensitivity"]


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
    shown = {
        "fig_attack_success": SUCCESS_ATTACKS,
        "fig_attack_comparison": COMPARED_ATTACKS,
        "fig_one_image": ONE_IMAGE_ATTACKS,
        "fig_attack_examples_sgd": EXAMPLE_ATTACKS,
        "fig_attack_examples_sobolev": EXAMPLE_ATTACKS,
    }.get(name, [])
    return [attack for attack in shown if attack in attacks]


def runs_of(config, name):
    """Return the runs of a figure: pictures of single images show the first run alone."""
    return [0] if name == "fig_one_image" or name.startswith("fig_attack_examples") else experiment.runs(config)


def available(config, names):
    """Return those of `names` that this experiment has anything for."""
    needs_attacks = {name for name in names if attacks_of({**config, "attack": _EVERY_ATTACK}, name)}
    return [
        name
        for name in names
        if name == "fig_noisy_images"
        or (models_of(config, name) and (name not in needs_attacks or attacks_of(config, name)))
    ]


_EVERY_ATTACK = {"attacks": {name: {"method": "cw"} for name in (*COMPARED_ATTACKS, "cw")}}


def _plain(config, models):
    return [model for model in models if not config["trainers"][experiment.split_model(model)[0]]["weight_decay"]]


def caption_name(name):
    """Return the caption's file of a figure: twins share one."""
    shared = ("fig_sensitivity_error", "fig_sensitivity", "fig_attack_examples")
    return next((caption for caption in shared if name.startswith(caption)), name)


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
