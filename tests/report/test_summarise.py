"""The terminal summary: claims, headline accuracies, where the report is; and it starts at once."""

import re
import shutil
import subprocess
import sys

import pytest

from stages.claims.judge_claims import CLAIMS
from stages.report import summarise


def run(root, *arguments):
    command = [sys.executable, "-m", "stages.report.summarise", *map(str, arguments)]
    return subprocess.run(command, cwd=root, capture_output=True, text=True)


def test_it_prints_accuracies_claims_and_the_reports_place(root, finished, tmp_path):
    text = run(root, finished).stdout
    assert "smoke preset, 2 runs" in text
    assert "97.50 (98.05)" in "\n".join(summarise.summary(finished, tmp_path / "nothing published"))
    assert f"Claims of the paper: {len(CLAIMS)} hold, 0 hold in part, 0 do not hold, and 0 are not decided" in text
    assert re.search(r"comparisons:   [█▓▒░·]{40}  \d+\n  █ \d+ clearly for", text)
    assert f"Report: {finished.resolve() / 'report.html'}" in text
    assert "smaller than the paper's experiment" in text


def test_what_is_published_stands_beside_it(finished, tmp_path):
    """The same run stands in for one at the paper's scale, of which not every network is there."""
    published = shutil.copytree(finished, tmp_path / "paper", ignore=shutil.ignore_patterns("*.zarr", "figures"))
    table = published / "tables/table2_accuracy.csv"
    lines = table.read_text().splitlines(keepends=True)
    table.write_text("".join(line for line in lines if not line.startswith("ncg-wd,")))
    text = "\n".join(summarise.summary(finished, published))
    assert "97.50 97.50 (98.05)" in text
    assert " - (" in text
    assert text.index("Here, at this size") < text.index("At the paper's scale, as published")
    assert text.count(f"Claims of the paper: {len(CLAIMS)} hold") == 2


def test_a_run_that_was_published_before_comparisons_were_counted_is_shown_too():
    old = [{"id": "C01", "verdict": "holds"}, {"id": "C02", "verdict": "does not hold"}]
    assert list(summarise._verdicts(old))[1:] == ["  holds:         C01", "  does not hold: C02"]


@pytest.mark.parametrize("published", ["beside it", "nothing"])
def test_it_fits_a_terminal(finished, tmp_path, published):
    lines = summarise.summary(finished, finished if published == "beside it" else tmp_path)
    assert max(len(line) for line in lines if not line.startswith("Report:")) <= 100


def test_every_trainer_has_its_short_name():
    table = [{"loss": "ce", "activation": "relu", "test_accuracy_mean": "97.5", "trainer": "ncg-sobolev-pixels"}]
    assert list(summarise._accuracies(table, []))[1] == f"  {'Sobolev pix.':<12}{'97.50':>17}"


def test_a_folder_without_results_gets_a_clear_error(root, tmp_path):
    done = run(root, tmp_path)
    assert done.returncode == 1
    assert "run the workflow first" in done.stderr
    assert "Traceback" not in done.stderr


def test_it_starts_at_once(root):
    """It imports nothing that takes time to import."""
    code = "import sys, stages.report.summarise; print(*{'numpy', 'xarray', 'zarr', 'matplotlib'} & set(sys.modules))"
    told = subprocess.run([sys.executable, "-c", code], cwd=root, capture_output=True, text=True, check=True)
    assert told.stdout.strip() == ""
