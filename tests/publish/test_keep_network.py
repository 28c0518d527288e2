"""Keeping networks: small stores that say what rounding their weights cost, and that restored runs get back."""

import functools
from types import SimpleNamespace

import numpy as np
import pytest
from kit.project_copy import ROOT

from stages.catalogues import SOLVERS
from stages.config import configuration
from stages.model.classify import accuracy
from stages.plan import experiment, stage_settings
from stages.publish import attack_published, keep_network
from stages.runtime.errors import UserError
from stages.storage import stores
from stages.storage.network_store import read_network
from stages.zoo import load

CLASSES = 10


@pytest.fixture
def results(tmp_path, rng):
    """A folder of results with digits of two sides, whose test images are not as many."""
    for side, count in ((7, 40), (28, 30)):
        images = rng.uniform(0, 1, (count, side**2)).astype(np.float32)
        labels = rng.integers(0, CLASSES, count).astype(np.uint8)
        name = "digits" if side == 7 else f"digits-{side}"
        variables = {"test_image": (("test", "pixel"), images), "test_label": (("test",), labels)}
        stores.write(tmp_path / f"data/{name}.zarr", variables, settings={"side": side}, inputs={})
    return tmp_path


def train(results, model, digits, scale=1.0, run=0, **overrides):
    """Write a train store with drawn weights; return its path and settings."""
    config = configuration.load(ROOT, "smoke", overrides)
    network = experiment.network_of(config, model)
    affine = experiment.affine_map_of(config, model)
    dimensions, shape = affine.stored
    rng = np.random.default_rng(run)
    W = (scale * rng.standard_normal((network["depth"], *shape)) / np.prod(shape[1:]) ** 0.5).astype(np.float32)
    b = (0.1 * rng.standard_normal((network["depth"], shape[0]))).astype(np.float32)
    settings = stage_settings.train_settings(config, model) | {"run": run}
    path = results / f"train/{model}/run{run}.zarr"
    stores.write(
        path,
        {
            "W": (("layer", *dimensions), W),
            "b": (("layer", "out"), b),
            **affine.read_out(network, 1, np).stored("read-out"),
            **{name: (("epoch",), [0.5]) for name in ("train_accuracy", "test_accuracy", "seconds")},
        },
        coordinates={"t": (("layer",), np.arange(len(W)) / 2), "epoch": (("epoch",), [1])},
        settings=settings,
        inputs={"digits": results / f"data/{digits}.zarr"},
        measured=["seconds"],
    )
    return path, settings


def test_a_convolutional_network_is_measured_with_its_own_digits(results, tmp_path):
    path, settings = train(results, "sgd-conv_ce_relu", "digits-28")
    card = keep_network.keep(path, tmp_path / "kept/sgd-conv_ce_relu.zarr")
    assert card["test_images"] == 30
    assert card["attack_norm"] == 1.0  # twice that of images of half the side
    network = read_network(tmp_path / "kept/sgd-conv_ce_relu.zarr", settings, np)
    whole = read_network(path, settings, np)
    assert network.W.shape == whole.W.shape
    np.testing.assert_allclose(network.W, whole.W, atol=0.01 * np.abs(whole.W).max())
    np.testing.assert_array_equal(network.readout.R, whole.readout.R)


def test_as_trained_means_with_the_solver_of_the_training(results, tmp_path):
    path, settings = train(results, "ncg-ode45_l2_tanh", "digits", scale=20.0)
    card = keep_network.keep(path, tmp_path / "kept/ncg-ode45_l2_tanh.zarr", images=5)
    digits, network = stores.read_arrays(results / "data/digits.zarr"), read_network(path, settings, np)
    by_solver = {}
    for solver in ("euler", "ode45"):
        solve = functools.partial(SOLVERS.find(solver).final_state, **settings.get(solver, {}))
        by_solver[solver] = float(accuracy(network, digits["test_image"], digits["test_label"], CLASSES, solve))
    assert by_solver["euler"] != by_solver["ode45"]
    assert card["test_accuracy_as_trained"] == by_solver["ode45"]


def test_a_coarser_step_is_taken_where_the_weights_are_too_many(results, tmp_path, monkeypatch):
    path, _ = train(results, "sgd_ce_relu", "digits")
    sizes = {}
    for places in (12, 6, 4):
        small = tmp_path / f"{places}.zarr"
        keep_network.keep(path, small, places=places, images=5)
        sizes[places] = sum(keep_network.zarr_folder.stored_size(each) for each in stores.read_arrays(small).values())
    assert sizes[12] > sizes[6] > sizes[4]
    monkeypatch.setattr(keep_network, "LIMIT_MB", 1e-6 * sizes[6])
    keep_network.keep(path, tmp_path / "less.zarr", images=5)
    assert stores.read_manifest(tmp_path / "less.zarr")["settings"]["rounded"] == "multiples of 2^-6"
    monkeypatch.setattr(keep_network, "LIMIT_MB", 1e-6)
    with pytest.raises(UserError, match="say with --places how fine"):
        keep_network.keep(path, tmp_path / "no.zarr", images=5)
    assert not (tmp_path / "no.zarr").exists()


def test_a_step_is_found_where_biases_are_larger_than_weights():
    W, b = np.full((2, 3, 3), 0.5, np.float32), np.full((2, 3), 100.0, np.float32)
    places, _ = keep_network.smallest(W, b)
    assert places == 8  # 2^8 * 100 is the largest code below 2^15


def test_the_command_keeps_what_it_is_given_and_writes_the_cards(results, tmp_path):
    paths = [train(results, model, "digits", run=1)[0] for model in ("sgd_ce_relu", "ncg_l2_tanh")]
    out = tmp_path / "kept"
    keep_network.main(SimpleNamespace(stores=paths, out=out, digits=None, places=None, images=8))
    page = (out / "README.md").read_text()
    for path in paths:
        small = out / f"{path.parent.name}.zarr"
        settings = stores.read_manifest(path)["settings"]
        assert stores.read_manifest(small)["settings"].items() > settings.items()
        assert f"| `{small.stem}` | 1 | 6 |" in page
        with pytest.raises(UserError, match="found one without; train it again"):
            keep_network.keep(small, out / "again.zarr")


def test_two_runs_of_a_model_are_refused_since_one_would_replace_the_other(results, tmp_path):
    paths = [results / f"train/sgd_ce_relu/run{run}.zarr" for run in (0, 1)]
    with pytest.raises(UserError, match="wanted one run of each model, found several of sgd_ce_relu"):
        keep_network.main(SimpleNamespace(stores=paths, out=tmp_path, digits=None, places=None, images=8))


def test_float16_weights_of_earlier_versions_are_kept_again_in_fewer_bytes(results, tmp_path):
    path = train(results, "sgd_ce_relu", "digits", run=1)[0]
    variables, manifest = stores.check(path)[0], stores.read_manifest(path)
    half = {name: (*variables[name][:1], variables[name].values.astype(np.float16)) for name in ("W", "b")}
    history = {name: tuple(variables[name]) for name in ("train_accuracy", "test_accuracy", "seconds")}
    earlier = tmp_path / "earlier/sgd_ce_relu.zarr"
    stores.write(
        earlier,
        half | history,
        coordinates={name: tuple(variables[name]) for name in ("t", "epoch")},
        settings=manifest["settings"] | {"rounded": "float16"},
        inputs={"digits": results / "data/digits.zarr", "network": path},
        attributes={"test_accuracy_as_trained": 0.123},
        measured=["seconds"],
    )
    out = tmp_path / "kept"
    keep_network.main(
        SimpleNamespace(stores=[earlier], out=out, digits=results / "data/digits.zarr", places=None, images=8)
    )
    kept, again = stores.read_manifest(out / "sgd_ce_relu.zarr"), stores.read_manifest(earlier)
    assert kept["inputs"] == again["inputs"]  # the digest of the training: `make restore` finds its network by it
    assert kept["settings"]["rounded"].startswith("multiples of")
    assert stores.check(out / "sgd_ce_relu.zarr")[1]["test_accuracy_as_trained"] == 0.123
    assert ", from float16 |" in (out / "README.md").read_text()
    read = [load(store).network.W for store in (earlier, out / "sgd_ce_relu.zarr")]
    np.testing.assert_allclose(*read, atol=2.0**-12)


@pytest.mark.parametrize("name", sorted(path.stem for path in (ROOT / attack_published.NETWORKS).glob("*.zarr")))
def test_the_networks_that_come_with_the_project_are_read(name):
    store = attack_published.known_network(name, ROOT / attack_published.NETWORKS)
    trained = stores.read_manifest(store)["settings"]
    network = read_network(store, {key: value for key, value in trained.items() if key != "rounded"}, np)
    assert network.parameters.shape == (150, 196, 197)
    assert network.dtype == np.float32
