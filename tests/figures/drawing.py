"""How tests draw a figure: by name, through its program's own functions, with settings as a rule passes them."""

import importlib
import json

from stages.figures import contents

TWINS = ("_l2", "_ce", "_sgd", "_sobolev")


def program_of(name):
    """Return the module that draws a figure."""
    for ending in TWINS:
        name = name.removesuffix(ending)
    return importlib.import_module(f"stages.figures.{name.replace('fig_', 'plot_')}")


def settings_of(config, name, **changes):
    """Return a figure's settings after the journey through a sorted JSON text."""
    return json.loads(json.dumps(contents.settings_of(config, name) | changes, sort_keys=True))


def draw(results, config, name, **changes):
    return program_of(name).draw(results, settings_of(config, name, **changes))
