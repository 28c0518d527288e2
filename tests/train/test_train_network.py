"""The train stage: its stores, lockstep against separate runs, and what it says when training goes wrong."""

from argparse import Namespace

import numpy as np
import pytest
import xarray as xr
from kit.digits import train_settings, write_digits

from stages.runtime.errors import UserError
from stages.storage import stores
from stages.train import train_network

MODELS = ["sgd_l2_tanh", "ncg_ce_relu", "ncg-wd_l2_tanh", "ncg-sobolev_ce_tanh", "ncg-ode45_l2_tanh"]


@pytest.fixture
def digits(tmp_path):
    write_digits(tmp_path / "digits.zarr")
    return tmp_path / "digits.zarr"


def train(digits, settings, outs, runs):
    options = Namespace(settings=settings, digits=str(digits), runs=list(runs), out=[str(out) for out in outs])
    train_network.main(Namespace(**vars(options), checkpoint_minutes=0.0, device="cpu"))


def test_a_store_holds_what_the_contract_says(tmp_path, digits, caplog):
    caplog.set_level("INFO")
    settings = train_settings("ncg_ce_relu")
    train(digits, settings, [tmp_path / "run0.zarr"], [0])
    network = stores.read(tmp_path / "run0.zarr", expect=settings)
    assert network["W"].dims == ("layer", "out", "in")
    assert network["W"].shape == (4, 25, 25)
    assert network["b"].dims == ("layer", "out")
    assert network["W"].dtype == network["b"].dtype == np.float32
    np.testing.assert_allclose(network["t"], np.arange(4) * 0.75)
    iterations = 2 * 3 * 3  # epochs, batches, iterations
    for name in ("loss", "loss_after", "step_size", "conjugacy", "gradient_norm", "restarts", "halvings"):
        assert network[name].dims == ("iteration",)
        assert network[name].size == iterations
    for name in ("train_accuracy", "test_accuracy", "seconds"):
        assert network[name].dims == ("epoch",)
        assert network[name].size == 2
    assert stores.read_manifest(tmp_path / "run0.zarr")["settings"]["run"] == 0
    assert "epoch 2/2 batch 3/3, cost" in caplog.text  # progress lines
    assert not list(tmp_path.glob(".*checkpoint*"))


@pytest.mark.parametrize("model", MODELS)
def test_runs_in_lockstep_write_the_stores_they_would_write_alone(tmp_path, digits, model):
    settings = train_settings(model, trainer={"epochs": 1})
    together = [tmp_path / f"together/run{run}.zarr" for run in range(3)]
    train(digits, settings, together, range(3))
    for run in (0, 2):
        alone = tmp_path / f"alone/run{run}.zarr"
        train(digits, settings, [alone], [run])
        assert stores.manifest_path(alone).read_bytes() == stores.manifest_path(together[run]).read_bytes()


def test_different_runs_differ(tmp_path, digits):
    outs = [tmp_path / "run0.zarr", tmp_path / "run1.zarr"]
    train(digits, train_settings(), outs, [0, 1])
    assert not np.allclose(stores.read(outs[0])["W"], stores.read(outs[1])["W"])


def test_training_learns_the_easy_digits(tmp_path):
    write_digits(tmp_path / "digits.zarr", train=400)
    settings = train_settings("ncg_l2_tanh", trainer={"epochs": 3}, iterations=6)
    train(tmp_path / "digits.zarr", settings, [tmp_path / "run0.zarr"], [0])
    assert float(stores.read(tmp_path / "run0.zarr")["test_accuracy"][-1]) > 0.8  # chance is 0.1


def test_a_training_that_diverges_names_the_place_and_writes_no_store(tmp_path, digits):
    settings = train_settings("sgd_l2_tanh", rmsprop={"rate": 1e30}, activation="relu")
    with pytest.raises(UserError, match=r"training diverged.*run 0, epoch 1, batch 1, iteration"):
        train(digits, settings, [tmp_path / "sgd/run0.zarr"], [0])
    assert not (tmp_path / "sgd/run0.zarr").exists()


def test_images_that_are_not_numbers_are_refused(tmp_path):
    write_digits(tmp_path / "good.zarr")
    good = stores.read(tmp_path / "good.zarr")
    variables = {name: (good[name].dims, good[name].values.copy()) for name in good.variables}
    variables["train_image"][1][3, 4] = np.nan
    stores.write(tmp_path / "bad.zarr", variables, settings={}, inputs={})
    with pytest.raises(UserError, match="not a finite number"):
        train(tmp_path / "bad.zarr", train_settings(), [tmp_path / "run0.zarr"], [0])


def test_a_batch_larger_than_the_training_set_is_refused(tmp_path, digits):
    with pytest.raises(UserError, match="wanted at least one full batch"):
        train(digits, train_settings(batch=1000), [tmp_path / "run0.zarr"], [0])


def test_the_store_opens_in_plain_xarray(tmp_path, digits):
    train(digits, train_settings(), [tmp_path / "run0.zarr"], [0])
    with xr.open_zarr(tmp_path / "run0.zarr", consolidated=False) as network:
        assert {"W", "b", "loss", "test_accuracy"} <= set(network)
