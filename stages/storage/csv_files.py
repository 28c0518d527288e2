"""Reading CSV files: the paper's numbers in workflow/reference, and the tables and claims of a run."""

import csv


def read_csv(path):
    """Return the rows of a CSV file as dictionaries; lines that start with # are comments."""
    with open(path, newline="") as file:
        return list(csv.DictReader(line for line in file if not line.startswith("#")))
