"""From the name of a method in config.yaml to the module that has it.

An attack of your own is a file stages/attack/<method>.py with a function

    def attack(victim, images, labels, radii, report, *, <the settings of its line in config.yaml>) -> Outcome

and a line in config.yaml, `<attack>: {method: <method>, <its settings>}`. Nothing else has to know it.

victim: `victim.Victim`; images (sample, pixel) that it reads correctly; labels (sample,); radii: the allowed norms in
ascending order; report(share): called now and then with the share of the work that is done.
"""

import importlib
import inspect
import re
from pathlib import Path

from stages.errors import UserError

# The paper's attacks go by their usual names; any other method by that of its file.
SHORT = {
    "sensitivity": "sensitivity_attack",
    "pgd": "projected_gradient",
    "fgsm": "fast_gradient",
    "cw": "carlini_wagner",
}


def _methods(folder):
    """Return {method: module} for the files of a folder that define a function `attack`."""
    files = [
        path for path in sorted(folder.glob("*.py")) if re.search(r"^def attack\(", path.read_text(), re.MULTILINE)
    ]
    own = {path.stem: path.stem for path in files if path.stem not in SHORT.values()}
    return {method: f"{__package__}.{name}" for method, name in (SHORT | own).items()}


METHODS = _methods(Path(__file__).parent)


def module_of(method):
    """Return the name of a method's module: one of this folder, whatever the configuration says."""
    if method not in METHODS:
        raise UserError(
            f"config: attack.attacks: method: wanted one of {', '.join(METHODS)}, found {method!r}; "
            "a method of your own is a file stages/attack/<method>.py with a function `attack`"
        )
    return METHODS[method]


def find(method, settings):
    """Return the method's function, after checking that these are the settings it takes."""
    function = importlib.import_module(module_of(method)).attack
    parameters = inspect.signature(function).parameters.values()
    known = {parameter.name: parameter for parameter in parameters if parameter.kind is parameter.KEYWORD_ONLY}
    needed = {name for name, parameter in known.items() if parameter.default is parameter.empty}
    if needed - set(settings) or set(settings) - set(known):
        raise UserError(
            f"config: attack.attacks: wanted the settings {', '.join(known) or 'none'} for method {method}, "
            f"found {', '.join(settings) or 'none'}"
        )
    return function
