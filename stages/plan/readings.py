"""Readings: choices that the paper leaves open, each tried as a separate trainer, loss or attack.

A line of config.yaml with `reads: <row>` is another reading of a row of the paper: a trainer with `reads: sgd` is SGD
with another rate, for example. A model of such a trainer or loss is compared with the paper's numbers for the model
that it reads; claims do not count it. `models.readings` lists the models to try. It may include models of Table 2, to
be attacked by readings of an attack.
"""

from stages.names.model_name import model_name, split_model
from stages.plan import experiment

COMPARED = ("sensitivity", "pgd-0.06")  # attacks whose success is shown beside the paper's numbers


def row_of(config, model):
    """Return the model of the paper that a model is a reading of, or itself if it is none."""
    trainer, loss, activation = split_model(model)
    own = experiment.trainer_named(config, trainer)
    parts = own.get("reads", trainer), config["losses"][loss].get("reads", loss)
    return model_name(*parts, activation)


def is_reading(config, model):
    return row_of(config, model) != model


def reads_an_attack(config, attack):
    """Tell whether an attack, given by name, is a reading; "" is none."""
    return bool(attack) and "reads" in config["attack"]["attacks"][attack]


def carlini_wagner(config):
    """Every variant of the Carlini-Wagner attack, including readings: {name: outputs that it uses}."""
    lines = config["attack"]["attacks"].items()
    return {name: line["outputs"] for name, line in lines if line["method"] == "cw"}


def shown_attacks(config):
    """The attacks that readings are compared by: Carlini-Wagner's variants, two others, every reading of an attack."""
    shown = {*carlini_wagner(config), *COMPARED}
    return [name for name in config["attack"]["attacks"] if name in shown or reads_an_attack(config, name)]


def is_attacked_by(config, model, attack):
    """Tell whether an attack is run on an attacked model.

    A reading is attacked only as its table shows. Readings of attacks are run only on the listed models.
    """
    if is_reading(config, model):
        return attack in shown_attacks(config)
    return model in experiment.readings(config) or not reads_an_attack(config, attack)


def judged(config):
    """Return the configuration without readings and given networks, which no claim of the paper is about."""

    def rows(lines):
        return {name: line for name, line in lines.items() if "reads" not in line}

    kept = config | {"trainers": rows(config["trainers"]), "losses": rows(config["losses"])}
    kept["attack"] = config["attack"] | {"attacks": rows(config["attack"]["attacks"])}
    kept["models"] = {name: models for name, models in config["models"].items() if name not in ("readings", "given")}
    return kept


def shown_models(config):
    """Return the listed models, each after the row of the paper that it reads, if the experiment has that row."""
    known = experiment.attacked_with_readings(config)
    pairs = [(row_of(config, model), model) for model in experiment.readings(config)]
    return list(dict.fromkeys(each for pair in pairs for each in pair if each in known))
