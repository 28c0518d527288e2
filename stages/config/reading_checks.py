"""Checks of the readings of a configuration: every `reads` names a row of the paper, listed models are readings."""

from stages.names import paper_rows
from stages.plan import experiment, readings

# {kind: (its block of config.yaml, the paper's rows)}
ROWS = {
    "trainer": ("trainers", paper_rows.TRAINERS),
    "loss": ("losses", paper_rows.LOSSES),
    "attack": ("attack.attacks", paper_rows.ATTACKS),
}


def row_problems(config):
    """Return a line for each `reads` that names no row of the paper, or that is in such a row itself.

    This is checked before the schema: a line that reads no row lacks the settings that the row would provide.
    """
    problems = []
    for kind, (place, rows) in ROWS.items():
        block = config
        for key in place.split("."):
            block = block.get(key) if isinstance(block, dict) else None
        lines = block.items() if isinstance(block, dict) else ()
        known = [row for row in rows if isinstance(block, dict) and isinstance(block.get(row), dict)]
        for name, line in lines:
            if isinstance(line, dict) and "reads" in line:
                problem = _row_problem(kind, name, line, known, block)
                problems += [f"{place}.{name}.reads: {problem}"] if problem else []
    return problems


def _row_problem(kind, name, line, known, block):
    reads = line["reads"]
    if not isinstance(reads, str) or reads not in known:
        return f"wanted the {kind} of a row of the paper ({', '.join(known)}), found {reads!r}"
    if name in known:
        return f"{name} is a row of the paper itself; give its reading another name"
    if kind == "attack" and line.get("method") != block[reads].get("method"):
        return f"wanted method: {block[reads].get('method')}, as {reads} has it, found {line.get('method')}"
    return ""


def listed_problems(config):
    """Return a line for each reading listed under other models, and for each model in models.readings that is none."""
    models, problems = config["models"], []
    lists = {name: models.get(name, []) for name in ("own", "beside", "table1")} | {"table2": _grid(config)}
    for place, names in lists.items():
        for model in names:
            if readings.is_reading(config, model):
                row = readings.row_of(config, model)
                problems.append(f"models.{place}: {model} is a reading of {row}: list it under models.readings")
    known = experiment.table2_models(config)
    for model in experiment.readings(config):
        if not readings.is_reading(config, model) and model not in known:
            wanted = "wanted a model whose trainer or loss says `reads`, or one of Table 2 or models.own"
            problems.append(f"models.readings: {wanted}, found {model!r}")
    return problems


def _grid(config):
    own = config["models"]["own"]
    return [model for model in experiment.table2_models(config) if model not in own]
