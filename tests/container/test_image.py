"""The workflow inside the image, and through Snakemake's container directive."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
import yaml
from kit.project_copy import ROOT, copy_project, digests

pytestmark = pytest.mark.container

SNAKEMAKE = str(Path(sys.executable).with_name("snakemake"))
PROFILE = ["--profile", "workflow/profiles/default", "--cores", "2"]


def test_the_smoke_preset_inside_the_image_makes_the_stores_that_this_machine_makes(image, here, tmp_path):
    project = copy_project(tmp_path / "project")
    run = [ROOT / "envs" / "run_in_image.sh", "cpu", "snakemake", *PROFILE, "--config", "preset=smoke"]
    environment = {**os.environ, "ENGINE": "podman", "TAG": image}
    done = subprocess.run(run, cwd=project, env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr

    expected = digests(here)
    assert len(expected) > 100
    assert digests(project) == expected
    assert (project / "results/smoke/report.html").is_file()


def test_rules_in_containers_make_the_stores_that_this_machine_makes(image, here, tmp_path):
    """All rules, few models: the stand-in starts a container for each job."""
    project = copy_project(tmp_path / "project")
    few = {
        "models": {"table2": {"trainers": ["ncg"], "losses": ["l2"], "activations": ["tanh"]}},
        "attack": {"trainers": ["ncg"]},
    }
    (project / "few.yaml").write_text(yaml.safe_dump(few))
    (project / "images").mkdir()
    (project / "images/snode-cpu.sif").write_text(image)

    # The host's Python must not be able to help out: only the snakemake command comes from the environment.
    calls = tmp_path / "calls"
    environment = {**os.environ, "STAND_IN_CALLS": str(calls), "PATH": f"{Path(__file__).parent}:{os.environ['PATH']}"}
    command = [SNAKEMAKE, *PROFILE, "--sdm", "apptainer", "--configfile", "few.yaml", "--config", "preset=smoke"]
    done = subprocess.run(command, cwd=project, env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr

    made, expected = digests(project), digests(here)
    assert len(made) > 12
    assert made == {store: expected[store] for store in made}
    assert (project / "results/smoke/report.html").is_file()
    jobs = len(list((project / "results/smoke/logs").rglob("*.log")))
    assert calls.read_text().splitlines() == [image] * jobs, "every rule that computes runs in its container"


def test_without_an_engine_the_build_says_what_it_wants():
    environment = {**os.environ, "ENGINE": "no-such-engine"}
    done = subprocess.run([ROOT / "envs" / "build_image.sh", "cpu"], env=environment, capture_output=True, text=True)
    assert done.returncode == 1
    assert "error: wanted podman or docker, found no-such-engine" in done.stderr
