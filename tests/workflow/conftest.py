"""A copy of the project with a small experiment that has run to the end: all stages, few models."""

import subprocess

import pytest
from kit.snakemake_project import Workflow, tiny_project


@pytest.fixture(scope="session")
def finished_once(made_once):
    """The folder of a workflow that has run to the end: to be copied, not to be changed."""

    def make(folder):
        workflow = tiny_project(folder)
        result = workflow.snakemake()
        assert result.returncode == 0, result.stdout + result.stderr

    return made_once("finished-workflow", make)


@pytest.fixture(scope="module")
def finished(finished_once, tmp_path_factory):
    """A workflow that has run to the end, of a test file's own, with all that Snakemake keeps there, times included."""
    folder = tmp_path_factory.mktemp("workflow")
    subprocess.run(["cp", "-a", f"{finished_once}/.", str(folder)], check=True)
    return Workflow(folder)
