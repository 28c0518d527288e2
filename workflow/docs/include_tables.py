"""Write the published tables into the documents that show them: python workflow/docs/include_tables.py

A comment in the document names a table and its columns; this program writes the text up to the next comment:

    <!-- table: workflow/published/<preset>/tables/<name>.md | column | column | ... -->
    <!-- end of table -->
"""

import re
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
BLOCK = re.compile(r"(<!-- table: (\S+) \| (.*?) -->\n)(.*?)(<!-- end of table -->)", re.DOTALL)
END = "<!-- end of table -->"


def filled(text, root=ROOT):
    """Return a document with the currently published tables."""
    return BLOCK.sub(lambda block: block[1] + _chosen(root / block[2], block[3].split(" | ")) + block[5], text)


def _chosen(path, columns):
    lines = [line for line in path.read_text().splitlines() if line.startswith("|")]
    header, alignment, *rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]
    if missing := [column for column in columns if column not in header]:
        raise SystemExit(f"error: {path}: wanted the columns {', '.join(missing)}, found {', '.join(header)}")
    places = [header.index(column) for column in columns]
    chosen = [[row[place] for place in places] for row in (header, alignment, *rows)]
    return "\n" + "".join(f"| {' | '.join(row)} |\n" for row in chosen) + "\n"


def documents():
    """Return every document that includes a table."""
    return [path for path in sorted((ROOT / "workflow/docs").glob("*.md")) if END in path.read_text()]


def main():
    for path in documents():
        text = path.read_text()
        if (new := filled(text)) != text:
            path.write_text(new)
            print(f"{path.relative_to(ROOT)}: written")


if __name__ == "__main__":
    main()
