"""An undisturbed run of the smallest workflow, made once for all tests and workers, and copies of it to harm."""

import fcntl
import os
import time

import pytest
import tiny_workflow


@pytest.fixture(scope="session")
def undisturbed(tmp_path_factory):
    """The folder of a run that nothing happened to."""
    base = tmp_path_factory.getbasetemp()
    shared = base.parent if "PYTEST_XDIST_WORKER" in os.environ else base
    folder = shared / "undisturbed"
    with open(shared / "undisturbed.lock", "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not folder.exists():
            made = tiny_workflow.prepare(shared / "being made")
            status, said = tiny_workflow.run(made)
            assert status == 0, said
            assert not tiny_workflow.left_behind(made)
            made.rename(folder)
    return folder


@pytest.fixture(scope="session")
def startup(undisturbed):
    """Seconds that Snakemake takes to find that there is nothing to do: the unit for random moments."""
    started = time.monotonic()
    status, said = tiny_workflow.run(undisturbed)
    assert status == 0, said
    assert "Nothing to be done" in said
    return time.monotonic() - started


@pytest.fixture
def place(undisturbed, tmp_path):
    """A copy of the undisturbed run."""
    return tiny_workflow.copy(undisturbed, tmp_path / "place")
