"""Made-up results of one network that is attacked in two ways, with two runs."""

import copy

import pytest

from kit import made_up_stores, made_up_worlds

MODEL = "sgd_l2_relu"


@pytest.fixture(scope="module")
def config(whole_config):
    """One network that is attacked in two ways, with two runs."""
    config = copy.deepcopy(whole_config)
    config["models"] = {
        "table1": [],
        "table2": {"trainers": ["sgd"], "losses": ["l2"], "activations": ["relu"]},
        "own": [],
    }
    config["attack"]["attacks"] = {name: config["attack"]["attacks"][name] for name in ("sensitivity", "fgsm")}
    return config


@pytest.fixture(scope="module")
def made(made_once, config):
    """Its stores."""
    world = made_up_worlds.as_the_paper_says()
    return made_once("merged/smoke", lambda folder: made_up_stores.write_stores(folder, config, world))
