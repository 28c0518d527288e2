"""A training on Slurm loses its node, its memory or its place, and still ends with the bits of an undisturbed one."""

import os
import re
import subprocess

import pytest
import yaml
from kit.one_node_cluster import wait_for
from kit.project_copy import copy_project, digests

pytestmark = pytest.mark.slurm
# The first of them is enough for `make test`.
in_full = pytest.mark.skipif(os.environ.get("SNODE_SLURM") != "full", reason="`make test-slurm` runs it: minutes")

# One model that trains for some seconds and writes a checkpoint every half second.
EXPERIMENT = {
    "models": {"table1": [], "table2": {"trainers": ["ncg"], "losses": ["l2"], "activations": ["tanh"]}},
    "trainers": {"ncg": {"epochs": 200}},
    "execution": {"checkpoint_minutes": 0.008},
}
LOG = "results/smoke/logs/train/ncg_l2_tanh/run0.log"


@pytest.fixture(scope="module")
def undisturbed(tmp_path_factory, on_this_machine):
    """The digests of the same experiment on this machine."""
    project = _experiment(tmp_path_factory.mktemp("undisturbed") / "project")
    on_this_machine(project, "train", "--configfile", "experiment.yaml")
    return digests(project)


class Run:
    """The workflow at work on the cluster."""

    def __init__(self, cluster, project, command):
        self.cluster, self.project = cluster, project
        self.output = project / "output.txt"
        with open(self.output, "w") as file:
            self.process = subprocess.Popen(
                cluster.command(*command), cwd=project, env=cluster.environment, stdout=file, stderr=subprocess.STDOUT
            )

    def wait_for_checkpoint(self):
        pattern = "results/smoke/train/ncg_l2_tanh/.run0.*.checkpoint.npz"
        wait_for(lambda: list(self.project.glob(pattern)), "a checkpoint", self.output.read_text)

    def end(self):
        """Wait for the end; return what was printed."""
        status = self.process.wait(timeout=300)
        text = self.output.read_text()
        assert status == 0, text
        return text

    def restarts(self, job):
        text = self.cluster.must("scontrol", "show", "job", job["job"])
        return int(text.partition("Restarts=")[2].split()[0])


@pytest.fixture
def start(cluster, on_slurm, on_this_machine, tmp_path):
    """Start the experiment on the cluster, the data being there."""
    project = _experiment(tmp_path / "project")
    on_this_machine(project, "data", "--configfile", "experiment.yaml")
    return lambda *options: Run(cluster, project, on_slurm("train", "--configfile", "experiment.yaml", *options))


def _experiment(folder):
    project = copy_project(folder)
    (project / "experiment.yaml").write_text(yaml.safe_dump(EXPERIMENT))
    return project


def test_a_training_whose_node_dies_goes_on_from_its_checkpoint(cluster, start, undisturbed):
    run = start()
    run.wait_for_checkpoint()
    cluster.kill_node()
    wait_for(lambda: cluster.node_state() == "down", "the controller to miss the node", cluster.logs)
    cluster.start_node()
    run.end()

    (job,) = cluster.jobs()
    assert job["state"] == "COMPLETED"
    assert run.restarts(job) == 1
    assert "going on from the checkpoint" in (run.project / LOG).read_text()
    assert digests(run.project) == undisturbed


@in_full
def test_a_preempted_training_goes_on_when_the_urgent_job_has_gone(cluster, start, undisturbed):
    run = start()
    run.wait_for_checkpoint()
    cluster.must("sbatch", "--partition=urgent", "--cpus-per-task=2", "--output=/dev/null", "--wrap=sleep 3")
    run.end()

    job, urgent = cluster.jobs()
    assert (job["state"], urgent["state"]) == ("COMPLETED", "COMPLETED")
    assert run.restarts(job) == 1
    assert "going on from the checkpoint" in (run.project / LOG).read_text()
    assert digests(run.project) == undisturbed


@in_full
def test_a_cancelled_training_is_submitted_again(cluster, start, undisturbed):
    run = start()
    run.wait_for_checkpoint()
    cluster.must("scancel", cluster.jobs()[0]["job"])
    text = run.end()

    assert "SLURM status is: 'CANCELLED'" in text
    assert [job["state"] for job in cluster.jobs()] == ["CANCELLED", "COMPLETED"]
    assert "going on from the checkpoint" in (run.project / LOG).read_text()
    assert digests(run.project) == undisturbed


@in_full
def test_a_training_over_its_memory_is_reported_and_submitted_again_with_more(cluster, start, undisturbed):
    run = start("--set-resources", "train_network:mem_mb=150 if attempt == 1 else 600")
    text = run.end()

    # The message names Slurm's log, and that says why.
    (path,) = set(re.findall(r"results/slurm/rule_train_network/\S+/1\.log", text))
    assert f"{path} (check log file(s) for error details)" in text
    assert "exceeded memory limit" in (run.project / path).read_text()
    first, second = cluster.jobs()
    assert (first["state"], first["memory"]) == ("FAILED", "150M")
    assert (second["state"], second["memory"]) == ("COMPLETED", "600M")
    assert digests(run.project) == undisturbed
