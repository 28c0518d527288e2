"""Print the results of a run: claims, main accuracies, the path of the report. It reads only tables, so it is fast.

python -m stages.report.summarise results/quick
"""

import argparse
import sys
from collections import Counter
from pathlib import Path

from stages import PROJECT
from stages.claims import STATES, VERDICTS, apart, column, counted, states_of
from stages.claims.bars import text_bar, told
from stages.names.trainers import trainer as trainer_named
from stages.statistics.scale import runs_in_words
from stages.storage.csv_files import read_csv

ACTIVATIONS, LOSSES = {"relu": "ReLU", "tanh": "tanh"}, {"ce": "CE", "l2": "l2"}
NAMES_PER_LINE = 20
BAR = 40
PUBLISHED = PROJECT / "workflow" / "published" / "paper"


def summary(folder, published=PUBLISHED):
    """Return the lines to print; beside a smaller run, the published numbers at the paper's scale."""
    claims, table = _rows(folder / "claims.csv"), _rows(folder / "tables" / "table2_accuracy.csv")
    preset = table[0]["preset"] if table else folder.name
    runs = sorted({int(row["runs"]) for row in table} - {0}) or [0]  # 0: not run
    beside = preset != "paper" and (published / "claims.csv").is_file()
    large = _rows(published / "tables" / "table2_accuracy.csv") if beside else []
    at_scale = ", ours at the paper's scale" if beside else ""
    runs = runs_in_words(runs[0] if len(runs) == 1 else runs)
    lines = ["", f"Test accuracy in percent, ours{at_scale} (the paper's); {preset} preset, {runs}", ""]
    lines += [*_accuracies(table, large), ""]
    if beside:
        lines += ["Here, at this size", *_verdicts(claims), ""]
        lines += ["At the paper's scale, as published", *_verdicts(_rows(published / "claims.csv"))]
    else:
        lines += _verdicts(claims)
    if preset != "paper":
        lines += ["", f"The {preset} preset is smaller than the paper's experiment; the report lists the differences."]
    return [*lines, "", f"Report: {(folder / 'report.html').resolve()}", ""]


def _accuracies(table, large):
    """Table 2: one row per trainer, one column per loss and activation."""
    columns, width = list(dict.fromkeys((row["loss"], row["activation"]) for row in table)), 21 if large else 17
    titles = [f"{ACTIVATIONS.get(activation, activation)} {LOSSES.get(loss, loss)}" for loss, activation in columns]
    yield " " * 14 + "".join(f"{title:>{width}}" for title in titles)
    for trainer in dict.fromkeys(row["trainer"] for row in table):
        cells = [_cell(table, large, (trainer, *column)) for column in columns]
        yield f"  {trainer_named(trainer).short:<12}" + "".join(f"{cell:>{width}}" for cell in cells)


def _cell(table, large, model):
    parts, paper, missing = [], "", "-" if large else "not run"
    for rows in [table, large] if large else [table]:
        row = next((row for row in rows if (row["trainer"], row["loss"], row["activation"]) == model), {})
        parts.append(f"{float(row['test_accuracy_mean']):.2f}" if row.get("test_accuracy_mean") else missing)
        paper = paper or (
            f" ({float(row['test_accuracy_paper_mean']):.2f})" if row.get("test_accuracy_paper_mean") else ""
        )
    return " ".join(parts) + paper


def _verdicts(claims):
    """The claims by verdict, with counts: the paper's, then our own; their comparisons as a bar."""
    for whose, rows in zip(("of the paper", "of our own"), apart(claims), strict=True):
        if not rows:
            continue
        yield f"Claims {whose}: {counted(Counter(row['verdict'] for row in rows))}"
        for verdict in VERDICTS:
            names = [row["id"] for row in rows if row["verdict"] == verdict]
            for start in range(0, len(names), NAMES_PER_LINE):
                yield f"  {'' if start else verdict + ':':<15}{' '.join(names[start : start + NAMES_PER_LINE])}"
        if all(column(state) in rows[0] for state in STATES):  # older published tables lack them
            states = {state: sum(states_of(row)[state] for row in rows) for state in STATES}
            yield f"  {'comparisons:':<15}{text_bar(states, BAR)}  {sum(states.values())}"
            yield f"  {told(states, with_blocks=True)}"


def _rows(path):
    try:
        return read_csv(path)
    except FileNotFoundError:
        sys.exit(f"error: wanted {path}, found nothing there; run the workflow first, or name another results folder")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("results", type=Path, help="folder of a preset's results, as results/quick")
    print("\n".join(summary(parser.parse_args().results)))
