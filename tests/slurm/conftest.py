"""A Slurm of one node for each test, and a way to run the workflow on it through its profile."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from kit.one_node_cluster import Cluster, why_impossible

SNAKEMAKE = str(Path(sys.executable).with_name("snakemake"))


@pytest.fixture
def cluster(tmp_path_factory):
    if reason := why_impossible():
        pytest.skip(f"cannot run Slurm here: {reason}")
    cluster = Cluster(tmp_path_factory.mktemp("slurm"))
    try:
        cluster.start()
        yield cluster
    finally:
        cluster.stop()


def on_slurm(*options):
    """Return the command that runs the workflow on the cluster: the profile, made to look more often.

    There is no accounting database here, so squeue is asked for the states of jobs.
    """
    command = [SNAKEMAKE, "--profile", "workflow/profiles/slurm", "--slurm-status-command", "squeue"]
    command += ["--slurm-init-seconds-before-status-checks", "4", "--latency-wait", "10"]
    return [*command, *options, "--config", "preset=smoke"]


def on_this_machine(folder, *options):
    """Run the workflow in a folder as one does without a cluster."""
    command = [SNAKEMAKE, "--profile", "workflow/profiles/default", "--cores", "2", *options]
    done = subprocess.run(
        [*command, "--config", "preset=smoke"], cwd=folder, capture_output=True, text=True, env=os.environ
    )
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.fixture(name="on_slurm", scope="session")
def on_slurm_fixture():
    return on_slurm


@pytest.fixture(name="on_this_machine", scope="session")
def on_this_machine_fixture():
    return on_this_machine
