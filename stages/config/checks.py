"""Checks of a configuration before anything runs: every message names the key, what was wanted and what was found."""

import math
from pathlib import Path

from stages.attack import catalogue
from stages.catalogues import ACTIVATIONS, ATTACKS, METHODS
from stages.config import configuration, given_networks, schema
from stages.config.reading_checks import listed_problems, row_problems
from stages.names.model_name import split_model, trainers_of
from stages.plan import experiment
from stages.runtime.errors import UserError


def check(config, root, file="config.yaml"):
    """Raise a UserError that lists everything wrong with a configuration based on `file`.

    root: the project's folder.
    """
    problems = row_problems(config) or schema.problems(config, root) or given_networks.problems(config)
    problems = problems or reference_problems(config) or size_problems(config)
    if problems:
        if Path(file).resolve() != (root / "config.yaml").resolve() and any(": missing" in line for line in problems):
            problems = [configuration.must_be_whole(file), *problems]
        listed = "\n".join(f"  {problem}" for problem in problems)
        raise UserError(f"the configuration does not fit ({file}, the preset and the command line):\n{listed}")


def reference_problems(config):
    """Return a line for each name that refers to nothing."""
    trainers, losses = config["trainers"], config["losses"]
    grid = config["models"]["table2"]
    lists = [
        ("models.table2.trainers", grid["trainers"], trainers, "trainers"),
        ("models.table2.losses", grid["losses"], losses, "losses"),
        ("models.table2.activations", grid["activations"], ACTIVATIONS, "stages/model/activations"),
        ("attack.trainers", config["attack"]["trainers"], trainers, "trainers"),
    ]
    problems = [
        f"{place}: wanted names from {where} ({', '.join(known)}), found {name!r}"
        for place, names, known, where in lists
        for name in names
        if name not in known
    ]
    for place in ("table1", "own", "beside", "readings"):
        for model in config["models"].get(place, []):
            problems += _model_problems(config, f"models.{place}", model)
    problems = problems or listed_problems(config) or _twin_problems(config) or _playground_problems(config)
    for name, trainer in trainers.items():
        problems += _method_problems(config, name, trainer)
        if "robust" in trainer and trainer["solver"] != "euler":
            problems.append(f"trainers.{name}.robust: wanted solver: euler, found {trainer['solver']}")
    for name, attack in config["attack"]["attacks"].items():
        if attack["method"] not in ATTACKS:
            problems.append(f"attack.attacks.{name}.method: wanted {ATTACKS.known}; found {attack['method']!r}")
        elif not problems and catalogue.has_surrogate(attack["method"]) and not experiment.robust_pairs(config):
            problems.append(
                f"attack.attacks.{name}: wanted two attacked models whose trainers differ in `robust` alone, found none"
            )
    return problems


def _playground_problems(config):
    known = experiment.all_models(config)
    return [
        f"figures.playground: wanted models of this experiment ({', '.join(known)}), found {model!r}"
        for model in config["figures"].get("playground", [])
        if model not in known
    ]


def _method_problems(config, name, trainer):
    """Return a line for each setting that a trainer's method or solver does not support, or lacks."""
    problems, known = [], METHODS.find(trainer["method"]).gradients
    if trainer["gradient"] not in known:
        problems.append(
            f"trainers.{name}.gradient: wanted {' or '.join(known)} with method: {trainer['method']}, "
            f"found {trainer['gradient']}"
        )
    for kind in ("method", "solver"):
        entry = schema.with_settings().get(trainer[kind])
        if entry and entry.settings and trainer[kind] not in config:
            wanted = ", ".join(entry.settings)
            problems.append(f"{trainer[kind]}: missing; trainers.{name} ({kind}: {trainer[kind]}) wants {wanted}")
    used = trainer["method"], trainer["solver"]
    others = [key for key in schema.with_settings() if key in trainer and key not in used]
    return problems + [f"trainers.{name}.{key}: not its method nor its solver; take it out" for key in others]


def _twin_problems(config):
    """Return a line for each model beside the others that is compared with none of them."""
    paired = {model for pair in experiment.score_pairs(config) for model in pair}
    return [
        f"models.beside: wanted the twin of an attacked model, which differs in its class scores alone, found {model!r}"
        for model in experiment.beside(config)
        if model not in paired
    ]


def _model_problems(config, place, model):
    """Check a name <trainer>_<loss>_<activation>."""
    parts = model.split("_")
    if len(parts) != 3:
        return [f"{place}: wanted <trainer>_<loss>_<activation>, found {model!r}"]
    known = (("trainers", config["trainers"]), ("losses", config["losses"]), ("activations", ACTIVATIONS))
    return [
        f"{place}: {model}: wanted one of the {kind} {', '.join(names)}, found {part!r}"
        for part, (kind, names) in zip(parts, known, strict=True)
        if part not in names
    ]


def size_problems(config):
    """Return a line for each pair of incompatible sizes."""
    data, network = config["data"], config["network"]
    problems = _layer_problems(config)
    if data["train"] and config["training"]["batch"] > data["train"]:
        found = config["training"]["batch"]
        problems.append(f"training.batch: wanted at most data.train = {data['train']} images, found {found}")
    problems += _origin_problems(config)
    problems += _image_problems(config)
    for name, trainer in config["trainers"].items():
        side = trainer.get("side", data["side"])
        robust = trainer.get("robust", {"radius": 0.0, "share": 1.0})
        if robust["radius"] > side:
            problems.append(
                f"trainers.{name}.robust.radius: wanted at most the images' side = {side}, beyond which no valid "
                f"image lies, found {robust['radius']}"
            )
        if round(robust["share"] * config["training"]["batch"]) < 1:
            problems.append(
                f"trainers.{name}.robust.share: wanted at least one image of a batch, found {robust['share']}"
            )
    problems += _radii_problems("attack.radii", config["attack"]["radii"])
    norm, last = config["claims"]["attack_norm"], config["attack"]["radii"]["last"]
    if norm > last:
        problems.append(f"claims.attack_norm: wanted at most attack.radii.last = {last}, found {norm}")
    for block, key in (("noise", "std"), ("uncertainty", "weight_std")):
        if (levels := config[block][key]) != sorted(levels):
            problems.append(f"{block}.{key}: wanted ascending numbers, found {', '.join(map(str, levels))}")
    if not problems:
        problems += _hold_problems(config)
    for name, attack in config["attack"]["attacks"].items():
        problems += _radii_problems(f"attack.attacks.{name}.radii", attack["radii"]) if "radii" in attack else []
        target = attack.get("target")
        if isinstance(target, int) and target >= network["classes"]:
            problems.append(f"attack.attacks.{name}.target: wanted a class below {network['classes']}, found {target}")
    if data["origin"] == "files":
        problems += [f"data.files.{key}: wanted a file's path" for key, path in data["files"].items() if not path]
    if not experiment.attacked_models(config):
        trainers = sorted(trainers_of(experiment.table2_models(config)))
        found = ", ".join(config["attack"]["trainers"]) or "none"
        problems.append(f"attack.trainers: wanted at least one of Table 2's ({', '.join(trainers)}), found {found}")
    return problems


def _origin_problems(config):
    """Return a line for each size that MNIST or the shipped digits cannot provide; the stages check other files."""
    data, known = config["data"], experiment.KNOWN_IMAGES.get(config["data"]["origin"])
    if known is None:
        return []
    wanted = {f"data.{key}": (data[key], known[key]) for key in ("train", "test", "side")}
    for model in experiment.all_models(config):
        if "side" in experiment.trainer_of(config, model):
            side = experiment.side_of(config, model)
            block = "models.given" if model in experiment.given(config) else "trainers"
            wanted[f"{block}.{split_model(model)[0]}.side"] = (side, known["side"])
    return [
        f"{key}: wanted at most {most}, as data.origin: {data['origin']} has it, found {number}"
        for key, (number, most) in wanted.items()
        if number > most
    ]


def _image_problems(config):
    """Return a line for each request for more test images than there are; with data.test 0 the stages check this."""
    there = config["data"]["test"] or math.inf
    wanted = {f"figures.{key}": config["figures"][key] for key in ("noisy_image", "one_image")}
    lines = [
        f"{key}: wanted the number of a test image, below data.test = {there}, found {number}"
        for key, number in wanted.items()
        if number >= there
    ]
    if config["attack"]["images"] > there:
        lines.append(f"attack.images: wanted at most data.test = {there}, found {config['attack']['images']}")
    return lines


def _layer_problems(config):
    """Return a line for each trainer whose layers do not fit its images; trainers without models are skipped."""
    found = {}
    for model in experiment.all_models(config):
        try:
            experiment.affine_map_of(config, model)
        except UserError as problem:
            own = {"network", "side"} & set(experiment.trainer_of(config, model))
            place = f"trainers.{split_model(model)[0]}: " if own else ""
            found[place] = f"{place}{str(problem).removeprefix('config: ')}"
    return list(found.values())


def _hold_problems(config):
    """Return a line for each attack that fixes pixels that are class scores, if no attacked network has such pixels."""
    models = experiment.attacked_models(config)
    if not models or any(experiment.scores_are_pixels(config, model) for model in models):
        return []
    return [
        f"attack.attacks.{name}.hold: nothing to hold: no attacked network has pixels that are class scores "
        "(network.scores: own, or convolutions); take the attack out"
        for name, attack in config["attack"]["attacks"].items()
        if "hold" in attack
    ]


def _radii_problems(place, radii):
    if radii["last"] < radii["first"]:
        return [f"{place}.last: wanted at least {place}.first = {radii['first']}, found {radii['last']}"]
    if (radii["last"] - radii["first"]) / radii["step"] > 10000:
        return [f"{place}.step: wanted at most 10,000 radii, found a step of {radii['step']}"]
    return []
