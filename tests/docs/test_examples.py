"""Examples in the documents run: the networks in README, the activation that can be added, the tour; tables are those
that were published."""

import importlib.util
import subprocess
import sys

import numpy as np
import pytest
from kit import documents
from kit.documents import DOCUMENTS
from kit.project_copy import ROOT

from stages.zoo import load, names

SECONDS = 300


def program(name):
    """Return a program of workflow/docs as a module."""
    spec = importlib.util.spec_from_file_location(name, ROOT / f"workflow/docs/{name}.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def run(command, folder=ROOT):
    result = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=SECONDS)
    assert result.returncode == 0, result.stderr
    return result.stdout


def test_the_example_in_the_readme_classifies_and_attacks():
    (example,) = documents.blocks(DOCUMENTS["README.md"], "python")
    accuracy, success = map(float, run([sys.executable, "-c", example]).split())
    assert accuracy > 0.95
    assert 0.05 < success < 0.95  # a norm of 0.5 suffices for some of the images


def test_the_interface_is_as_the_document_lists_it():
    (listed,) = [text for text in documents.blocks(DOCUMENTS["stages/README.md"], "python") if "names()" in text]
    values = {"images": np.zeros((2, 14, 14)), "labels": np.zeros(2, int), "perturbations": np.zeros((2, 196))}
    exec(listed, values)
    assert "ncg_ce_relu" in names()
    assert values["net"].trained == load("ncg_ce_relu").trained


def test_the_activation_that_can_be_added_has_the_slope_of_its_value():
    scope = {}
    exec(documents.printed('"""Softsign'), scope)
    σ, a, ε = scope["ACTIVATION"], np.linspace(-2, 2, 21) + 0.01, 1e-6
    difference = (σ.value(a + ε, np.empty(21)) - σ.value(a - ε, np.empty(21))) / (2 * ε)
    np.testing.assert_allclose(σ.slope(a, np.empty(21)), difference, rtol=1e-7)


def test_the_tour_runs_as_a_script_and_draws(tmp_path):
    told = run([sys.executable, str(ROOT / "workflow/docs/tour.py")], tmp_path)
    assert "% of 500 digits classified correctly" in told
    assert (tmp_path / "tour.png").stat().st_size > 10_000
    cells = (ROOT / "workflow/docs/tour.py").read_text().count("\n# %%")
    assert cells > 12


@pytest.mark.parametrize("path", program("include_tables").documents(), ids=lambda path: path.name)
def test_tables_in_the_documents_are_those_that_were_published(path):
    text = path.read_text()
    assert program("include_tables").filled(text) == text, "run python workflow/docs/include_tables.py"


def test_a_table_is_chosen_by_columns_and_rows_and_a_wrong_one_is_refused(tmp_path):
    (tmp_path / "a.csv").write_text("# how it was made\nname,value,value\nx,1,2\ny,3,4\n")
    filled = program("include_tables").filled
    text = "<!-- table: a.csv | name | value#2 | name = y -->\nold\n<!-- end of table -->"
    assert "| name | value |\n| --- | ---: |\n| y | 4 |\n" in filled(text, tmp_path)
    assert "old" not in filled(text, tmp_path)
    for wrong in ("value#3", "colour", "name = z"):
        with pytest.raises(SystemExit, match="wanted"):
            filled(text.replace("value#2", wrong), tmp_path)
