"""A wrong preset given to make: the message reaches the user, though Snakemake runs quietly, and nothing is written."""

import shutil
import subprocess

import pytest


@pytest.mark.parametrize(
    ("command", "message"),
    [
        ("restore", "preset: wanted one of beyond, fashion, paper"),
        ("redraw", "wanted the preset of a published run with its stores, found PRESET=papr; there are: paper"),
    ],
)
@pytest.mark.skipif(shutil.which("make") is None, reason="no make")
def test_a_wrong_preset_is_named(root, command, message):
    if not (root / ".venv/.cpu").exists():
        pytest.skip("no environment made by make")
    before = set(root.glob("results/*"))
    done = subprocess.run(["make", command, "PRESET=papr"], cwd=root, capture_output=True, text=True, check=False)
    assert done.returncode != 0
    assert message in done.stderr
    assert "Traceback" not in done.stderr
    assert set(root.glob("results/*")) == before
