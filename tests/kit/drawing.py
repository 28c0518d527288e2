"""How tests draw a figure: by name, through its program's own functions, with settings as a rule passes them."""

import importlib
import json

from project_copy import ROOT

from stages.plan import shown
from stages.plan.paper_figures import FIGURES
from stages.plan.paper_tables import TABLES
from stages.tables import layout

RECORDS = FIGURES | TABLES


def program_of(name):
    """Return the module that makes a figure or table."""
    return importlib.import_module(RECORDS[name].program)


def settings_of(config, name, **changes):
    """Return a figure's settings after the journey through a sorted JSON text."""
    return json.loads(json.dumps(shown.settings_of(config, name, RECORDS[name]) | changes, sort_keys=True))


def draw(results, config, name, **changes):
    return program_of(name).draw(results, settings_of(config, name, **changes))


def tabulate(results, config, name, outputs, **changes):
    """Write a table to these paths."""
    reference = RECORDS[name].reference
    printed = ROOT / "workflow" / "reference" / reference if reference else None
    layout.make(program_of(name).TABLE, results, settings_of(config, name, **changes), outputs, printed)
