"""From the name of a method in config.yaml to the module that has it.

An attack of your own is a file stages/attack/<method>.py with a function

    def attack(victim, images, labels, radii, report, *, <the settings of its line in config.yaml>) -> Outcome

and a line in config.yaml, `<attack>: {method: <method>, <its settings>}`. Nothing else has to know it: it appears in
the comparison of all attacks, in the table of attacks and in the report. SETTINGS in that file, {setting: JSON schema},
refuses wrong values before anything runs; CONFINED = False says that it looks for the smallest norm by itself;
LENGTHS names those of its settings that are l2 norms, which grow with the side of the images; SURROGATE = True says
that it looks for its images on `victim.surrogate`, the network's twin. A line of any method may have what COMMON has.

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

# Settings that a line of any method may have, and that its function does not see.
COMMON = {
    "hold": {
        "enum": ["scores"],
        "description": "Pixels that the attack leaves as they are: scores, the first ones, which are the class scores.",
    },
}


def _methods(folder):
    """Return {method: module} for the files of a folder that define a function `attack`."""
    files = [
        path for path in sorted(folder.glob("*.py")) if re.search(r"^def attack\(", path.read_text(), re.MULTILINE)
    ]
    own = {path.stem: path.stem for path in files if path.stem not in SHORT.values()}
    return {method: f"{__package__}.{name}" for method, name in (SHORT | own).items()}


METHODS = _methods(Path(__file__).parent)
KNOWN = f"one of {', '.join(METHODS)}, or your own in a file stages/attack/<method>.py with a function `attack`"


def module_of(method):
    """Return the name of a method's module: one of this folder, whatever the configuration says."""
    if method not in METHODS:
        raise UserError(f"config: attack.attacks: method: wanted {KNOWN}; found {method!r}")
    return METHODS[method]


def is_confined(method):
    """Tell whether balls confine the attack: all but those that say CONFINED = False."""
    return getattr(importlib.import_module(module_of(method)), "CONFINED", True)


def lengths(method):
    """Return the names of the settings that are l2 norms."""
    return getattr(importlib.import_module(module_of(method)), "LENGTHS", ())


def has_surrogate(method):
    """Tell whether the attack looks for its images on another network: those that say SURROGATE = True."""
    return getattr(importlib.import_module(module_of(method)), "SURROGATE", False)


def schema(method):
    """Return the JSON schema of an attack's line in the configuration: its function's keywords, with its SETTINGS."""
    module = importlib.import_module(module_of(method))
    parameters = inspect.signature(module.attack).parameters.values()
    known = {parameter.name: parameter for parameter in parameters if parameter.kind is parameter.KEYWORD_ONLY}
    needed = [name for name, parameter in known.items() if parameter.default is parameter.empty]
    described = getattr(module, "SETTINGS", {})
    return {
        "additionalProperties": False,
        "required": ["method", *needed],
        "properties": {"method": True} | {name: described.get(name, True) for name in known} | COMMON,
    }


def find(attack):
    """Return the function of an attack's line in the configuration, after checking that these are its settings."""
    from jsonschema import Draft202012Validator
    from jsonschema.exceptions import best_match

    method = attack["method"]
    problem = best_match(Draft202012Validator(schema(method)).iter_errors(attack))
    if problem is not None:
        wanted = ", ".join(key for key in schema(method)["properties"] if key != "method")
        raise UserError(
            f"config: attack.attacks: {'.'.join(map(str, problem.absolute_path)) or method}: {problem.message}; "
            f"method {method} takes {wanted}"
        )
    return importlib.import_module(module_of(method)).attack
