"""Write the last benchmark into tests/bench/README.md: python tests/bench/document.py [bench.json]

A whole `make bench` does so itself. bench.json beside this file is the benchmark that the document shows. What stands
between two marks is written by this program:

    <!-- bench: about --> ... <!-- end of bench -->      machine, versions, repetitions
    <!-- bench: ncg -->                                  a row per network, a column per contender
    <!-- bench: goals missed -->                         the rows that miss their goal
    <!-- bench: everything else -->                      one row per comparison
"""

import json
import re
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))

from findings import HEADER, Finding, amount, line, missed
from timing import Spread

HERE = Path(__file__).parent
JSON, DOCUMENT = HERE / "bench.json", HERE / "README.md"
NCG = "One NCG iteration"
CONTENDERS = {
    "floor": "ratio to the floor",
    "JAX, grad and jvp": "times faster than JAX",
    "PyTorch": "times faster than PyTorch",
}
BLOCK = re.compile(r"(<!-- bench: (.*?) -->\n).*?(<!-- end of bench -->)", re.DOTALL)


def read(path=JSON):
    """Return (about, {title: findings}) of a benchmark."""
    content = json.loads(path.read_text())
    return content["about"], {title: [_finding(row) for row in rows] for title, rows in content["items"].items()}


def _finding(row):
    spreads = {key: Spread(**row[key]) for key in ("ours", "theirs", "ratio") if row[key]}
    return Finding(**(row | spreads))


def filled(text, about, items):
    """Return the document with this benchmark between its marks."""
    blocks = {
        "about": f"{about}.\n",
        "ncg": _ncg(items.get(NCG, [])),
        "goals missed": f"{HEADER}{missed(items)}\n" if _any_missed(items) else "Every goal was met.\n",
        "everything else": _rows(finding for title, rows in items.items() if title != NCG for finding in rows),
    }
    return BLOCK.sub(lambda found: f"{found[1]}\n{blocks[found[2]]}\n{found[3]}", text)


def _ncg(rows):
    """A row per network; goals stand in the head where all networks share one, else in the cells."""
    goals = {name: sorted({row.goal for row in rows if row.against == name and row.goal}) for name in CONTENDERS}
    heads = [f"{words} (goal: {' or '.join(goals[name])})" for name, words in CONTENDERS.items()]
    lines = [f"| network | ours, ms | {' | '.join(heads)} |", f"| --- |{' ---: |' * (1 + len(heads))}"]
    for subject in dict.fromkeys(row.subject for row in rows):
        own = {row.against: row for row in rows if row.subject == subject}
        lines.append(
            f"| {subject} | {amount(own['floor'].ours)} | {' | '.join(_ratio(own[name]) for name in CONTENDERS)} |"
        )
    return "\n".join(lines) + "\n"


def _ratio(row):
    return f"{amount(row.ratio)}{' (missed)' if row.met is False else ''}"


def _rows(rows):
    return HEADER + "".join(f"{line(row)}\n" for row in rows)


def _any_missed(items):
    return any(row.met is False for rows in items.values() for row in rows)


def write(source, document=DOCUMENT, kept=JSON):
    """Keep a benchmark as the one that the document shows, and write the document."""
    about, items = read(source)
    if source.resolve() != kept.resolve():
        kept.write_text(source.read_text())
    document.write_text(filled(document.read_text(), about, items))


if __name__ == "__main__":
    write(Path(sys.argv[1]) if sys.argv[1:] else JSON)
