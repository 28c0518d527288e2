"""A training on Slurm loses its node, its memory or its place, and still ends with the bits of an undisturbed one."""

import os
import re

import pytest
from kit.project_copy import digests
from kit.slurm_cluster import wait_for
from kit.training_on_slurm import LOG, STORE

pytestmark = pytest.mark.slurm
# The first of them is enough for `make test`.
in_full = pytest.mark.skipif(os.environ.get("SNODE_SLURM") != "full", reason="`make test-slurm` runs it: minutes")


def test_a_training_whose_node_dies_goes_on_from_its_checkpoint(cluster, start, undisturbed):
    run = start(cluster)
    run.wait_for_checkpoint()
    cluster.kill_node()
    wait_for(lambda: cluster.node_state() == "down", "the controller to miss the node", cluster.logs)
    cluster.start_node()
    run.end()

    (job,) = cluster.jobs()
    assert job["state"] == "COMPLETED"
    assert run.restarts(job) == 1
    assert "going on from the checkpoint" in (run.project / LOG).read_text()
    assert digests(run.project)[STORE] == undisturbed[STORE]


@in_full
def test_a_preempted_training_goes_on_when_the_urgent_job_has_gone(cluster, start, undisturbed):
    run = start(cluster)
    run.wait_for_checkpoint()
    cluster.must("sbatch", "--partition=urgent", "--cpus-per-task=2", "--output=/dev/null", "--wrap=sleep 3")
    run.end()

    job, urgent = cluster.jobs()
    assert (job["state"], urgent["state"]) == ("COMPLETED", "COMPLETED")
    assert run.restarts(job) == 1
    assert "going on from the checkpoint" in (run.project / LOG).read_text()
    assert digests(run.project)[STORE] == undisturbed[STORE]


@in_full
def test_a_cancelled_training_is_submitted_again(cluster, start, undisturbed):
    run = start(cluster)
    run.wait_for_checkpoint()
    cluster.must("scancel", cluster.jobs()[0]["job"])
    text = run.end()

    assert "SLURM status is: 'CANCELLED'" in text
    assert [job["state"] for job in cluster.jobs()] == ["CANCELLED", "COMPLETED"]
    assert "going on from the checkpoint" in (run.project / LOG).read_text()
    assert digests(run.project)[STORE] == undisturbed[STORE]


@in_full
def test_a_training_over_its_memory_is_reported_and_submitted_again_with_more(cluster, start, undisturbed):
    run = start(cluster, "--set-resources", "train_network:mem_mb=150 if attempt == 1 else 600")
    text = run.end()

    # What was printed names Slurm's log and shows it, and that says why.
    (path,) = set(re.findall(r"results/slurm/rule_train_network/\S+/1\.log", text))
    assert "exceeded memory limit" in (run.project / path).read_text()
    assert "exceeded memory limit" in text.partition(f"{path}:\n")[2]
    first, second = cluster.jobs()
    assert (first["state"], first["memory"]) == ("FAILED", "150M")
    assert (second["state"], second["memory"]) == ("COMPLETED", "600M")
    assert digests(run.project)[STORE] == undisturbed[STORE]
