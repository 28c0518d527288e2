"""The configuration: config.yaml, then the preset, then the command line; each overrides the previous key by key."""

import copy
from pathlib import Path

import yaml

from stages.runtime.errors import UserError


def config_file(root, directory):
    """Return the config.yaml to use: that of the working directory if there is one, else the project's."""
    own = Path(directory, "config.yaml")
    return own if own.is_file() else root / "config.yaml"


def load(root, preset=None, overrides=None, file=None):
    """Return the configuration of the project under `root`, from its config.yaml or from another `file`.

    preset: counts more than one in `overrides`.
    """
    overrides = (overrides or {}) | ({"preset": preset} if preset else {})
    config = _read(file or root / "config.yaml")
    if "preset" not in config | overrides:
        raise UserError(f"config: preset: missing; {must_be_whole(file)}")
    merge(config, overrides)
    merge(config, _read(preset_path(root, config["preset"])))
    merge(config, overrides)
    complete_readings(config)
    return config


def must_be_whole(file):
    """Return the hint for a user's own config.yaml that is incomplete."""
    return (
        f"{Path(file).resolve()} takes the place of the project's config.yaml and must be whole; for a few changes "
        "give the file another name and say snakemake --configfile <name>"
    )


def _read(path):
    try:
        content = yaml.safe_load(path.read_text()) or {}
    except (yaml.YAMLError, UnicodeDecodeError) as problem:
        raise UserError(f"{path}: wanted YAML, found {' '.join(str(problem).split())}") from None
    if not isinstance(content, dict):
        raise UserError(
            f"{path}: wanted blocks of keys, as in the project's config.yaml; found {type(content).__name__}"
        )
    return content


def preset_path(root, name):
    """Return the file of a preset; raise a UserError that lists the presets if there is none."""
    folder = root / "workflow" / "presets"
    names = sorted(path.stem for path in folder.glob("*.yaml"))
    if name not in names:
        raise UserError(f"config: preset: wanted one of {', '.join(names)}, found {name!r}")
    return folder / f"{name}.yaml"


def from_file(path):
    """Return the overrides in a file, as for Snakemake's --configfile; none if there is no path."""
    if path is None:
        return {}
    if not path.is_file():
        raise UserError(f"--configfile: wanted a file, found none at {path}")
    return _read(path)


def from_words(words):
    """Parse words KEY=VALUE into overrides, as Snakemake's --config does."""
    overrides = {}
    for word in words:
        key, equals, value = word.partition("=")
        try:
            overrides[key] = yaml.safe_load(value)
        except yaml.YAMLError:
            equals = ""
        if not (key and equals):
            raise UserError(f"--config: wanted words such as 'training={{runs: 3}}', found {word!r}")
    return overrides


def merge(config, changes):
    """Merge nested `changes` into `config`, in place."""
    for key, value in changes.items():
        if isinstance(value, dict) and isinstance(config.get(key), dict):
            merge(config[key], value)
        else:
            config[key] = copy.deepcopy(value)


def reading_blocks(config):
    """Yield (place, block) of trainers, losses and attacks, whose lines may have `reads: <row>`."""
    for place in ("trainers", "losses", "attack.attacks"):
        block = config
        for key in place.split("."):
            block = block.get(key) if isinstance(block, dict) else None
        if isinstance(block, dict):  # else the schema refuses it
            yield place, block


def complete_readings(config):
    """Complete every line that has `reads: <row>` with the settings of that row, in place.

    A line whose row does not exist is left unchanged: the checks refuse it.
    """
    for _, block in reading_blocks(config):
        for name, line in block.items():
            row = line.get("reads") if isinstance(line, dict) else None
            if isinstance(row, str) and isinstance(block.get(row), dict):
                block[name] = copy.deepcopy(block[row])
                merge(block[name], line)
