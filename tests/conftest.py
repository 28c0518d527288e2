"""Fixtures that all tests share."""

import fcntl
import functools
import gc
import os
from pathlib import Path

# What is imported and collected stays to the end: the garbage collector would look at it a hundred times in vain.
gc.disable()

# One BLAS thread a test process: results do not depend on the machine, and two workers do not fight for two cores.
for variable in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ[variable] = "1"
# The display of this clone, which every profile names, whatever set-up has installed.
_terminal = str(Path(__file__).resolve().parents[1] / "workflow/terminal")
os.environ["PYTHONPATH"] = os.pathsep.join(filter(None, (_terminal, os.environ.get("PYTHONPATH"))))
# JAX's judgements are asked for once each: compiling them well would take longer than all else about them.
os.environ.setdefault("XLA_FLAGS", "--xla_backend_optimization_level=0 --xla_llvm_disable_expensive_passes=true")

import copy
import shutil

import numpy as np
import pytest

ROOT = Path(__file__).resolve().parent.parent


def pytest_collection_modifyitems(items):
    """Slurm's tests first, which mostly wait, then the long ones: the short ones fill what is left at the end."""
    names = ("slurm", "workflow", "faults", "report", "figures", "docs", "playground", "train")
    folders = [ROOT / "tests" / name for name in names]
    items.sort(key=lambda item: next((n for n, folder in enumerate(folders) if folder in item.path.parents), 9))


def pytest_collection_finish():
    gc.enable()
    gc.freeze()


@pytest.fixture(scope="session")
def made_once(tmp_path_factory):
    """Return a function that makes a folder once for all workers of a run: made_once(name, make) calls make(folder)."""
    base = tmp_path_factory.getbasetemp()
    shared = base.parent if "PYTEST_XDIST_WORKER" in os.environ else base

    def made_once(name, make):
        folder = shared / name
        folder.parent.mkdir(exist_ok=True)
        with open(folder.with_suffix(".lock"), "w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            if not folder.exists():
                being_made = folder.with_suffix(".being-made")
                make(being_made)
                being_made.rename(folder)
        return folder

    return made_once


@pytest.fixture(scope="session", autouse=True)
def commit_is_asked_for_once():
    """A store says of which commit it is: Git would look at the whole clone for each of thousands."""
    from stages.storage import stores

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(stores, "_commit", functools.cache(stores._commit))
        yield


@pytest.fixture
def rng():
    return np.random.default_rng(0)


@pytest.fixture
def root():
    """The project's folder."""
    return ROOT


@pytest.fixture
def package(tmp_path, root, monkeypatch):
    """A copy of the package for a test to edit, whose code counts instead of the project's."""
    from stages.plan import code_identity

    shutil.copytree(root / "stages", tmp_path / "stages", ignore=shutil.ignore_patterns("__pycache__"))
    monkeypatch.setattr(code_identity, "PACKAGE", tmp_path / "stages")
    yield tmp_path / "stages"
    code_identity._read.cache_clear()  # it knows modules by name, whatever package they were read from


@pytest.fixture(scope="session")
def whole_config():
    """The smoke preset with two runs."""
    from kit import made_up_stores

    return made_up_stores.smoke_config()


@pytest.fixture
def config(whole_config):
    """The same, for a test to change."""
    return copy.deepcopy(whole_config)


@pytest.fixture(scope="session")
def results(made_once):
    """Its stores, made up, in which the paper's claims hold."""
    from kit import made_up_stores

    return made_once("stores/smoke", made_up_stores.smoke_results)


@pytest.fixture(scope="session")
def with_readings(made_once):
    """(stores, configuration) of an experiment with readings, made up."""
    from kit import made_up_stores

    return made_once("stores/readings", made_up_stores.readings_results), made_up_stores.readings_config()


@pytest.fixture(scope="session")
def beyond(made_once):
    """(stores, configuration) of an experiment beyond the paper, made up, in which our own claims hold."""
    from kit import made_up_stores

    return made_once("stores/beyond", made_up_stores.beyond_results), made_up_stores.beyond_config()
