"""A copy of the project with a small experiment that has run to the end: all stages, few models."""

from pathlib import Path

import pytest
from snakemake_project import Workflow, copy_project


@pytest.fixture(scope="module")
def finished(tmp_path_factory):
    """A workflow that has run to the end."""
    folder = tmp_path_factory.mktemp("workflow")
    copy_project(Path(__file__).resolve().parents[2], folder)
    workflow = Workflow(folder)
    result = workflow.snakemake()
    assert result.returncode == 0, result.stdout + result.stderr
    return workflow
