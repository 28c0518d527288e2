"""These tests run the real CuPy on the pretend device: `make test-gpu`. Elsewhere they are not collected."""

import os
from pathlib import Path

import pytest

DEVICE = Path(__file__).resolve().parent.parent.parent / ".pretend-gpu"
ASKED = "SNODE_PRETEND_GPU" in os.environ
collect_ignore_glob = [] if ASKED else ["test_*.py"]


def pytest_collection_modifyitems(items):
    if ASKED and not (DEVICE / "identity").exists():
        reason = (DEVICE / "reason").read_text() if (DEVICE / "reason").exists() else "make test-gpu builds the device"
        for item in items:
            if Path(__file__).parent in item.path.parents:
                item.add_marker(pytest.mark.skip(reason=reason))
