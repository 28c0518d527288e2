"""One model that trains for some seconds and writes a checkpoint every half second, on a Slurm cluster."""

import subprocess

import yaml

from kit.project_copy import copy_project
from kit.slurm_cluster import wait_for

EXPERIMENT = {
    "models": {"table1": [], "table2": {"trainers": ["ncg"], "losses": ["l2"], "activations": ["tanh"]}},
    "trainers": {"ncg": {"epochs": 200}},
    "execution": {"checkpoint_minutes": 0.008},
}
STORE = "results/smoke/train/ncg_l2_tanh/run0.json"
NOISE = "results/smoke/noise/ncg_l2_tanh/run0.json"
LOG = "results/smoke/logs/train/ncg_l2_tanh/run0.log"


def experiment(folder):
    """Return a copy of the project with the experiment in it."""
    project = copy_project(folder)
    (project / "experiment.yaml").write_text(yaml.safe_dump(EXPERIMENT))
    return project


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

    def end(self, succeeds=True):
        """Wait for the end; return what was printed."""
        status = self.process.wait(timeout=300)
        text = self.output.read_text()
        assert (status == 0) == succeeds, text
        return text

    def training_node(self):
        """Return the node on which the training runs."""
        (job,) = (job for job in self.cluster.jobs() if job["state"] == "RUNNING")
        return job["node"]

    def restarts(self, job):
        text = self.cluster.must("scontrol", "show", "job", job["job"])
        return int(text.partition("Restarts=")[2].split()[0])
