"""Figures of made-up stores, each drawn once per file of tests."""

import functools

import pytest
from kit import drawing

from stages.plan.all_exhibits import FIGURES

TWINS = {name for name in FIGURES if "robust" in name or "convolutions" in name or "own_scores" in name}


@pytest.fixture(scope="module")
def made_up(results, whole_config, beyond, with_readings):
    """Return the function that gives the stores behind a figure and their configuration; few show twins or readings."""
    others = dict.fromkeys(TWINS, beyond) | {"fig_readings": with_readings}
    return lambda name: others.get(name, (results, whole_config))


@pytest.fixture(scope="module", autouse=True)
def each_store_is_read_once():
    with drawing.each_store_read_once():
        yield


@pytest.fixture(scope="module")
def drawn(made_up):
    return functools.cache(lambda name: drawing.draw(*made_up(name), name))
