"""How a reading differs from its row, in words, and the settings of the table and figure of readings."""

from stages import PROJECT
from stages.names.model_name import model_name
from stages.plan import experiment, readings, stage_table
from stages.plan.stage_settings import train_settings
from stages.storage.csv_files import read_csv

REFERENCE = PROJECT / "workflow" / "reference"
WHOLE = ("schedule",)  # blocks that are one choice
CARLINI_WAGNER = ("susceptible", "mean_norm", "max_norm")

# {setting: its value in words}; others are named as in the configuration
WORDS = {
    "rmsprop.rate": lambda value: f"rate {value:g}",
    "rmsprop.schedule": lambda value: f"rate falls to {value['final']:g} ({value['kind']})",
    "rmsprop.epsilon_in_root": lambda value: f"ε {'inside' if value else 'outside'} the root",
    "ncg.halving": lambda value: "steps halved where the cost rises" if value else "steps never halved",
    "iterations": lambda value: f"{value} step{'s' if value > 1 else ''} per batch",
    "batches": lambda value: f"{value} batches",
    "network.components": lambda value: {"norms": "norms of all components"}.get(value, f"loss on {value} components"),
    "network.ink": lambda value: f"ink {value:+d}".replace("-", "−"),
    "loss.mu3": lambda value: f"µ3 = {value:g}",
    "trainer.weight_decay": lambda value: f"weight decay {value:g}",
}


def choices(config, model):
    """Return in words, one per setting, how the training of a model differs from the row that it reads."""
    row = flatten(train_settings(config, readings.row_of(config, model)), whole=WHOLE)
    own = flatten(train_settings(config, model), whole=WHOLE)
    changed = [key for key in {**row, **own} if own.get(key) != row.get(key)]
    return [WORDS[key](own[key]) if key in WORDS and key in own else f"{key}: {own.get(key)}" for key in changed]


def flatten(settings, prefix="", whole=()):
    """Return nested settings as {"network.depth": 150}; a list is one value, and so is a block named in `whole`."""
    flat = {}
    for key, value in settings.items():
        deeper = isinstance(value, dict) and key not in whole
        flat |= flatten(value, f"{prefix}{key}.", whole) if deeper else {f"{prefix}{key}": value}
    return flat


def printed_numbers():
    """Return {model: {quantity: [mean, standard deviation]}}, as Tables 2 and 3 of the paper print them."""
    printed = {}
    for file, names in (("table2_accuracy", ("test_accuracy",)), ("table3_cw", CARLINI_WAGNER)):
        for row in read_csv(REFERENCE / f"{file}.csv"):
            model = model_name(row["trainer"], row["loss"], row["activation"])
            numbers = {name: [float(row[f"{name}_mean"]), float(row[f"{name}_std"])] for name in names}
            printed[model] = printed.get(model, {}) | numbers
    return printed


def distance_settings(config):
    """Return what distances depend on: a specification is [model, attack], a network under a variant of the attack.

    If Table 3 does not have the row, a network is one specification, without the attack.
    """
    models, printed, outputs = readings.shown_models(config), printed_numbers(), readings.carlini_wagner(config)
    rows = {model: readings.row_of(config, model) for model in models}
    known, specifications = stage_table.folder_models(config), []
    for model in models:
        variants = [name for name in outputs if model in known[f"attack/{name}"]]
        in_table3 = "susceptible" in printed.get(rows[model], {})
        specifications += [[model, name] for name in (variants if in_table3 else [""])]
    return {
        "rows": rows,
        "printed": {row: printed.get(row, {}) for row in rows.values()},
        "choices": {model: choices(config, model) for model in models},
        "outputs": outputs,
        "specifications": specifications,
    }


def table_settings(config):
    """Return what the table depends on: also which attacks are run on which model, and the norm per pixel."""
    models, shown = readings.shown_models(config), readings.shown_attacks(config)
    known, norm = stage_table.folder_models(config), config["claims"]["attack_norm"]
    sides = {model: experiment.side_of(config, model) / config["data"]["side"] for model in models}
    return distance_settings(config) | {
        "attacked": {name: [model for model in models if model in known[f"attack/{name}"]] for name in shown},
        "norms": {model: norm * side for model, side in sides.items()},
        "norm": norm,
    }
