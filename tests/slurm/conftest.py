"""A Slurm of one node or three for each test, and a way to run the workflow on it through its profile."""

import contextlib
import sys
from pathlib import Path

import pytest
from kit import forked_snakemake
from kit.project_copy import digests
from kit.slurm_cluster import Cluster, why_impossible
from kit.training_on_slurm import NOISE, STORE, Run, experiment

SNAKEMAKE = str(Path(sys.executable).with_name("snakemake"))


@pytest.fixture
def start_cluster(tmp_path_factory):
    """Start a cluster: start_cluster(nodes=3). It ends with the test."""
    if reason := why_impossible():
        pytest.skip(f"cannot run Slurm here: {reason}")
    with contextlib.ExitStack() as stack:

        def start(**options):
            cluster = Cluster(tmp_path_factory.mktemp("slurm"), **options)
            stack.callback(cluster.stop)
            cluster.start()
            return cluster

        yield start


@pytest.fixture
def cluster(start_cluster):
    return start_cluster(nodes=1)


@pytest.fixture
def three_nodes(start_cluster):
    return start_cluster(nodes=3)


def on_slurm(*options):
    """Return the command that runs the workflow on the cluster: the profile, made to look more often.

    There is no accounting database here, so squeue is asked for the states of jobs.
    """
    command = [SNAKEMAKE, "--profile", "workflow/profiles/slurm", "--slurm-status-command", "squeue"]
    command += ["--slurm-init-seconds-before-status-checks", "4", "--latency-wait", "10"]
    return [*command, *options, "--config", "preset=smoke"]


def on_this_machine(folder, *options):
    """Run the workflow in a folder as one does without a cluster."""
    words = ["--profile", "workflow/profiles/default", "--cores", "2", *options, "--config", "preset=smoke"]
    done = forked_snakemake.run(*words, folder=folder)
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.fixture(name="on_slurm", scope="session")
def on_slurm_fixture():
    return on_slurm


@pytest.fixture(name="on_this_machine", scope="session")
def on_this_machine_fixture():
    return on_this_machine


@pytest.fixture(scope="session")
def undisturbed(tmp_path_factory):
    """The digests of the experiment's training and what is measured of it, on this machine."""
    project = experiment(tmp_path_factory.mktemp("undisturbed") / "project")
    on_this_machine(project, STORE, NOISE, "--configfile", "experiment.yaml")
    return digests(project)


@pytest.fixture
def start(tmp_path):
    """Start the experiment on a cluster, the data being there: start(cluster, *targets and options)."""
    project = experiment(tmp_path / "project")
    on_this_machine(project, "data", "--configfile", "experiment.yaml")

    def start_it(cluster, *words, target="train"):
        return Run(cluster, project, on_slurm(target, "--configfile", "experiment.yaml", *words))

    return start_it
