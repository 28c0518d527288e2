"""How tests draw a figure: by name, through its program's own functions, with settings as a rule passes them."""

import contextlib
import importlib
import json

import pytest

from kit.project_copy import ROOT
from stages.drawing import canvas
from stages.plan import exhibit
from stages.plan.all_exhibits import FIGURES, TABLES
from stages.storage import stores
from stages.tables import layout

RECORDS = FIGURES | TABLES


def program_of(name):
    """Return the module that makes a figure or table."""
    return importlib.import_module(RECORDS[name].program)


def settings_of(config, name, **changes):
    """Return a figure's settings after the journey through a sorted JSON text."""
    return json.loads(json.dumps(exhibit.settings_of(config, name, RECORDS[name]) | changes, sort_keys=True))


@contextlib.contextmanager
def each_store_read_once():
    """Keep what was read: reading the same hundred stores again for each figure is what would take the time."""
    read, kept = stores.read, {}

    def read_once(path, expect=None):
        key = (str(path), json.dumps(expect, sort_keys=True))
        if key not in kept:
            kept[key] = read(path, expect)
        return kept[key]

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(stores, "read", read_once)
        yield


def draw(results, config, name, **changes):
    return program_of(name).draw(results, settings_of(config, name, **changes))


def save_small(results, config, name, *outputs):
    """Draw a figure into small files without layout, for tests that need all figures but not their content."""
    figure = draw(results, config, name)
    figure.set_layout_engine("none")
    canvas.save(figure, outputs, dpi=30)


def tabulate(results, config, name, outputs, **changes):
    """Write a table to these paths."""
    reference = RECORDS[name].reference
    printed = ROOT / "workflow" / "reference" / reference if reference else None
    layout.make(program_of(name).TABLE, results, settings_of(config, name, **changes), outputs, printed)
