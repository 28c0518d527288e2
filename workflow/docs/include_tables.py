"""Write the published tables into the documents that show them: python workflow/docs/include_tables.py

A document says which table, which of its columns and which of its rows, in a comment; what follows, up to the next
comment, is written by this program:

    <!-- table: workflow/published/<preset>/tables/<name>.md | column | paper#2 | loss = ce -->
    <!-- end of table -->

`paper#2` is the second column of that name, `loss = ce` takes the rows with that cell, and no column means all. A table
is Markdown or CSV (its lines that start with # say how it was made).
"""

import csv
import re
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
BLOCK = re.compile(r"(<!-- table: (\S+)((?: \| .*?)?) -->\n)(.*?)(<!-- end of table -->)", re.DOTALL)
END = "<!-- end of table -->"


def filled(text, root=ROOT):
    """Return a document with its tables as they are published now."""
    return BLOCK.sub(lambda block: block[1] + _chosen(root / block[2], block[3].split(" | ")[1:]) + block[5], text)


def _chosen(path, wanted):
    header, alignment, rows = _read(path)
    columns = [column for column in wanted if " = " not in column] or header
    for column, value in (each.split(" = ") for each in wanted if " = " in each):
        rows = [row for row in rows if row[_place(path, header, column)] == value]
        if not rows:
            raise SystemExit(f"error: {path}: wanted rows with {column} = {value}, found none")
    places = [_place(path, header, column) for column in columns]
    chosen = [[row[place] for place in places] for row in (header, alignment, *rows)]
    return "\n" + "".join(f"| {' | '.join(row)} |\n" for row in chosen) + "\n"


def _place(path, header, column):
    name, _, number = column.partition("#")
    places = [place for place, each in enumerate(header) if each == name]
    if len(places) < int(number or 1):
        raise SystemExit(f"error: {path}: wanted the column {column}, found {', '.join(header)}")
    return places[int(number or 1) - 1]


def _read(path):
    """Return (header, alignment, rows) of cells."""
    if path.suffix == ".csv":
        with open(path, newline="") as file:
            header, *rows = csv.reader(line for line in file if not line.startswith("#"))
        columns = list(zip(*rows, strict=True))
        return header, ["---:" if all(map(_is_number, cells)) else "---" for cells in columns], rows
    lines = [line for line in path.read_text().splitlines() if line.startswith("|")]
    header, alignment, *rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]
    return header, alignment, rows


def _is_number(cell):
    return not cell or re.fullmatch(r"[-−+]?[\d.,]+( ± [\d.]+)?", cell)


def documents():
    """Return every document that includes a table."""
    folders = [
        path for path in ROOT.iterdir() if path.is_dir() and not path.name.startswith(".") and path.name != "results"
    ]
    found = [path for folder in folders for path in folder.rglob("*.md")]
    return [path for path in sorted(found) if END in path.read_text()]


def main():
    for path in documents():
        text = path.read_text()
        if (new := filled(text)) != text:
            path.write_text(new)
            print(f"{path.relative_to(ROOT)}: written")


if __name__ == "__main__":
    main()
