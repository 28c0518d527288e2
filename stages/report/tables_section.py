"""The tables of the report: our numbers beside the paper's."""

import re
from itertools import takewhile
from typing import NamedTuple

from stages.names.labels import attack_label, combination_label, solver_label, trainer_label
from stages.names.numbers import number, signed
from stages.plan import exhibit
from stages.plan.all_exhibits import TABLES
from stages.statistics.attack_curves import SHARE_AND_NORMS
from stages.statistics.scale import ONE_RUN, scale_line
from stages.storage.csv_files import read_csv
from stages.tables.layout import NOT_RUN

COMPARED = "Each cell: ours, the paper’s, and the difference."


class Cell(NamedTuple):
    """Lines of text and their style; the first line is ours, the others are set in a lighter style."""

    lines: list
    kind: str = "number"


def gather(folder, config):
    """Return every table of the experiment: name, title, legend, head and rows of cells."""
    tables = []
    for name, table in exhibit.present(config, TABLES).items():
        rows = read_csv(folder / "tables" / f"{name}.csv")
        head, body, legend = LAYOUTS.get(name, plain)(rows)
        runs = ONE_RUN if table.one_run else None
        scale = scale_line(exhibit.scale(config, table.models(config)), runs=runs)
        legend = f"{legend or table.caption} Ours: {scale}."
        tables.append({"name": name} | exhibit.words_of(table) | {"legend": legend, "head": head, "rows": body})
    return tables


def solvers(rows):
    """Table 1, as the paper prints it: one column per pair of solvers."""
    head = [text("accuracy (%)")]
    for row in rows:
        pair = [solver_label(row[key]) for key in ("train_solver", "inference_solver")]
        head.append(Cell([f"trained {pair[0]}", f"inferred {pair[1]}"]))
    body = [
        [text(title), *(compared(row, quantity) for row in rows)]
        for quantity, title in (("train_accuracy", "training images"), ("test_accuracy", "test images"))
    ]
    return head, body, COMPARED


def accuracy(rows):
    """Table 2, as the paper prints it: rows trainers, columns losses and activations."""
    trainers = list(dict.fromkeys(row["trainer"] for row in rows))
    columns = list(dict.fromkeys((row["loss"], row["activation"]) for row in rows))
    known = {(row["trainer"], row["loss"], row["activation"]): row for row in rows}
    head = [text("test accuracy (%)"), *(Cell([combination_label(*column[::-1])]) for column in columns)]
    body = []
    for trainer in trainers:
        cells = (compared(known.get((trainer, *each)), "test_accuracy") for each in columns)
        body.append([text(trainer_label(trainer), "key"), *cells])
    return head, body, COMPARED


def carlini_wagner(rows):
    """Table 3: one row per model; each cell has one line per variant of the attack, and the paper's."""
    models = {}
    for row in rows:
        models.setdefault((row["trainer"], row["activation"], row["loss"]), []).append(row)
    body = []
    for (trainer, activation, loss), variants in models.items():
        names = [f"ours, {row['outputs']}" if row["outputs"] else "ours" for row in variants]
        cells = [Cell([*names, "paper"], "key soft")]
        for quantity in SHARE_AND_NORMS:
            lines = [f"{ours(row, quantity)} ({difference(row, quantity)})" for row in variants if row["outputs"]]
            cells.append(Cell([*(lines or [NOT_RUN]), printed(variants[0], quantity)]))
        body.append([text(trainer_label(trainer), "key"), text(combination_label(activation, loss), "key"), *cells])
    head = [text("trainer"), text("model"), text(""), *(Cell([title]) for title in SHARE_AND_NORMS.values())]
    return head, body, "In brackets: the difference from the paper. The attack sees the class scores, or their softmax."


def plain(rows):
    """Any other table, as in its file: means and spreads, with labels for networks, and the paper's numbers if any."""
    names, quantities = list(rows[0]) if rows else [], _quantities(rows)
    keys = list(takewhile(lambda name: not name.endswith("_mean"), names))
    printed = any(name.endswith("_paper_mean") for name in names)
    models = {"trainer", "activation", "loss"} <= set(keys)
    heads = (re.split(", | (?=on )", attack_label(each).replace("_", " ")) for each in quantities)
    body = []
    for row in rows:
        named = _model(row) if models else [row[key] for key in keys]
        cells = (compared(row, each) if printed else Cell([ours(row, each)]) for each in quantities)
        body.append([*(text(each, "key") for each in named), *cells])
    head = [*map(text, ["trainer", "network"] if models else keys), *map(Cell, heads)]
    return head, body, COMPARED if printed else ""


def _quantities(rows):
    means = [name for name in (rows[0] if rows else []) if name.endswith("_mean")]
    return [name.removesuffix("_mean") for name in means if not name.endswith("_paper_mean")]


def _model(row):
    return trainer_label(row["trainer"]), combination_label(row["activation"], row["loss"])


def readings(rows):
    """The table of readings: each number that the paper prints has its distance below it."""
    names = _quantities(rows)
    quantities = [name for name in names if not name.endswith("_distance")]

    def cell(row, name):
        below = [signed(_value(row, f"{name}_distance", "mean"), 1)] if f"{name}_distance" in names else []
        return Cell([ours(row, name), *below])

    keys = {"network": "network", "reading": "reading", "outputs": "CW sees"}
    heads = ("mean distance" if name == "distance" else attack_label(name).replace("_", " ") for name in quantities)
    body = [[*(text(row[key], "key") for key in keys), *(cell(row, name) for name in quantities)] for row in rows]
    return [*map(text, keys.values()), *(Cell([head]) for head in heads)], body, ""


LAYOUTS = {
    "table1_solvers": solvers,
    "table2_accuracy": accuracy,
    "table3_cw": carlini_wagner,
    "table_readings": readings,
}


def text(words, kind=""):
    return Cell([words], kind)


def compared(row, quantity):
    """A cell with three lines: ours, the paper's, the difference."""
    if row is None:
        return Cell(["–"])
    first = NOT_RUN if row["runs"] == "0" else ours(row, quantity)
    return Cell([first, printed(row, quantity), difference(row, quantity)])


def ours(row, quantity):
    return number(_value(row, quantity, "mean"), _value(row, quantity, "std"))


def printed(row, quantity):
    return number(_value(row, quantity, "paper_mean"), _value(row, quantity, "paper_std"))


def difference(row, quantity):
    return signed(_value(row, quantity, "difference"))


def _value(row, quantity, part):
    cell = row[f"{quantity}_{part}"]
    return float(cell) if cell else None
