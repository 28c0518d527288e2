"""A copy of the project with a small experiment that has run to the end: all stages, few models."""

import pytest
from snakemake_project import tiny_project


@pytest.fixture(scope="module")
def finished(tmp_path_factory):
    """A workflow that has run to the end."""
    workflow = tiny_project(tmp_path_factory.mktemp("workflow"))
    result = workflow.snakemake()
    assert result.returncode == 0, result.stdout + result.stderr
    return workflow
