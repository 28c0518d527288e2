"""Print what a run found: claims, headline accuracies, where the report is. Reads tables alone: it starts at once.

python -m stages.report.summarise results/quick
"""

import argparse
import csv
import sys
from collections import Counter
from pathlib import Path

VERDICTS = {"holds": "hold", "does not hold": "do not hold", "not decided": "not decided"}
NAMES = {"sgd": "SGD", "sgd-wd": "SGD w.d.", "ncg": "NCG", "ncg-wd": "NCG w.d.", "ncg-sobolev": "NCG Sobolev"}
ACTIVATIONS, LOSSES = {"relu": "ReLU", "tanh": "tanh"}, {"ce": "CE", "l2": "l2"}


def summary(folder):
    """Return the lines to print."""
    claims, table = _rows(folder / "claims.csv"), _rows(folder / "tables" / "table2_accuracy.csv")
    preset, runs = (table[0]["preset"], max((row["runs"] for row in table), key=int)) if table else (folder.name, "?")
    lines = [
        "",
        f"Test accuracy in percent, ours (the paper's); {preset} preset, {runs} {'run' if runs == '1' else 'runs'}",
        "",
    ]
    columns = list(dict.fromkeys((row["loss"], row["activation"]) for row in table))
    titles = [f"{ACTIVATIONS.get(activation, activation)} {LOSSES.get(loss, loss)}" for loss, activation in columns]
    lines.append(" " * 14 + "".join(f"{title:>17}" for title in titles))
    for trainer in dict.fromkeys(row["trainer"] for row in table):
        cells = [_cell(table, trainer, column) for column in columns]
        lines.append(f"  {NAMES.get(trainer, trainer):<12}" + "".join(f"{cell:>17}" for cell in cells))
    counts = Counter(row["verdict"] for row in claims)
    lines += [
        "",
        "Claims of the paper: " + ", ".join(f"{counts[each]} {words}" for each, words in VERDICTS.items()),
        "",
    ]
    for verdict in VERDICTS:
        names = [row["id"] for row in claims if row["verdict"] == verdict]
        if names:
            lines.append(f"  {verdict + ':':<15}{' '.join(names)}")
    if preset != "paper":
        lines += ["", f"The {preset} preset is smaller than the paper's experiment: see the report's first section."]
    return [*lines, "", f"Report: {(folder / 'report.html').resolve()}", ""]


def _cell(table, trainer, column):
    for row in table:
        if (row["trainer"], row["loss"], row["activation"]) == (trainer, *column):
            paper = f" ({float(row['test_accuracy_paper_mean']):.2f})" if row["test_accuracy_paper_mean"] else ""
            ours = f"{float(row['test_accuracy_mean']):.2f}" if row["test_accuracy_mean"] else "not run"
            return f"{ours}{paper}"
    return "-"


def _rows(path):
    try:
        with open(path, newline="") as file:
            return list(csv.DictReader(file))
    except FileNotFoundError:
        sys.exit(f"error: wanted {path}, found nothing there; run the workflow first, or name another results folder")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("results", type=Path, help="folder of a preset's results, as results/quick")
    print("\n".join(summary(parser.parse_args().results)))
