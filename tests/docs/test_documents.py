"""What the documents print: links lead somewhere, configurations fit, commands, rules and files are there.

Long commands are not run here: what can rot unseen is that they name something which the project no longer has.
"""

import csv
import re
import shlex
import subprocess
import sys

import numpy as np
import pytest
import yaml
from kit import documents
from kit.documents import BY_HAND, DOCUMENTS
from kit.project_copy import ROOT

from stages.config import checks as config_checks
from stages.config import configuration
from stages.exchange import safetensors_files
from stages.plan import exhibit
from stages.plan.all_exhibits import FIGURES, TABLES
from stages.plan.costs import Costs, experiment_jobs

README = DOCUMENTS["README.md"]
LINES = 160  # of README.md: two minutes
COMMANDS = sorted({command for text in BY_HAND.values() for command in documents.commands(text)})
EXAMPLES = {"stages/attack/methods/grey.py", "stages/model/activations/softsign.py", "stages/figures/plot_classes.py"}


def test_the_readme_is_short():
    left = len([row for row in published("table2_accuracy") if not row["test_accuracy_mean"]])  # they will be rows too
    assert README.count("\n") + left <= LINES


def test_every_folder_that_needs_one_has_its_document():
    wanted = [
        "workflow",
        "workflow/profiles",
        "workflow/published",
        "envs",
        "stages",
        "tests",
        "tests/bench",
        "tests/pretend_gpu",
    ]
    assert {f"{folder}/README.md" for folder in wanted} <= set(DOCUMENTS)
    assert {f"workflow/docs/{name}.md" for name in ("outputs", "decisions", "findings", "beyond")} <= set(DOCUMENTS)


@pytest.mark.parametrize("name", DOCUMENTS)
def test_every_link_leads_to_a_file_and_every_anchor_to_a_heading(name):
    for target in documents.links(DOCUMENTS[name]):
        if re.match(r"https?://", target):
            continue
        path, _, anchor = target.partition("#")
        there = (ROOT / name).parent / path if path else ROOT / name
        assert there.exists(), f"{name}: {target}"
        if anchor:
            assert anchor in documents.anchors(there.read_text()), f"{name}: {target}"


def test_every_document_is_reached_from_the_readme():
    reached, left = set(), ["README.md"]
    while left:
        name = left.pop()
        if name in reached:
            continue
        reached.add(name)
        files = [target.partition("#")[0] for target in documents.links(DOCUMENTS[name]) if "://" not in target]
        paths = [((ROOT / name).parent / file).resolve() for file in files if file]
        left += [str(path.relative_to(ROOT)) for path in paths if path.suffix == ".md"]
    apart = (".github/", *documents.WRITTEN_BY_PROGRAMS)  # GitHub's own, and the tables of published folders
    assert {name for name in DOCUMENTS if not name.startswith(apart)} <= reached


# --- commands ---------------------------------------------------------------------------------------------------------


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
    assert len(COMMANDS) > 20
    assert sum("--config" in command for command in COMMANDS) > 8


def test_a_dry_run_for_slurm_is_of_the_run_that_follows_it():
    printed = documents.commands(DOCUMENTS["workflow/profiles/README.md"])
    words = [set(command.partition("#")[0].split()) for command in printed if "workflow/profiles/slurm" in command]
    dry_runs = [each - {"-n"} for each in words if "-n" in each]
    assert dry_runs
    assert all(each in words for each in dry_runs)


@pytest.fixture
def trained_elsewhere(tmp_path, monkeypatch):
    """A network in the file that documents call mine.safetensors: they train it with PyTorch."""
    monkeypatch.chdir(tmp_path)
    weights = {"W": np.zeros((20, 196, 196), np.float32), "b": np.zeros((20, 196), np.float32)}
    safetensors_files.write("mine.safetensors", weights, {})


@pytest.mark.usefixtures("trained_elsewhere")
@pytest.mark.parametrize("command", COMMANDS)
def test_a_printed_command_fits_the_configuration_and_names_what_is_there(command):
    words = words_of(command)
    changes = configuration_of(words)
    if "grey" not in command:  # the attack that a document adds: test_adding.py does so and runs it
        config_checks.check(configuration.load(ROOT, overrides=changes), ROOT)
    for option in ("--profile", "--configfile"):
        named = words[words.index(option) + 1] if option in words else "workflow"
        whole = "".join(BY_HAND.values())
        assert (ROOT / named).exists() or f"a file `{named}`" in whole or named == "mine.yaml"


def blocks_as_configuration():
    found = [block for text in BY_HAND.values() for block in documents.blocks(text, "yaml")]
    return [block for block in found if "..." not in block]


@pytest.mark.parametrize("block", blocks_as_configuration())
def test_a_printed_block_of_configuration_fits(block):
    config_checks.check(configuration.load(ROOT, overrides=yaml.safe_load(block)), ROOT)


def test_every_make_command_is_in_the_makefile():
    whole = "\n".join(BY_HAND.values())
    named = set(re.findall(r"(?:`|^ {4,})(?:[A-Z]+=\S+ )?make ([a-z-]+)", whole, flags=re.MULTILINE))
    there = set(re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(), flags=re.MULTILINE))
    assert {"reproduce", "test", "plan", "unlock", "setup-gpu", "bench"} <= named
    assert named <= there


def programs():
    """Return the modules that a document runs by name."""
    return sorted({name for text in BY_HAND.values() for name in re.findall(r"python -m (stages[\w.]*)", text)})


@pytest.mark.parametrize("program", programs())
def test_every_program_that_is_named_runs(program):
    result = subprocess.run([sys.executable, "-m", program, "--help"], cwd=ROOT, capture_output=True, text=True)
    assert result.returncode == 0, result.stderr


# --- files, rules, sizes ----------------------------------------------------------------------------------------------


def test_the_drawn_graph_has_the_rules_that_there_are():
    (graph,) = documents.blocks(DOCUMENTS["workflow/README.md"], "mermaid")
    drawn = set(re.findall(r"\b[a-z]+_[a-z_]+\b|\btabulate\b", graph))
    rules = "".join(path.read_text() for path in (ROOT / "workflow/rules").glob("*.smk"))
    there = set(re.findall(r"^(?:rule|use rule \w+ as) (\w+)", rules, flags=re.MULTILINE))
    assert there - {"estimate_uncertainty"} == drawn  # beyond the paper


@pytest.mark.parametrize("name", BY_HAND)
def test_every_file_that_is_named_is_there(name):
    named = set(re.findall(r"`((?:workflow|stages|tests|envs|\.github)/[\w./-]+?)/?`", BY_HAND[name]))
    assert [path for path in sorted(named - EXAMPLES) if not (ROOT / path).exists()] == []


def test_the_readme_maps_every_exhibit_to_its_place_in_the_paper():
    rows = re.findall(r"^\| ((?:Table|Figure)s? [^|]*?) \| (.*?) \|", README, flags=re.MULTILINE)
    places = {name: place for place, cell in rows for name in re.findall(r"`(?:tables|figures)/(\w+)`", cell)}
    numbers = {name: set(re.findall(r"\d+", place)) for name, place in places.items()}
    wanted = {
        name: set(re.findall(r"\d+", record.place))
        for name, record in (FIGURES | TABLES).items()
        if re.match(r"(Table|Figure)", record.place)
    }
    assert numbers.keys() == wanted.keys()
    assert all(wanted[name] <= numbers[name] for name in wanted)


def published(table, **wanted):
    with open(ROOT / f"workflow/published/paper/tables/{table}.csv", newline="") as file:
        return [row for row in csv.DictReader(file) if all(row[key] == value for key, value in wanted.items())]


def test_the_readme_states_the_core_hours_that_the_plan_estimates():
    config = configuration.load(ROOT, "paper")
    costs = Costs(config, {})
    hours = sum(costs.seconds(folder, model, run) for folder, model, run in experiment_jobs(config)) / 3600
    (stated,) = re.findall(r"about (\d+) core-hours", README)
    assert abs(int(stated) - hours) < 0.05 * hours
    assert exhibit.present(config, FIGURES)


def test_the_version_is_stated_once():
    version = re.search(r'^version = "(.*)"$', (ROOT / "pyproject.toml").read_text(), flags=re.MULTILINE)[1]
    assert f'__version__ = "{version}"' in (ROOT / "stages/__init__.py").read_text()
    assert yaml.safe_load((ROOT / "CITATION.cff").read_text())["version"] == version
    assert f"\n## {version} (" in DOCUMENTS["CHANGELOG.md"]


def test_continuous_integration_calls_make_test():
    jobs = yaml.safe_load((ROOT / ".github/workflows/ci.yml").read_text())["jobs"]
    assert "make test" in [step.get("run") for job in jobs.values() for step in job["steps"]]
