"""workflow/docs/outputs.md lists every variable of the stores as the stages write them now."""

import importlib.util
import re

import pytest
from kit.project_copy import ROOT
from kit.snakemake_project import tiny_project

# One network of each method and every kind of attack; no figure, table or report.
SMALL = ["beyond=true", "models={table2: {losses: [ce]}}"]
PARTS = ("data", "train", "noise", "sensitivity", "uncertainty", "solvers", "attacks")


@pytest.fixture(scope="module")
def results(tmp_path_factory):
    workflow = tiny_project(tmp_path_factory.mktemp("outputs"))
    result = workflow.snakemake(*PARTS, config=SMALL)
    assert result.returncode == 0, result.stdout + result.stderr
    return workflow.folder / "results/smoke"


def test_the_list_of_outputs_is_that_of_a_run_of_today(results):
    spec = importlib.util.spec_from_file_location("list_outputs", ROOT / "workflow/docs/list_outputs.py")
    program = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(program)
    assert program.page(results) == program.PAGE.read_text(), (
        "snakemake --config preset=smoke beyond=true, then python workflow/docs/list_outputs.py results/smoke"
    )


def test_every_variable_says_what_it_is():
    text = (ROOT / "workflow/docs/outputs.md").read_text()
    rows = re.findall(r"^\| `(\w+)` \| .* \| (.*) \|$", text, flags=re.MULTILINE)
    assert len(rows) > 60
    assert [name for name, meaning in rows if not meaning] == []
