"""What every stage program does: help in a moment, messages instead of tracebacks for a user's mistakes."""

import subprocess
import sys
import time

import pytest

PROGRAMS = [
    "stages.data.fetch_digits",
    "stages.data.downsample_digits",
    "stages.train.train_network",
    "stages.evaluate.evaluate_noise",
    "stages.evaluate.estimate_sensitivity",
    "stages.evaluate.estimate_uncertainty",
    "stages.evaluate.swap_solvers",
    "stages.attack.attack_network",
    "stages.claims.judge_claims",
    "stages.report.write_report",
]


def run(root, module, *options):
    return subprocess.run([sys.executable, "-m", module, *options], cwd=root, capture_output=True, text=True)


@pytest.mark.parametrize("module", PROGRAMS)
def test_help_explains_the_program_and_imports_nothing_slow(root, module):
    """The time itself is the bench's business; here, that the slow packages stay out."""
    code = f"import runpy, sys; sys.argv = ['x', '--help']\ntry: runpy.run_module({module!r}, run_name='__main__')\n"
    code += "except SystemExit: pass\nprint('slow:', {'xarray', 'zarr', 'matplotlib', 'pandas'} & set(sys.modules))"
    result = subprocess.run([sys.executable, "-c", code], cwd=root, capture_output=True, text=True)
    assert "--settings" in result.stdout, result.stderr
    assert "slow: set()" in result.stdout


def test_settings_that_are_not_json_get_a_message(root):
    result = run(
        root,
        "stages.evaluate.evaluate_noise",
        "--settings",
        "nonsense",
        "--digits",
        "a",
        "--network",
        "b",
        "--out",
        "c",
    )
    assert result.returncode == 2
    assert "wanted JSON text, or a JSON file" in result.stderr
    assert "Traceback" not in result.stderr


def test_a_missing_store_gets_a_message(root, tmp_path):
    settings = '{"trained": {"network": {}}}'
    options = ["--settings", settings, "--digits", "a.zarr", "--network", "b.zarr", "--out", str(tmp_path / "c.zarr")]
    result = run(root, "stages.evaluate.evaluate_noise", *options, "--device", "cpu")
    assert result.returncode == 1
    assert "error: wanted the store b.zarr with its manifest b.json" in result.stderr
    assert "Traceback" not in result.stderr


def test_progress_lines_tell_the_time_left(caplog):
    from stages.runtime.progress import Progress

    caplog.set_level("INFO")
    progress = Progress(4, "batch", every_seconds=0)
    progress.started = time.monotonic() - 10
    progress.advance("cost 1.0")
    assert "batch 1/4, 0.1/s, 30 s left, cost 1.0" in caplog.text


def test_what_is_left_at_the_end_is_not_searched_for_garbage(root):
    code = "import gc, sys; from stages.runtime import program; sys.argv[1:] = []\n"
    code += "program.run('ends', lambda parser: None, lambda options: None, settings=False)\n"
    code += "print('left to search:', len(gc.get_objects()) < 100)"
    result = subprocess.run([sys.executable, "-c", code], cwd=root, capture_output=True, text=True)
    assert "left to search: True" in result.stdout, result.stderr
