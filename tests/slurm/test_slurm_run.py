"""The workflow through workflow/profiles/slurm, on a Slurm that the test starts."""

import os

import pytest
import yaml
from kit.project_copy import copy_project, digests

pytestmark = pytest.mark.slurm

# `make test` takes one model of Table 2 and one figure, which visits nearly every rule; `make test-slurm` all that the
# smoke preset has.
ALL_MODELS = os.environ.get("SNODE_SLURM") == "full"
ONE_MODEL = {
    "models": {"table2": {"trainers": ["ncg"], "losses": ["l2"], "activations": ["tanh"]}},
    "attack": {"trainers": ["ncg"], "images": 5},
    "figures": {"dpi": 50},
}
TARGETS = ["all"] if ALL_MODELS else ["claims", "tables", "results/smoke/figures/fig_weight_norm.png"]


def test_the_smoke_preset_on_three_nodes_makes_the_stores_that_one_machine_makes(
    three_nodes, on_slurm, on_this_machine, tmp_path
):
    here, there = copy_project(tmp_path / "here"), copy_project(tmp_path / "there")
    for project in (here, there):
        (project / "models.yaml").write_text(yaml.safe_dump({} if ALL_MODELS else ONE_MODEL))
    on_this_machine(here, *TARGETS, "--configfile", "models.yaml")
    done = three_nodes.run(*on_slurm(*TARGETS, "--configfile", "models.yaml"), cwd=there)
    assert done.returncode == 0, done.stdout + done.stderr
    assert (there / "results/smoke/figures/fig_weight_norm.png").is_file()

    expected = digests(here)
    assert len(expected) > (100 if ALL_MODELS else 12)
    assert digests(there) == expected

    # No job needed a second attempt: what the rules ask for is enough.
    jobs = three_nodes.jobs()
    assert {job["state"] for job in jobs} == {"COMPLETED"}
    assert {job["node"] for job in jobs} == set(three_nodes.nodes)
    assert {job["partition"] for job in jobs} == {"cpu"}
    # Many short jobs are few submissions; a training is its own job, so that it can be lost alone.
    trainings = [job for job in jobs if job["name"].startswith("rule_train_network")]
    assert len(trainings) == len([store for store in expected if "/train/" in store])
    logs = list((there / "results/smoke/logs").rglob("*.log"))
    assert len(jobs) - len(trainings) < len(logs) / 2


def test_training_on_a_gpu_asks_for_one_gpu_in_the_gpu_partition(cluster, on_slurm, on_this_machine, tmp_path):
    project = copy_project(tmp_path / "project")
    on_this_machine(project, "data")
    (project / "models.yaml").write_text(yaml.safe_dump({**ONE_MODEL, "models": {**ONE_MODEL["models"], "table1": []}}))
    # The node's GPU is in Slurm's books only: have it allotted, and compute without.
    options = ["--configfile", "workflow/profiles/gpu/execution.yaml", "models.yaml"]
    done = cluster.run(*on_slurm("train", *options, "--set-resources", "train_network:device=cpu"), cwd=project)
    assert done.returncode == 0, done.stdout + done.stderr

    (training,) = cluster.jobs()
    assert training["partition"] == "gpu"
    assert "TresPerJob=gres:gpu:1" in cluster.must("scontrol", "show", "job", training["job"])
