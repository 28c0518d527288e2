"""Validation of a configuration by its schema, with readable messages: keys, types, ranges, settings of attacks."""

import difflib
import functools
import json
import math

import yaml

from stages.attack import catalogue
from stages.catalogues import ATTACKS, LAYERS, METHODS, SOLVERS


def problems(config, root):
    """Return a line for each value that the schema refuses; text that represents numbers is converted, in place."""
    if lines := kind_problems(config):
        return lines
    read_numbers(config, schema := _schema(root))
    errors = sorted(_validator()(schema).iter_errors(config), key=lambda error: list(map(str, error.path)))
    return list(dict.fromkeys(line for error in errors for line in _lines(error)))


@functools.cache
def _schema(root):
    text = (root / "workflow/schemas/config.schema.yaml").read_text()
    # Every command and every job of a cluster reads it: by libyaml, where there is one, in a tenth of the time.
    schema = yaml.load(text, Loader=getattr(yaml, "CSafeLoader", yaml.SafeLoader))
    places = schema["properties"]
    attack, trainer = places["attack"]["properties"], places["trainers"]["additionalProperties"]["properties"]
    attack["attacks"]["additionalProperties"]["allOf"] = [
        {"if": {"properties": {"method": {"const": method}}}, "then": _line_schema(method, attack["radii"])}
        for method in ATTACKS
    ]
    trainer["method"]["enum"], trainer["solver"]["enum"] = METHODS.names, SOLVERS.names
    places["solvers"]["properties"]["inference"]["items"] = {"enum": SOLVERS.names}
    for name, entry in with_settings().items():
        block = {"type": "object", "additionalProperties": False, "description": f"Settings of {name}."}
        block |= {"properties": entry.settings | getattr(entry, "options", {})}
        places[name] = block | {"required": list(entry.settings)}
        trainer[name] = block  # overrides the common block, so part of it is enough
    for network in (places["network"], trainer["network"]):
        network["properties"]["layer"] = _layer_schema()
    return schema


def with_settings():
    """Return {name: entry} of the methods and solvers that have a block of settings."""
    entries = {name: each.find(name) for each in (METHODS, SOLVERS) for name in each}
    return {name: entry for name, entry in entries.items() if entry.settings or getattr(entry, "options", {})}


def _layer_schema():
    """Return the schema of network.layer: dense, or a block with a kind and the settings of that kind."""
    kinds = {kind: LAYERS.find(kind) for kind in LAYERS}
    blocks = {kind: entry for kind, entry in kinds.items() if entry.settings}
    plain = {"enum": [kind for kind in kinds if kind not in blocks], "description": "Or a block with `kind`."}
    each = [
        {
            "if": {"properties": {"kind": {"const": kind}}},
            "then": {
                "additionalProperties": False,
                "required": ["kind", *entry.settings],
                "properties": {"kind": True} | entry.settings | entry.options,
            },
        }
        for kind, entry in blocks.items()
    ]
    kind = {"enum": list(blocks), "description": "Kind of a layer that has settings."}
    block = {"required": ["kind"], "properties": {"kind": kind}, "allOf": each}
    return {"if": {"type": "object"}, "then": block, "else": plain}


def _line_schema(method, radii):
    """Return the schema of an attack's line: its method's settings, and `radii` if the attack is confined to balls."""
    line = catalogue.schema(method)
    line["properties"] |= {"reads": True} | ({"radii": radii} if catalogue.is_confined(method) else {})
    return line


def kind_problems(value, place=""):
    """Return a line for each value that is not of a JSON type: rules could not pass it to their programs unchanged."""
    if isinstance(value, dict):
        keys = [
            f"{_join(place, key)}: wanted text as a key, found {key!r}" for key in value if not isinstance(key, str)
        ]
        return keys + [line for key in value for line in kind_problems(value[key], _join(place, key))]
    if isinstance(value, list):
        return [line for number, item in enumerate(value) for line in kind_problems(item, _join(place, number))]
    if isinstance(value, float) and not math.isfinite(value):
        return [f"{place}: wanted a finite number, found {value}"]
    if value is None or isinstance(value, (str, bool, int, float)):
        return []
    # Such as YAML's values for 2020-01-01 or !!set.
    return [f"{place}: wanted text, a number, true, false, a list or a block of keys, found a {type(value).__name__}"]


@functools.cache
def _validator():
    """Return jsonschema's validator, changed so that 150.0 is not an integer: it cannot be a number of layers."""
    from jsonschema import Draft202012Validator, validators

    kinds = Draft202012Validator.TYPE_CHECKER
    whole = kinds.redefine("integer", lambda _, value: isinstance(value, int) and not isinstance(value, bool))
    return validators.extend(Draft202012Validator, type_checker=whole)


def read_numbers(config, schema):
    """Convert text to numbers and booleans where the schema asks for them, in place.

    Snakemake passes nested values of --config as text: training='{runs: 3}' arrives as {"runs": "3"}.
    """
    errors = list(_validator()(schema).iter_errors(config))
    while errors:
        error = errors.pop()
        errors.extend(error.context)
        if error.validator != "type" or not isinstance(error.instance, str):
            continue
        value = _number(error.instance)
        if value is not None:
            *parents, last = error.absolute_path
            target = config
            for key in parents:
                target = target[key]
            target[last] = value


def _number(text):
    """Return the number or boolean that a text represents, including 1e-6, which is text to YAML; None if none."""
    try:
        value = yaml.safe_load(text)
        value = float(value) if isinstance(value, str) else value
    except (yaml.YAMLError, ValueError, RecursionError):  # ValueError: also a date with a 13th month
        return None
    return value if isinstance(value, (bool, int)) or (isinstance(value, float) and math.isfinite(value)) else None


def _lines(error):
    if error.validator in ("allOf", "if") and error.context:
        return [line for inner in error.context for line in _lines(inner)]
    place = ".".join(map(str, error.absolute_path))
    if error.validator == "additionalProperties" and isinstance(error.schema.get("additionalProperties"), bool):
        known = list(error.schema.get("properties", {}))
        unknown = [key for key in error.instance if key not in known]
        return [f"{_join(place, key)}: unknown key{_suggestion(key, known)}" for key in unknown]
    if error.validator == "required":
        missing = [key for key in error.schema["required"] if key not in error.instance]
        kinds = error.schema.get("properties", {})
        wanted = {key: f"; wanted {_wanted(kinds[key])}" for key in missing if isinstance(kinds.get(key), dict)}
        return [f"{_join(place, key)}: missing{wanted.get(key, '')}" for key in missing]
    if error.validator == "propertyNames" or "propertyNames" in map(str, error.absolute_schema_path):
        wanted = f"names of small letters, digits, '.' and '-', {error.schema['maxLength']} at most, without .zarr"
        return [f"{place}: wanted {wanted}, found {_shown(error.instance)}"]
    meaning = error.schema.get("description", "") if isinstance(error.schema, dict) else ""
    line = f"{place or 'config'}: wanted {_wanted(error.schema)}, found {_shown(error.instance)}"
    return [f"{line} ({meaning.rstrip('.')})" if meaning else line]


def _wanted(schema):
    """Describe what a schema accepts."""
    if "anyOf" in schema:
        return " or ".join(_wanted(part) for part in schema["anyOf"])
    if "enum" in schema:
        return "one of " + ", ".join(map(str, schema["enum"]))
    kind = {"integer": "a whole number", "number": "a number", "string": "text", "boolean": "true or false"}
    kind |= {"array": "a list", "object": "a block of keys"}
    bounds = {"minimum": "at least", "exclusiveMinimum": "above", "maximum": "at most", "exclusiveMaximum": "below"}
    bounds |= {"pattern": "that fits"}
    said = [f"{text} {schema[key]}" for key, text in bounds.items() if key in schema]
    words = [kind.get(schema.get("type"), "a value"), " and ".join(said)]
    if "minItems" in schema:
        least, most = schema["minItems"], schema.get("maxItems")
        words.append(f"of {least} to {most} values" if most else f"of at least {least}")
    if schema.get("uniqueItems"):
        words.append("without repetition")
    return " ".join(filter(None, words))


def _shown(value):
    text = json.dumps(value, default=str)
    return text if len(text) <= 80 else text[:77] + "..."


def _join(place, key):
    name = str(key) if str(key).isprintable() and str(key).strip() else ascii(str(key))
    return f"{place}.{name}" if place else name


def _suggestion(key, known):
    close = difflib.get_close_matches(str(key), known, n=1)
    return f"; did you mean {close[0]}?" if close else f"; known here: {', '.join(known)}"
