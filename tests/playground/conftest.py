"""A page with the two published networks (150 layers) and small ones, made once: other activations, own scores."""

from pathlib import Path
from types import SimpleNamespace

import pytest
from kit.played_networks import write_network
from kit.project_copy import ROOT

from stages.config import configuration
from stages.playground import write_playground
from stages.publish.attack_published import shipped_digits

PUBLISHED = ROOT / "workflow/published/networks"
SMALL = {
    "ncg_l2_tanh": {"depth": 5},
    "mine_ce_gelu": {"depth": 4},
    "ncg-own_ce_relu": {"depth": 6, "scores": "own", "smooth": True},
}


def make(folder):
    config = configuration.load(ROOT, "paper", {"data": {"train": 100, "test": 1000}})
    digits = shipped_digits(folder, config, config["data"]["side"])
    small = [write_network(folder, model, **network) for model, network in SMALL.items()]
    published = [PUBLISHED / f"{model}.zarr" for model in ("sgd_ce_relu", "ncg_ce_relu")]
    missing = folder / "train" / "ncg-wd_ce_relu" / "run0.zarr"
    options = {"networks": [*published, *small, missing], "digits": digits, "output": folder / "playground.html"}
    write_playground.main(SimpleNamespace(**options))


@pytest.fixture(scope="session")
def made(made_once) -> Path:
    """The folder with data/digits-14.zarr, train/ and playground.html."""
    return made_once("playground", make)


@pytest.fixture(scope="session")
def page(made):
    return made / "playground.html"
