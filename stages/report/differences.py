"""How a run differs from the paper: each setting beside what the paper states, and what was not run."""

from typing import NamedTuple

import yaml

from stages.names.model_name import model_name
from stages.plan import experiment
from stages.plan.reading_choices import flatten
from stages.storage.csv_files import read_csv


class Setting(NamedTuple):
    """A setting of this run beside the paper's, in words."""

    key: str
    meaning: str
    ours: str
    paper: str
    note: str


def compare(config, reference):
    """Return (different, unstated, same): a Setting for each that the paper could state."""
    ours = flatten(config)
    different, unstated, same = [], [], []
    for row in read_csv(reference):
        if row["key"] not in ours:  # a user's configuration may lack a trainer or an attack
            continue
        value = ours[row["key"]]
        if row["paper"] == "":
            unstated.append(Setting(row["key"], row["meaning"], shown(value), "not stated", row["note"]))
            continue
        paper = yaml.safe_load(row["paper"])
        # A count of 0 means all images.
        everything = row["key"] in ("data.train", "data.test") and value == 0 and ours["data.origin"] == "mnist"
        rows = same if value == paper or everything else different
        rows.append(Setting(row["key"], row["meaning"], shown(value), shown(paper), row["note"]))
    return different, unstated, same


def unlike(settings, usual):
    """Return the settings that differ from the usual configuration, which replaces the paper where it is silent."""
    usual = {key: shown(value) for key, value in flatten(usual).items()}
    return [setting._replace(paper=usual[setting.key]) for setting in settings if setting.ours != usual[setting.key]]


def not_run(config, reference):
    """Return what the paper has and this experiment lacks: models of Table 2, solvers of Table 1, attacks."""
    ours, rows = experiment.table2_models(config), read_csv(reference / "table2_accuracy.csv")
    printed = [model_name(row["trainer"], row["loss"], row["activation"]) for row in rows]
    missing = [model for model in printed if model not in ours]
    solvers = {experiment.trainer_of(config, model)["solver"] for model in experiment.table1_models(config)}
    trained_with = dict.fromkeys(row["train_solver"] for row in read_csv(reference / "table1_solvers.csv"))
    missing += [f"Table 1, trained with {solver}" for solver in trained_with if solver not in solvers]
    keys = [row["key"].split(".") for row in read_csv(reference / "settings.csv")]
    attacks = dict.fromkeys(".".join(key[2:-1]) for key in keys if key[:2] == ["attack", "attacks"])
    return missing + [f"attack {name}" for name in attacks if name not in config["attack"]["attacks"]]


def shown(value):
    """Return a setting as readable text."""
    if isinstance(value, bool) or value is None:
        return {True: "yes", False: "no", None: "none"}[value]
    if isinstance(value, int):
        return f"{value:,}"
    if isinstance(value, float):
        return f"{value:g}"
    return ", ".join(map(shown, value)) if isinstance(value, list) else str(value)
