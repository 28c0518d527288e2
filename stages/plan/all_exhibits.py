"""All figures and tables of the package, from the records in the files of their programs, in the order of the report.

A new one is one file in stages/figures or stages/tables with EXHIBITS = {name: Exhibit(...)}.
"""

import dataclasses
import re

from stages.catalogues import FIGURES as FIGURE_FILES
from stages.catalogues import TABLES as TABLE_FILES
from stages.plan.exhibit import Exhibit
from stages.runtime.errors import UserError


def collect(catalogue):
    """Return {name: record} of all files of a catalogue: the paper's by number, then ours, then those beyond it."""
    records = {}
    for file in catalogue:
        for name, record in _checked(catalogue, file).items():
            if name in records:
                raise UserError(
                    f"{catalogue.kind} {name}: wanted one record, found two: {records[name].program}, {file}"
                )
            records[name] = dataclasses.replace(record, program=catalogue.module_of(file))
    return dict(sorted(records.items(), key=lambda item: (_position(item[1]), item[0])))


def _checked(catalogue, file):
    """Return the records of a file, after checking their names, which become file names."""
    records = catalogue.find(file)
    wanted = f"{catalogue.folder}/{file}.py: EXHIBITS: wanted {{name: Exhibit(...)}}"
    if not isinstance(records, dict):
        raise UserError(f"{wanted}, found {type(records).__name__}")
    for name, record in records.items():
        if not isinstance(record, Exhibit) or not re.fullmatch(r"[A-Za-z][\w-]*", str(name)):
            raise UserError(
                f"{wanted} with a name of letters, digits, - and _, found {name!r}: {type(record).__name__}"
            )
    return records


def _position(record):
    """Return the sort key in the report: the first number of the place in the paper, or the record's order."""
    number = re.search(r"\d+", record.place)
    return record.beyond, number is None, int(number[0]) if number else record.order


def files_of(name):
    """Return the files of a figure or table, below results/<preset>; the first one is what people look at."""
    folder, kinds = ("figures", ("png", "pdf")) if name in FIGURES else ("tables", ("csv", "md", "tex"))
    return [f"{folder}/{name}.{kind}" for kind in kinds]


FIGURES = collect(FIGURE_FILES)
TABLES = collect(TABLE_FILES)
if _both := FIGURES.keys() & TABLES.keys():
    raise UserError(f"{min(_both)}: wanted a figure or a table of that name, found both")
