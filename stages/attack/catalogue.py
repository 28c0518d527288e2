"""The interface of an attack method: its settings and what it needs, known before it runs.

To add an attack, write a file stages/attack/methods/<method>.py with a function

    def attack(victim, images, labels, radii, report, *, <the settings of its line in config.yaml>) -> AttackResult

and a line in config.yaml, `<attack>: {method: <method>, <its settings>}`. Nothing else changes: it appears in the
comparison of all attacks, in the table of attacks and in the report. The file may also define

    SETTINGS           {setting: JSON schema}: wrong values are refused before anything runs
    CONFINED = False   it minimises the norm itself, and is not confined to balls
    NORM_SETTINGS      names of its settings that are l2 norms, which are scaled with the side of the images
    SURROGATE = True   it computes its images on `victim.surrogate`, another network

A line of any method may have the settings in COMMON.

victim: `victim.Victim`; images (sample, pixel) that it classifies correctly; labels (sample,); radii: the allowed norms
in ascending order; report(share): to be called with the share of the work that is done.
"""

import inspect

from stages.catalogues import ATTACKS
from stages.runtime.errors import UserError

# Settings that any method's line may have; they are not passed to its function.
COMMON = {
    "hold": {
        "enum": ["scores"],
        "description": "Pixels that the attack leaves as they are: scores, the first ones, which are the class scores.",
    },
}


def is_confined(method):
    """Tell whether the attack is confined to balls."""
    return getattr(ATTACKS.module(method), "CONFINED", True)


def norm_settings(method):
    """Return the names of the settings that are l2 norms."""
    return getattr(ATTACKS.module(method), "NORM_SETTINGS", ())


def has_surrogate(method):
    """Tell whether the attack computes its images on another network."""
    return getattr(ATTACKS.module(method), "SURROGATE", False)


def schema(method):
    """Return the JSON schema of an attack's line in the configuration, from its function's keywords and SETTINGS."""
    parameters = inspect.signature(ATTACKS.find(method)).parameters.values()
    known = {parameter.name: parameter for parameter in parameters if parameter.kind is parameter.KEYWORD_ONLY}
    needed = [name for name, parameter in known.items() if parameter.default is parameter.empty]
    described = getattr(ATTACKS.module(method), "SETTINGS", {})
    return {
        "additionalProperties": False,
        "required": ["method", *needed],
        "properties": {"method": True} | {name: described.get(name, True) for name in known} | COMMON,
    }


def checked(attack):
    """Return the function of an attack's line in the configuration, after checking its settings."""
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
    return ATTACKS.find(method)
