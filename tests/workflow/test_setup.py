"""Set-up compiles what the jobs import, whatever the folder's name, and not the packages' own tests."""

import shutil
import subprocess
import sys

import pytest


@pytest.mark.skipif(shutil.which("make") is None, reason="no make")
def test_packages_are_compiled_without_their_tests(root, tmp_path):
    clone = tmp_path / "tests" / "clone"  # the clone's own place is not looked at
    package = clone / ".venv/lib/python3/site-packages/package"
    for folder in (package / "tests", clone / ".venv/bin", clone / "stages", clone / "workflow/terminal"):
        folder.mkdir(parents=True)
    (clone / ".venv/bin/python").symlink_to(sys.executable)
    for path in (package / "module.py", package / "tests/test_module.py", clone / "stages/stage.py"):
        path.write_text("number = 1\n")
    (package / "template.py").write_text("{{ name }} is no Python\n")

    steps = ["make", "-n", "-W", "envs/cpu.txt", ".venv/.cpu", "CORES=2"]
    said = subprocess.run(steps, cwd=root, capture_output=True, text=True, check=True).stdout
    install, compilation = (
        next(line for line in said.splitlines() if word in line) for word in ("cpu.txt", "compileall")
    )
    assert "--no-compile" in install
    assert subprocess.run(compilation, shell=True, cwd=clone, check=False).returncode == 0
    assert {path.name.partition(".")[0] for path in clone.rglob("*.pyc")} == {"module", "stage"}
