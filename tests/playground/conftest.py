"""A page with the two published networks (150 layers) and small ones, made once: other activations, own scores."""

from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest
from kit.digits import train_settings
from kit.project_copy import ROOT

from stages.config import configuration
from stages.playground import write_playground
from stages.publish.attack_published import shipped_digits
from stages.storage import stores

PUBLISHED = ROOT / "workflow/published/networks"
SMALL = {"ncg_l2_tanh": 5, "own_ce_gelu": 4, "ncg-own_ce_relu": 6}  # model: layers


def write_network(folder, model, depth, **changes):
    """Write a train store of random weights that move the scores, and return it."""
    activation = model.split("_")[2]
    network = {"depth": depth, "precision": "float32"} | ({"scores": "own"} if "-own_" in model else {})
    settings = train_settings("ncg_l2_tanh", activation=activation, network=network, **changes) | {"run": 0}
    generator = np.random.default_rng(depth)
    width = 196 + settings["network"]["classes"] * ("-own_" in model)
    W, b = (generator.normal(0, 0.08, (depth, *shape)).astype("float32") for shape in ((width, width), (width,)))
    variables = {"W": (("layer", "out", "in"), W), "b": (("layer", "out"), b)}
    stores.write(folder / "train" / model / "run0.zarr", variables, settings=settings, inputs={})
    return folder / "train" / model / "run0.zarr"


def make(folder):
    config = configuration.load(ROOT, "paper", {"data": {"train": 100, "test": 1000}})
    digits = shipped_digits(folder, config, config["data"]["side"])
    small = [write_network(folder, model, depth) for model, depth in SMALL.items()]
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
