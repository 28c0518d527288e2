"""Mutated configurations: each is refused with a message that names the key, or every rule finds its settings in it.

SNODE_FUZZ says how many are tried.
"""

import copy
import datetime
import json
import math
import os
import re

import pytest
import yaml
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from kit import forked_snakemake

from stages.attack.radii import radii_of
from stages.config import checks as config_checks
from stages.config import configuration
from stages.plan import exhibit, experiment, stage_table
from stages.plan.all_exhibits import FIGURES, TABLES
from stages.runtime.errors import UserError

EXAMPLES = int(os.environ.get("SNODE_FUZZ", "200"))
NAME = re.compile(r"[a-z0-9][a-z0-9._-]*")

# What a slip of the keyboard, YAML's own ideas of types, or malice may put in the place of a value.
STRANGE = [
    *[None, True, False, 0, 1, -1, 2, 3.0, 150.0, 0.5, -0.5, 1e-300, 1e308, 10**30, -(10**30)],
    *[float("nan"), float("inf"), float("-inf"), "", " ", "0", "1e-6", "nan", "auto", "yes", "é", "sgd", "ncg_ce_tanh"],
    *[
        "../x",
        "..",
        ".",
        "/etc/passwd",
        "a/b",
        "a\\b",
        "~",
        "a\n",
        "sgd\n",
        "a\0b",
        "{model}",
        "$(id)",
        "`id`",
        "; id",
        "2020-99-99",
    ],
    *["x" * 300, "%s", "<script>", "!!python/object", [], {}, [[]], [None], ["sgd", "sgd"], [float("nan")], {"a": {}}],
    *[datetime.date(2020, 1, 1), datetime.datetime(2020, 1, 1), b"bytes", {1, 2}, (1, 2), {1: 2}, {None: 1, "a": 2}],
]
KEYS = [value for value in STRANGE if not isinstance(value, (list, dict, set))] + ["typo", "A", "run0.zarr"]


def places(value, path=()):
    """Yield the path of everything inside a configuration."""
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, inner in items:
        yield (*path, key)
        yield from places(inner, (*path, key))


def at(config, path):
    for key in path:
        config = config[key]
    return config


@st.composite
def mutated(draw, config):
    """Return (configuration, the keys that one to three mutations touched)."""
    config = copy.deepcopy(config)
    touched = []
    for _ in range(draw(st.sampled_from([1, 1, 1, 2, 3]))):
        everywhere = list(places(config))
        numbers = [path for path in everywhere if isinstance(at(config, path), (int, float))]
        if numbers and draw(st.booleans()):
            path = draw(st.sampled_from(numbers))
            old = at(config, path)
            near = st.sampled_from([old * 2, old / 2, old + 1, -old]) if isinstance(old, float) else st.integers(0, 20)
            at(config, path[:-1])[path[-1]] = draw(st.one_of(near, near, st.integers(), st.floats()))
            touched.append(path)
        elif everywhere:
            path = draw(st.sampled_from(everywhere))
            touched += [path, *change(draw, config, at(config, path[:-1]), path[-1])]
    return config, touched


def change(draw, config, parent, key):
    """Change parent[key] in one of many ways; return the new keys."""
    strange = copy.deepcopy(draw(st.sampled_from(STRANGE)))
    kind = draw(st.sampled_from(["replace", "delete", "add", "rename", "move"]))
    if kind == "delete":
        del parent[key]
    elif kind == "add" and isinstance(parent[key], dict):
        parent[key][new := draw(st.sampled_from(KEYS))] = strange
        return [(new,)]
    elif kind == "add" and isinstance(parent[key], list):
        parent[key].append(strange)
    elif kind == "rename" and isinstance(parent, dict):
        parent[new := draw(st.sampled_from(KEYS))] = parent.pop(key)
        return [(new,)]
    elif kind == "move":
        parent[key] = copy.deepcopy(at(config, draw(st.sampled_from(list(places(config))))))
    else:
        parent[key] = strange
    return []


def use(config):
    """Do with a configuration what the rules do with it before the first job starts."""
    found = [store.settings for store in stage_table.stores(config)]
    records = exhibit.present(config, FIGURES | TABLES)
    found += [exhibit.settings_of(config, name, record) for name, record in records.items()]
    found += [exhibit.claims_settings(config), exhibit.report_settings(config)]
    for part in found:
        text = json.dumps(part, sort_keys=True, allow_nan=False)  # what a rule hands to its program
        assert json.loads(text) == part, "a setting would reach its program as another value"
    for name in (*experiment.all_models(config), *config["attack"]["attacks"]):
        assert NAME.fullmatch(name), name  # names become paths
        assert len(name) < 200
    radii = radii_of(config["attack"]["radii"])
    assert len(radii) <= 10001
    assert all(math.isfinite(radius) and radius > 0 for radius in radii)


@pytest.fixture(scope="module")
def presets():
    from pathlib import Path

    root = Path(__file__).resolve().parents[2]
    return {preset: configuration.load(root, preset) for preset in ("smoke", "quick", "paper", "beyond", "readings")}


def test_a_mutated_configuration_is_refused_with_its_key_or_can_be_used(root, presets):
    counts = {"refused": 0, "accepted": 0}

    @settings(
        max_examples=EXAMPLES, derandomize=True, database=None, deadline=None, suppress_health_check=list(HealthCheck)
    )
    @given(st.sampled_from(sorted(presets)).flatmap(lambda preset: mutated(presets[preset])))
    def try_one(example):
        config, touched = example
        message = refusal(config, root)
        if message is None:
            counts["accepted"] += 1
            use(config)
        else:
            counts["refused"] += 1
            lines = message.splitlines()[1:]
            assert lines
            assert all(re.match(r"  \S.*: ", line) for line in lines), message
            assert any(names_the_key(path, message) for path in touched), (touched, message)

    try_one()
    print(counts)
    assert counts["refused"] > EXAMPLES / 4
    assert counts["accepted"] > 0


def refusal(config, root):
    """Return what the check says of a configuration, or None."""
    try:
        config_checks.check(config, root)
    except UserError as problem:
        return str(problem)
    return None


def names_the_key(path, message):
    """Tell whether a message names a key, or the one that it stands under."""
    words = [str(key) if str(key).isprintable() else ascii(key)[1:-1] for key in path if not isinstance(key, int)]
    return any(word in message for word in words[-2:]) or str(path[-1]) in message


OUTSIDE = [
    "../x",
    "..",
    ".",
    "",
    "/etc/x",
    "a/b",
    "a\\b",
    "~",
    "a b",
    "a\n",
    "a\0b",
    "{a}",
    "$(id)",
    "A",
    "x" * 61,
    "-x",
    ".x",
]


@pytest.mark.parametrize("name", OUTSIDE)
def test_names_that_would_lead_out_of_the_results_are_refused(root, presets, name):
    """Names of losses, trainers, attacks and models become folders."""
    for block, example in (("losses", "ce"), ("trainers", "sgd"), ("attack.attacks", "fgsm")):
        config = copy.deepcopy(presets["smoke"])
        parent = at(config, block.split("."))
        parent[name] = parent[example]
        with pytest.raises(UserError, match=rf"  {block}: wanted names of small letters"):
            config_checks.check(config, root)
    for place in ("table1", "own"):
        for model in (f"{name}_ce_tanh", f"sgd_{name}_tanh", f"sgd_ce_{name}", f"../{name}"):
            config = copy.deepcopy(presets["smoke"])
            config["models"][place] = [model]
            with pytest.raises(UserError, match=f"models.{place}: "):
                config_checks.check(config, root)


@pytest.mark.parametrize("name", [*OUTSIDE, "none", None, 3, ["smoke"], "smoke.yaml", "../presets/smoke"])
def test_a_preset_is_a_file_of_the_presets_folder_and_nothing_else(root, presets, name):
    with pytest.raises(UserError, match=r"preset: wanted one of beyond, fashion, paper, quick, readings, smoke"):
        configuration.preset_path(root, name)
    config = {**copy.deepcopy(presets["smoke"]), "preset": name}
    if not (isinstance(name, str) and NAME.fullmatch(name) and "." not in name):
        with pytest.raises(UserError, match="preset: wanted "):
            config_checks.check(config, root)


BAD = {
    "network: {depth: 150.0}": "network.depth: wanted a whole number at least 1",
    "network: {interval: .nan}": "network.interval: wanted a finite number, found nan",
    "network: {interval: .inf}": "network.interval: wanted a finite number, found inf",
    "data: {folder: 2020-01-01}": "data.folder: wanted text, a number, .* found a date",
    "2020-01-01: {}": "2020-01-01: wanted text as a key",
    "losses: {1: {mu1: 1.0, mu2: 0.0, mu3: 0.0}}": "losses.1: wanted text as a key",
    "seed: 2020-99-99": "seed: wanted a whole number",
}


@pytest.mark.parametrize("text", BAD)
def test_what_yaml_makes_of_a_slip_is_refused_by_name(root, presets, text):
    """Each of these once passed the check, or ended it with a traceback."""
    config = copy.deepcopy(presets["smoke"])
    configuration.merge(config, load(text))
    with pytest.raises(UserError, match=BAD[text]):
        config_checks.check(config, root)


def load(text):
    """Read YAML; what it takes for an impossible date arrives as text when it comes from --config."""
    try:
        return yaml.safe_load(text)
    except ValueError:
        key, _, value = text.partition(": ")
        return {key: value}


@pytest.mark.parametrize(
    ("words", "wanted"),
    [
        (["preset=../x"], r"preset: wanted one of beyond, fashion, paper, quick, readings, smoke, found '../x'"),
        (["preset=smoke", "trainers={../x: {}}"], r"trainers: wanted names of small letters"),
        (["preset=smoke", "network={depth: .nan}"], r"network.depth: wanted a whole number"),
    ],
)
def test_snakemake_itself_stops_with_the_message_and_without_a_traceback(root, tmp_path, words, wanted):
    (tmp_path / "config.yaml").write_text((root / "config.yaml").read_text())
    place = ["--snakefile", root / "Snakefile", "--directory", tmp_path]
    result = forked_snakemake.run(*place, "-n", "--config", *words, folder=tmp_path)
    assert result.returncode == 1
    assert re.search(wanted, result.stdout + result.stderr), result.stdout + result.stderr
    assert "Traceback" not in result.stdout + result.stderr
    assert not (tmp_path / "results").exists()
