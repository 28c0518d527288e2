"""What the schema says of a configuration, in our words: keys, kinds and ranges, attacks' own settings too."""

import difflib
import functools
import json
import math

import yaml

from stages.attack import methods


def problems(config, root):
    """Return a line for each value that the schema refuses; texts that stand for numbers become numbers, in place."""
    lines = kind_problems(config)
    if not lines:
        read_numbers(config, _schema(root))
        lines = schema_problems(config, _schema(root))
    return lines


@functools.cache
def _schema(root):
    schema = yaml.safe_load((root / "workflow/schemas/config.schema.yaml").read_text())
    attack = schema["properties"]["attack"]["properties"]
    attack["attacks"]["additionalProperties"]["allOf"] = [
        {"if": {"properties": {"method": {"const": method}}}, "then": _line_schema(method, attack["radii"])}
        for method in methods.METHODS
    ]
    return schema


def _line_schema(method, radii):
    """Return the schema of an attack's line: what its method takes, and radii of its own where balls confine it."""
    line = methods.schema(method)
    line["properties"] |= {"radii": radii} if methods.is_confined(method) else {}
    return line


def kind_problems(value, place=""):
    """Return a line for each value that is none of JSON's kinds: no rule could hand it to its program as it is."""
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
    # What YAML makes of 2020-01-01 or !!set.
    return [f"{place}: wanted text, a number, true, false, a list or a block of keys, found a {type(value).__name__}"]


@functools.cache
def _validator():
    """Return jsonschema's validator, for which 150.0 is not a whole number: it would not do as a number of layers."""
    from jsonschema import Draft202012Validator, validators

    kinds = Draft202012Validator.TYPE_CHECKER
    whole = kinds.redefine("integer", lambda _, value: isinstance(value, int) and not isinstance(value, bool))
    return validators.extend(Draft202012Validator, type_checker=whole)


def read_numbers(config, schema):
    """Turn texts into the numbers and truth values that the schema wants, in place.

    Snakemake hands over nested values of --config as text: training='{runs: 3}' arrives as {"runs": "3"}.
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
    """Return the number or truth value that a text stands for, also 1e-6, which YAML takes for text; None if none."""
    try:
        value = yaml.safe_load(text)
        value = float(value) if isinstance(value, str) else value
    except (yaml.YAMLError, ValueError, RecursionError):  # ValueError: also a date with a 13th month
        return None
    return value if isinstance(value, (bool, int)) or (isinstance(value, float) and math.isfinite(value)) else None


def schema_problems(config, schema):
    """Return a line for each value that the schema refuses."""
    errors = _validator()(schema).iter_errors(config)
    lines = [line for error in sorted(errors, key=lambda error: list(map(str, error.path))) for line in _lines(error)]
    return list(dict.fromkeys(lines))


def _lines(error):
    """Say in our words what jsonschema found."""
    if error.validator in ("allOf", "if", "anyOf") and error.context and error.validator != "anyOf":
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
