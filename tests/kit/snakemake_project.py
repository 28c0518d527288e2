"""A copy of the project with a tiny experiment, run by snakemake as by a user."""

import re
import shutil
from pathlib import Path

from kit import forked_snakemake
from kit.project_copy import ROOT, copy_project, digests


class Workflow:
    """The workflow in a separate folder, which a test may edit."""

    def __init__(self, folder):
        self.folder = Path(folder)

    def snakemake(self, *options, config=(), environment=None):
        """Run snakemake as a user would; return the finished process."""
        words = ["--profile", "workflow/profiles/default", "--cores", "2", *options]
        words += ["--configfile", "tiny.yaml", "--config", "preset=smoke", *config]
        return forked_snakemake.run(*words, folder=self.folder, environment=environment)

    def planned(self, *config):
        """Return the jobs of a dry run as sorted texts, "rule: outputs"."""
        result = self.snakemake("-n", config=config)
        assert result.returncode == 0, result.stdout + result.stderr
        return planned_in(result)

    def digests(self):
        return digests(self.folder)


def planned_in(dry_run):
    """Return the jobs that a finished dry run names."""
    text = dry_run.stdout + dry_run.stderr
    return sorted(job for job in re.findall(r"^Job \d+: (.*)$", text, re.M) if not job.endswith("all there"))


def tiny_project(folder):
    """Return the Workflow of a copy of the project with the tiny experiment."""
    copy_project(folder)
    shutil.copy(ROOT / "tests/workflow/tiny.yaml", folder)
    return Workflow(folder)
