"""Tables with three numbers for each of the paper's: ours, the paper's, the difference; as CSV, Markdown and LaTeX.

A table is a list of rows. A row has its keys (texts) and, for each quantity, a `compared` value.
"""

import csv
import io
from pathlib import Path

import numpy as np

from stages import stores
from stages.errors import UserError

MINUS = "−"


def read_csv(path):
    """Return the rows of a CSV file as dictionaries; lines that start with # are comments."""
    with open(path, newline="") as file:
        return list(csv.DictReader(line for line in file if not line.startswith("#")))


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
        raise UserError(
            f"{path}: wanted the columns {', '.join(keys)} and numbers, found a problem: {problem}"
        ) from None


def compared(ours, paper=None):
    """Return ours (values over runs) beside the paper's (mean, std): means, standard deviations, difference.

    A run without a value (an attack that never succeeded has no mean norm) is left out; None stands for no number.
    """
    ours = np.asarray(ours, dtype=np.float64)
    ours = ours[np.isfinite(ours)]
    mean = float(ours.mean()) if ours.size else None
    std = float(ours.std(ddof=1)) if ours.size > 1 else None
    paper_mean, paper_std = paper or (None, None)
    difference = mean - paper_mean if mean is not None and paper_mean is not None else None
    return {"mean": mean, "std": std, "paper_mean": paper_mean, "paper_std": paper_std, "difference": difference}


def number(mean, std, digits=2, plus_minus=" ± "):
    """Write 97.92 ± 0.14; a dash for no number."""
    if mean is None:
        return "–"
    return f"{mean:.{digits}f}" if std is None else f"{mean:.{digits}f}{plus_minus}{std:.{digits}f}"


def signed(value, digits=2):
    """Write +0.12 or −0.12; a dash for no number."""
    if value is None:
        return "–"
    text = f"{value:+.{digits}f}"
    return text.replace("-", MINUS) if float(text) else f"{0:.{digits}f}"


def write(outputs, keys, quantities, rows, *, title, note, runs, preset):
    """Write the table to each path, by its suffix.

    keys: {name: heading}; quantities: {name: heading}; rows: [({key: text}, {quantity: compared value})].
    """
    writers = {".csv": _csv, ".md": _markdown, ".tex": _latex}
    for path in map(Path, outputs):
        text = writers[path.suffix](keys, quantities, rows, title, note, runs, preset)
        stores.write_text(path, text)


def _csv(keys, quantities, rows, title, note, runs, preset):
    parts = ("mean", "std", "paper_mean", "paper_std", "difference")
    file = io.StringIO()
    writer = csv.writer(file, lineterminator="\n")
    writer.writerow([*keys, *(f"{name}_{part}" for name in quantities for part in parts), "runs", "preset"])
    for labels, values in rows:
        cells = [values[name][part] for name in quantities for part in parts]
        cells = ["" if cell is None else f"{cell:.4f}" for cell in cells]
        writer.writerow([*(labels[key] for key in keys), *cells, runs, preset])
    return file.getvalue()


def _markdown(keys, quantities, rows, title, note, runs, preset):
    head = [*keys.values()]
    for heading in quantities.values():
        head += [f"{heading}: ours", "paper", "difference"]
    lines = [f"# {title}", "", note, "", _pipes(head), _pipes(["---"] * len(keys) + ["---:"] * (len(head) - len(keys)))]
    for labels, values in rows:
        lines.append(_pipes([*(labels[key] for key in keys), *_cells(quantities, values, " ± ")]))
    return "\n".join(lines) + "\n"


def _latex(keys, quantities, rows, title, note, runs, preset):
    columns = "l" * len(keys) + "rrr" * len(quantities)
    groups = [f"\\multicolumn{{3}}{{c}}{{{_escaped(heading)}}}" for heading in quantities.values()]
    lines = [
        f"% {title}. {note}",
        "% Needs \\usepackage{booktabs}.",
        f"\\begin{{tabular}}{{{columns}}}",
        "\\toprule",
        " & ".join([*[""] * len(keys), *groups]) + r" \\",
        " & ".join(
            [*(_escaped(heading) for heading in keys.values()), *["ours", "paper", "difference"] * len(quantities)]
        )
        + r" \\",
        "\\midrule",
    ]
    for labels, values in rows:
        cells = [
            f"${cell.replace(MINUS, '-')}$" if cell != "–" else "--" for cell in _cells(quantities, values, r" \pm ")
        ]
        lines.append(" & ".join([*(_escaped(labels[key]) for key in keys), *cells]) + r" \\")
    return "\n".join([*lines, "\\bottomrule", "\\end{tabular}"]) + "\n"


def _cells(quantities, values, plus_minus):
    cells = []
    for name in quantities:
        value = values[name]
        cells.append(number(value["mean"], value["std"], plus_minus=plus_minus))
        cells.append(number(value["paper_mean"], value["paper_std"], plus_minus=plus_minus))
        cells.append(signed(value["difference"]))
    return cells


def _pipes(cells):
    return "| " + " | ".join(str(cell).replace("|", "\\|") for cell in cells) + " |"


def _escaped(text):
    """Escape what LaTeX reads as a command."""
    for letter in "%_&#$":
        text = text.replace(letter, f"\\{letter}")
    return text.replace("ℓ²", r"$\ell^2$")
