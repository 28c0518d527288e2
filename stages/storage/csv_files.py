"""CSV files: the paper's numbers in workflow/reference, and the tables and claims of a run."""

import csv
import io


def read_csv(path):
    """Return the rows of a CSV file as dictionaries; lines that start with # are comments."""
    with open(path, newline="") as file:
        return list(csv.DictReader(line for line in file if not line.startswith("#")))


def as_csv(columns, rows):
    """Return these columns of rows, which are dictionaries, as the text of a CSV file."""
    file = io.StringIO()
    writer = csv.DictWriter(file, columns, extrasaction="ignore", lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    return file.getvalue()
