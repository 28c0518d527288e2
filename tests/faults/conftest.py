"""An undisturbed run of the smallest workflow, made once for all tests and workers, and copies of it to harm."""

import time

import pytest
from kit import tiny_workflow


@pytest.fixture(scope="session")
def undisturbed(made_once):
    """The folder of a run that nothing happened to."""

    def make(folder):
        status, said = tiny_workflow.run(tiny_workflow.prepare(folder))
        assert status == 0, said
        assert not tiny_workflow.left_behind(folder)

    return made_once("undisturbed", make)


@pytest.fixture(scope="session")
def startup(undisturbed):
    """Seconds that Snakemake takes to find that there is nothing to do: the unit for random moments."""
    started = time.monotonic()
    status, said = tiny_workflow.finish(tiny_workflow.start(undisturbed), undisturbed)
    assert status == 0, said
    assert "Nothing to be done" in said
    return time.monotonic() - started


@pytest.fixture
def place(undisturbed, tmp_path):
    """A copy of the undisturbed run."""
    return tiny_workflow.copy(undisturbed, tmp_path / "place")
