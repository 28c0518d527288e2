"""Checks of the readings of a configuration: every `reads` names a row of the paper, listed models are readings."""

from stages.config import configuration
from stages.names import paper_rows
from stages.plan import experiment, readings

ROWS = {"trainers": paper_rows.TRAINERS, "losses": paper_rows.LOSSES, "attack.attacks": paper_rows.ATTACKS}
KINDS = {"trainers": "trainer", "losses": "loss", "attack.attacks": "attack"}


def row_problems(config):
    """Return a line for each `reads` that names no row of the paper, or that is in such a row itself.

    This is checked before the schema: a line that reads no row lacks the settings that the row would provide.
    """
    problems = []
    for place, block in configuration.reading_blocks(config):
        known = [row for row in ROWS[place] if isinstance(block.get(row), dict)]
        for name, line in block.items():
            reads = isinstance(line, dict) and "reads" in line
            if reads and (problem := _row_problem(place, name, line, known, block)):
                problems.append(f"{place}.{name}.reads: {problem}")
    return problems


def _row_problem(place, name, line, known, block):
    reads = line["reads"]
    if not isinstance(reads, str) or reads not in known:
        return f"wanted the {KINDS[place]} of a row of the paper ({', '.join(known)}), found {reads!r}"
    if name in known:
        return f"{name} is a row of the paper itself; give its reading another name"
    if place == "attack.attacks" and line.get("method") != block[reads].get("method"):
        return f"wanted method: {block[reads].get('method')}, as {reads} has it, found {line.get('method')}"
    return ""


def listed_problems(config):
    """Return a line for each reading listed under other models, and for each model in models.readings that is none."""
    models, problems = config["models"], []
    known = experiment.table2_models(config)
    lists = {name: models.get(name, []) for name in ("own", "beside", "table1")}
    lists["table2"] = [model for model in known if model not in models["own"]]
    for place, names in lists.items():
        for model in names:
            if readings.is_reading(config, model):
                row = readings.row_of(config, model)
                problems.append(f"models.{place}: {model} is a reading of {row}: list it under models.readings")
    for model in experiment.readings(config):
        if not readings.is_reading(config, model) and model not in known:
            wanted = "wanted a model whose trainer or loss says `reads`, or one of Table 2 or models.own"
            problems.append(f"models.readings: {wanted}, found {model!r}")
    return problems
