"""The terminal summary: claims, headline accuracies, where the report is; and it starts at once."""

import subprocess
import sys

from stages.report import summarise


def run(root, *arguments):
    command = [sys.executable, "-m", "stages.report.summarise", *map(str, arguments)]
    return subprocess.run(command, cwd=root, capture_output=True, text=True)


def test_it_prints_accuracies_claims_and_the_reports_place(root, finished):
    text = run(root, finished).stdout
    assert "smoke preset, 2 runs" in text
    assert "97.50 (98.05)" in text
    assert "Claims of the paper: 20 hold, 0 do not hold, 0 not decided" in text
    assert f"Report: {finished.resolve() / 'report.html'}" in text
    assert "smaller than the paper's experiment" in text


def test_it_fits_a_terminal(finished):
    assert max(len(line) for line in summarise.summary(finished) if not line.startswith("Report:")) <= 100


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
