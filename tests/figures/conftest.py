"""One folder of made-up stores for all tests of figures, in the smoke preset's sizes with two runs."""

import copy
import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))
import made_up_stores


@pytest.fixture(scope="session")
def whole_config():
    return made_up_stores.smoke_config()


@pytest.fixture
def config(whole_config):
    """The experiment's configuration, for a test to change."""
    return copy.deepcopy(whole_config)


@pytest.fixture(scope="session")
def results():
    """Stores in which the paper's claims hold."""
    return made_up_stores.smoke_results()
