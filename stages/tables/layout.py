"""Tables with three numbers for each of the paper's: ours, the paper's, the difference; as CSV, Markdown and LaTeX.

A table's program gives the keys of each row and the values over runs; the paper's numbers are looked up here.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from stages.names.model_name import split_model
from stages.names.numbers import MINUS, number, signed
from stages.runtime import program
from stages.runtime.errors import UserError
from stages.statistics import runs
from stages.statistics.scale import ONE_RUN, scale_line
from stages.storage import stores
from stages.storage.csv_files import as_csv, read_csv

NOT_RUN = "not run"
MODEL = {"trainer": "trainer", "activation": "activation", "loss": "loss"}  # keys of a table with a row per model


@dataclass(frozen=True)
class Table:
    """The definition of a table: headings, and a function for its rows."""

    keys: dict  # {name: heading} of the columns that identify a row
    quantities: dict | Callable  # {name: heading} of compared quantities, or a function of the settings that returns it
    rows: Callable  # rows(folder, settings) yields ({key: text}, {quantity: its values over runs}); none: not run
    printed_keys: tuple = ()  # the keys of the paper's rows, if they have fewer
    paper_scale: str = "150 layers, 60,000 digits, 10 epochs, 5 runs"
    notes: Callable = lambda settings: []  # notes(settings): what else a reader must know
    signed: tuple = ()  # quantities that are differences: +0.12
    one_run: bool = False  # it shows only the first run


def reference(path, keys, quantities):
    """Return the paper's numbers: {(key, ...): {quantity: (mean, standard deviation)}}."""
    try:
        return {
            tuple(row[key] for key in keys): {
                name: (float(row[f"{name}_mean"]), float(row[f"{name}_std"])) for name in quantities
            }
            for row in read_csv(path)
        }
    except (KeyError, TypeError, ValueError) as problem:
        raise UserError(f"{path}: wanted the columns {', '.join(keys)} and numbers, found: {problem}") from None


def parts_of(model):
    """Return the keys of a model's row."""
    return dict(zip(("trainer", "loss", "activation"), split_model(model), strict=True))


def over_runs(measure, datasets):
    """Return {quantity: values over runs}; measure(dataset) returns {quantity: value} of one run."""
    measured = [measure(dataset) for dataset in datasets]
    return {name: [run[name] for run in measured] for name in measured[0]}


def compared(ours, paper=None):
    """Return ours (values over runs) beside the paper's (mean, std): means, standard deviations, difference.

    Runs without a value (an attack that never succeeded has no mean norm) are left out; None means no number.
    """
    ours = np.asarray(ours, dtype=np.float64)
    values = {"runs": len(ours)}
    ours = ours[np.isfinite(ours)]
    mean = float(ours.mean()) if ours.size else None
    std = float(ours.std(ddof=1)) if ours.size > 1 else None
    paper_mean, paper_std = paper or (None, None)
    difference = None if mean is None or paper_mean is None else mean - paper_mean
    values |= {"mean": mean, "std": std, "paper_mean": paper_mean, "paper_std": paper_std}
    return values | {"difference": difference}


def run(description, table):
    """Run the program of a table."""

    def arguments(parser):
        runs.arguments(parser)
        parser.add_argument("--reference", help="the paper's numbers, a CSV file, where it prints any")

    def main(options):
        make(table, options.results, options.settings, options.output, options.reference)

    program.run(description, arguments, main)


def make(table, folder, settings, outputs, printed=None):
    """Write a Table to each path, in the format of its suffix; printed: the CSV file of the paper's numbers."""
    if callable(table.quantities):
        table = replace(table, quantities=table.quantities(settings))
    keys = table.printed_keys or tuple(table.keys)
    paper = reference(printed, keys, table.quantities) if printed else {}
    ours = list(table.rows(folder, settings))
    shown = {tuple(labels[key] for key in keys) for labels, _ in ours}
    # Rows that were not run show only the paper's numbers.
    ours += [
        (dict.fromkeys(table.keys, "") | dict(zip(keys, key, strict=True)), {}) for key in paper if key not in shown
    ]
    rows = []
    for labels, values in ours:
        beside = paper.get(tuple(labels[key] for key in keys), {})
        cells = {name: compared(values.get(name, []), beside.get(name)) for name in table.quantities}
        rows.append((labels, cells))
    scale = settings["scale"]
    spread = [] if table.one_run else ["mean ± standard deviation over runs"]
    runs_shown = ONE_RUN if table.one_run else None
    note = f"Ours: {scale_line(scale, *table.notes(settings), *spread, runs=runs_shown)}."
    note += f" Paper: {table.paper_scale}." if paper else ""
    writers = {".csv": _csv, ".md": _markdown, ".tex": _latex}
    for path in map(Path, outputs):
        text = writers[path.suffix](table, rows, note, bool(paper), settings)
        stores.write_text(path, text)


def _csv(table, rows, note, paper, settings):
    parts = ("mean", "std", "paper_mean", "paper_std", "difference") if paper else ("mean", "std")
    places = {f"{name}_{part}": (name, part) for name in table.quantities for part in parts}
    lines = []
    for labels, values in rows:
        cells = {column: values[name][part] for column, (name, part) in places.items()}
        ran = max(value["runs"] for value in values.values())  # 0 distinguishes "not run" from "no number"
        line = labels | {column: "" if cell is None else f"{cell:.4f}" for column, cell in cells.items()}
        lines.append(line | {"runs": ran, "preset": settings["scale"]["preset"]})
    return as_csv([*table.keys, *places, "runs", "preset"], lines)


def _markdown(table, rows, note, paper, settings):
    head = [*table.keys.values()]
    for heading in table.quantities.values():
        head += [f"{heading}: ours", "paper", "difference"] if paper else [heading]
    rule = ["---"] * len(table.keys) + ["---:"] * (len(head) - len(table.keys))
    lines = [f"# {settings['title']}", "", note, "", _pipes(head), _pipes(rule)]
    for labels, values in rows:
        lines.append(_pipes([*(labels[key] for key in table.keys), *_cells(table, values, " ± ", paper)]))
    return "\n".join(lines) + "\n"


def _latex(table, rows, note, paper, settings):
    each = 3 if paper else 1
    groups = [f"\\multicolumn{{{each}}}{{c}}{{{_escaped(heading)}}}" for heading in table.quantities.values()]
    under = ["ours", "paper", "difference"] if paper else ["ours"]
    lines = [
        f"% {settings['title']}. {note}",
        "% Needs \\usepackage{booktabs}.",
        f"\\begin{{tabular}}{{{'l' * len(table.keys) + 'r' * each * len(table.quantities)}}}",
        "\\toprule",
        " & ".join([*[""] * len(table.keys), *groups]) + r" \\",
        " & ".join([*map(_escaped, table.keys.values()), *under * len(table.quantities)]) + r" \\",
        "\\midrule",
    ]
    for labels, values in rows:
        cells = [_latex_cell(cell) for cell in _cells(table, values, r" \pm ", paper)]
        lines.append(" & ".join([*(_escaped(labels[key]) for key in table.keys), *cells]) + r" \\")
    return "\n".join([*lines, "\\bottomrule", "\\end{tabular}"]) + "\n"


def _latex_cell(cell):
    if cell == "–":
        return "--"
    return cell if cell == NOT_RUN else f"${cell.replace(MINUS, '-')}$"


def _cells(table, values, plus_minus, paper):
    cells = []
    for name in table.quantities:
        value = values[name]
        missing = value["runs"] == 0
        own = number(value["mean"], value["std"], plus_minus=plus_minus)
        cells.append(NOT_RUN if missing else signed(value["mean"]) if name in table.signed else own)
        if paper:
            cells.append(number(value["paper_mean"], value["paper_std"], plus_minus=plus_minus))
            cells.append(signed(value["difference"]))
    return cells


def _pipes(cells):
    return "| " + " | ".join(str(cell).replace("|", "\\|") for cell in cells) + " |"


def _escaped(text):
    """Escape LaTeX's special characters, and write as mathematics what its text fonts lack."""
    for letter in "%_&#$":
        text = text.replace(letter, f"\\{letter}")
    for symbol, command in {"ℓ²": r"$\ell^2$", "ε": r"$\varepsilon$", MINUS: "$-$"}.items():
        text = text.replace(symbol, command)
    return text
