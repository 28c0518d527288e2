"""What the README prints: its configurations fit, and every command, rule and file that it names is there.

Long commands are not run here: that they say something which the project understands is what can rot unseen.
"""

import re
import shlex

import pytest
import yaml
from project_copy import ROOT

from stages.plan import config_checks, configuration

README = (ROOT / "README.md").read_text()
BLOCKS = re.findall(r"```(\w+)\n(.*?)```", README, flags=re.DOTALL)
COMMANDS = sorted(
    set(re.findall(r"^ {4,}(?:\.venv/bin/)?(snakemake .*)$", README, flags=re.MULTILINE))
    | set(re.findall(r"`(snakemake [^`]*)`", README.replace("\n", " ")))
)


def words_of(command):
    return shlex.split(command, comments=True)


def configuration_of(words):
    """Return the words after --config, up to the next option, as blocks of keys."""
    if "--config" not in words:
        return {}
    rest = words[words.index("--config") + 1 :]
    values = [word.split("=", 1) for word in rest[: next((n for n, w in enumerate(rest) if w[0] == "-"), None)]]
    return {key: yaml.safe_load(value) for key, value in values}


def test_the_commands_are_found():
    assert len(COMMANDS) > 15
    assert sum("--config" in command for command in COMMANDS) > 8


@pytest.mark.parametrize("command", COMMANDS)
def test_a_printed_command_fits_the_configuration_and_names_what_is_there(command):
    words = words_of(command)
    changes = configuration_of(words)
    if "grey" not in command:  # the attack that the README adds: test_adding.py does so and runs it
        config_checks.check(configuration.load(ROOT, overrides=changes), ROOT)
    for option in ("--profile", "--configfile"):
        named = words[words.index(option) + 1] if option in words else "workflow"
        assert (ROOT / named).exists() or f"a file `{named}`" in README or "mine.yaml" in command


def blocks_as_configuration():
    return [block for language, block in BLOCKS if language == "yaml" and "..." not in block]


@pytest.mark.parametrize("block", blocks_as_configuration())
def test_a_printed_block_of_configuration_fits(block):
    config_checks.check(configuration.load(ROOT, overrides=yaml.safe_load(block)), ROOT)


def test_every_make_command_is_in_the_makefile():
    named = set(re.findall(r"(?:`|^ {4,})(?:[A-Z]+=\S+ )?make ([a-z-]+)", README, flags=re.MULTILINE))
    there = set(re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(), flags=re.MULTILINE))
    assert {"reproduce", "test", "setup-gpu", "bench"} <= named
    assert named <= there


def test_the_drawn_graph_has_the_rules_that_there_are():
    (graph,) = [block for language, block in BLOCKS if language == "mermaid"]
    drawn = set(re.findall(r"\b[a-z]+_[a-z_]+\b|\btabulate\b", graph))
    rules = "".join(path.read_text() for path in (ROOT / "workflow/rules").glob("*.smk"))
    there = set(re.findall(r"^(?:rule|use rule \w+ as) (\w+)", rules, flags=re.MULTILINE))
    assert there - {"estimate_uncertainty"} == drawn  # beyond the paper


def test_every_file_that_is_named_is_there():
    named = set(re.findall(r"`((?:workflow|stages|tests|envs)/[\w./-]+?)/?`", README))
    made = {f"workflow/published/{name}" for name in ("paper", "networks", "stores")} | {"stages/attack/grey.py"}
    assert len(named) > 20
    assert [name for name in sorted(named - made) if not (ROOT / name).exists()] == []
