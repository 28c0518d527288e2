"""Fixtures that all tests share."""

import os
import sys
from pathlib import Path

# One BLAS thread a test process: results do not depend on the machine, and two workers do not fight for two cores.
for variable in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ[variable] = "1"

import numpy as np
import pytest

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "tests"))  # tolerances, strict_device and other judges


def pytest_collection_modifyitems(items):
    """Slurm's tests first: they wait for the cluster most of the time, and others can run meanwhile."""
    items.sort(key=lambda item: item.get_closest_marker("slurm") is None)


@pytest.fixture
def rng():
    return np.random.default_rng(0)


@pytest.fixture
def root():
    """The project's folder."""
    return ROOT
