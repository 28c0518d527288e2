"""The workflow through workflow/profiles/slurm, on a Slurm that the test starts."""

import pytest
import yaml
from project_copy import copy_project, digests

pytestmark = pytest.mark.slurm


def test_the_smoke_preset_on_slurm_makes_the_stores_that_one_machine_makes(
    cluster, on_slurm, on_this_machine, tmp_path
):
    here, there = copy_project(tmp_path / "here"), copy_project(tmp_path / "there")
    on_this_machine(here)
    done = cluster.run(*on_slurm(), cwd=there)
    assert done.returncode == 0, done.stdout + done.stderr
    assert (there / "results/smoke/report.html").is_file()

    expected = digests(here)
    assert len(expected) > 100
    assert digests(there) == expected

    jobs = cluster.jobs()
    assert {job["state"] for job in jobs} == {"COMPLETED"}
    assert {job["partition"] for job in jobs} == {"cpu"}
    # Many short jobs are few submissions; a training is its own job, so that it can be lost alone.
    trainings = [job for job in jobs if job["name"].startswith("rule_train_network")]
    assert len(trainings) == len([store for store in expected if "/train/" in store])
    assert len(jobs) - len(trainings) < len(expected) / 4


def test_training_on_a_gpu_asks_for_one_gpu_in_the_gpu_partition(cluster, on_slurm, on_this_machine, tmp_path):
    project = copy_project(tmp_path / "project")
    on_this_machine(project, "data")
    few = {"models": {"table1": [], "table2": {"trainers": ["ncg"], "losses": ["l2"], "activations": ["tanh"]}}}
    (project / "few.yaml").write_text(yaml.safe_dump(few))
    # The node's GPU is in Slurm's books only: have it allotted, and compute without.
    options = ["--configfile", "workflow/profiles/gpu/execution.yaml", "few.yaml"]
    done = cluster.run(*on_slurm("train", *options, "--set-resources", "train_network:device=cpu"), cwd=project)
    assert done.returncode == 0, done.stdout + done.stderr

    (training,) = cluster.jobs()
    assert training["partition"] == "gpu"
    assert "TresPerJob=gres:gpu:1" in cluster.must("scontrol", "show", "job", training["job"])
