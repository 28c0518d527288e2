"""A workflow on several nodes: one dies, one is drained, and what the nodes write is seen late by the login node."""

import os
import shutil
import time

import pytest
from kit.project_copy import digests
from kit.slurm_cluster import wait_for
from kit.training_on_slurm import LOG, NOISE, STORE

pytestmark = [
    pytest.mark.slurm,
    pytest.mark.skipif(os.environ.get("SNODE_SLURM") != "full", reason="`make test-slurm` runs it: minutes"),
]
LATE = 3.0  # seconds


def test_a_training_whose_node_dies_goes_on_at_another(three_nodes, start, undisturbed):
    run = start(three_nodes)
    run.wait_for_checkpoint()
    dead = run.training_node()
    three_nodes.kill_node(dead)
    run.end()

    (job,) = three_nodes.jobs()
    assert job["state"] == "COMPLETED"
    assert job["node"] in set(three_nodes.nodes) - {dead}
    assert run.restarts(job) == 1
    assert "going on from the checkpoint" in (run.project / LOG).read_text()
    assert digests(run.project)[STORE] == undisturbed[STORE]


def test_a_drained_node_ends_its_training_and_gets_no_further_job(three_nodes, start, undisturbed):
    run = start(three_nodes, target=NOISE)
    run.wait_for_checkpoint()
    drained = run.training_node()
    three_nodes.must("scontrol", "update", f"nodename={drained}", "state=drain", "reason=test")
    run.end()

    training, evaluation = three_nodes.jobs()
    assert (training["state"], evaluation["state"]) == ("COMPLETED", "COMPLETED")
    assert training["node"] == drained
    assert run.restarts(training) == 0
    assert evaluation["node"] in set(three_nodes.nodes) - {drained}
    assert digests(run.project) == undisturbed


def test_files_that_the_login_node_sees_late_are_waited_for(late, start, undisturbed):
    run = start(late.cluster, *late.options)
    wait_for(lambda: "seconds for missing files" in run.output.read_text(), "the files to be missed", seconds=200)
    time.sleep(LATE)
    late.arrive()
    run.end()
    assert digests(run.project)[STORE] == undisturbed[STORE]


def test_files_that_do_not_come_in_time_are_said_to_be_missing(late, start):
    run = start(late.cluster, *late.options, "--latency-wait", "1", "--retries", "0")
    text = run.end(succeeds=False)
    assert f"{STORE} (missing locally" in text
    assert "--latency-wait" in text


class Late:
    """A cluster whose nodes write into a folder of which the login node sees nothing until `arrive` is called."""

    def __init__(self, start_cluster, here, there, logs):
        shutil.copytree(here, there)
        self.here, self.there = here, there
        self.cluster = start_cluster(nodes=3, node_sees={here: there})
        # Slurm's own logs are opened by the nodes in folders that the login node made.
        self.options = ["--slurm-logdir", str(logs)]

    def arrive(self):
        """Let the login node see what the nodes wrote: manifests last, as they were written."""
        for ignore in (_manifests, None):
            shutil.copytree(self.there, self.here, ignore=ignore, dirs_exist_ok=True)


def _manifests(folder, names):
    return [name for name in names if name.endswith(".json") and f"{name[:-5]}.zarr" in names]


@pytest.fixture
def late(start, start_cluster, tmp_path):
    return Late(start_cluster, tmp_path / "project/results", tmp_path / "nodes/results", tmp_path / "logs")
