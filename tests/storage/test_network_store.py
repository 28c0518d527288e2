"""The train store's format: what is written is read again, whole, rounded to float16 or to a few bits per row."""

import numpy as np
import pytest

from stages.catalogues import ACTIVATIONS
from stages.model.network import Network
from stages.publish import keep_network
from stages.runtime.errors import UserError
from stages.storage import network_store, rounded_weights, stores

LAYERS, WIDTH = 5, 16
TRAINED = {"activation": "tanh", "network": {"interval": 2.0, "precision": "float32", "classes": 4}}


@pytest.fixture
def weights(rng):
    """Rows of very different size; one of zeros."""
    size = 10.0 ** rng.uniform(-4, 1, (LAYERS, WIDTH, 1))
    Wb = (size * rng.standard_normal((LAYERS, WIDTH, WIDTH + 1))).astype(np.float32)
    Wb[2, 3] = 0
    return Wb[..., :-1], Wb[..., -1]


def write(path, variables, **more):
    stores.write(path, variables, settings=TRAINED | {"run": 1} | more, inputs={})
    return path


def test_what_is_written_is_read(weights, tmp_path):
    stores.write(tmp_path / "digits.zarr", {"x": (("i",), [1.0])}, settings={}, inputs={})
    network = Network(*weights, 2.0, ACTIVATIONS.find("tanh"))
    history = {name: (("epoch",), [0.5, 0.75]) for name in network_store.BY_EPOCH}
    settings, digits = TRAINED | {"run": 1}, tmp_path / "digits.zarr"
    store = tmp_path / "run1.zarr"
    network_store.write_network(store, network, history, settings=settings, digits=digits, backend="numpy")
    again = network_store.read_network(store, TRAINED, np)
    np.testing.assert_array_equal(again.parameters, network.parameters)
    assert (again.h, again.activation) == (network.h, network.activation)
    assert stores.read(store)["epoch"].values.tolist() == [1, 2]
    store.rename(tmp_path / "run2.zarr")
    stores.manifest_path(store).rename(tmp_path / "run2.json")
    with pytest.raises(UserError, match="wanted run = 2, the store was made with 1"):
        network_store.read_network(tmp_path / "run2.zarr", TRAINED, np)


@pytest.mark.parametrize("way", rounded_weights.WAYS)
@pytest.mark.parametrize("places", [9, 3, 0])
def test_a_rounded_weight_is_the_nearest_multiple_of_the_step(weights, tmp_path, places, way):
    small = rounded_weights.rounded(*weights, places, way)
    network = network_store.read_network(write(tmp_path / "a.zarr", small, rounded="so"), TRAINED, np)
    assert network.dtype == np.float32
    for found, whole in ((network.W, weights[0]), (network.b, weights[1])):
        np.testing.assert_array_equal(found, np.rint(whole.astype(np.float64) * 2**places) / 2**places)


@pytest.mark.parametrize("way", rounded_weights.WAYS)
def test_the_largest_codes_survive(way):
    W = np.array([1, -1, 1, -1, 0.5])[:, None, None] * np.full((5, 2, 2), rounded_weights.LARGEST, np.float32)
    b = np.zeros((5, 2), np.float32)
    small = {name: values for name, (_, values, _) in rounded_weights.rounded(W, b, 0, way).items()}
    np.testing.assert_array_equal(rounded_weights.expanded(small)["W"], np.rint(W))
    with pytest.raises(UserError, match=r"wanted weights below 16383\.5, found 32767: fewer places"):
        rounded_weights.rounded(W, b, 1, way)


def test_slowly_changing_weights_take_less_as_differences(rng, tmp_path):
    base, other = rng.standard_normal((2, WIDTH, WIDTH + 1))
    for change, best in ((0.01, "change"), (2.0, "code")):
        Wb = np.stack([base + change * rng.standard_normal(other.shape) for _ in range(40)]).astype(np.float32)
        _, small = keep_network.smallest(Wb[..., :-1], Wb[..., -1], 7)
        assert set(small) == {f"{best}_low", f"{best}_high", "step"}


def test_networks_in_float16_are_read_in_the_precision_of_their_training(weights, tmp_path):
    W, b = (each.astype(np.float16) for each in weights)
    store = write(
        tmp_path / "a.zarr", {"W": (("layer", "out", "in"), W), "b": (("layer", "out"), b)}, rounded="float16"
    )
    network = network_store.read_network(store, TRAINED, np)
    assert network.dtype == np.float32
    np.testing.assert_array_equal(network.W, W.astype(np.float32))


def test_weights_that_are_no_numbers_are_not_rounded(weights):
    weights[0][0, 0, 0] = np.nan
    with pytest.raises(UserError, match="wanted finite weights to round"):
        rounded_weights.rounded(*weights, 8, "code")


def test_digits_are_those_of_the_training_by_their_digest(tmp_path):
    for side in (14, 28):
        stores.write(tmp_path / f"data/digits-{side}.zarr", {"x": (("i",), [side])}, settings={}, inputs={})
    store, digits = tmp_path / "train/a/run0.zarr", tmp_path / "data/digits-28.zarr"
    stores.write(store, {"x": (("i",), [1.0])}, settings={}, inputs={"digits": digits})
    assert network_store.digits_of(store) == digits
    stores.write(digits, {"x": (("i",), [7])}, settings={}, inputs={})
    with pytest.raises(UserError, match="none of them with that digest"):
        network_store.digits_of(store)


def test_what_is_made_from_an_extract_says_so(tmp_path):
    whole, extract = tmp_path / "whole.zarr", tmp_path / "extract.zarr"
    stores.write(whole, {"x": (("i",), [1.0]), "y": (("i",), [2.0])}, settings={}, inputs={})
    stores.write_extract(whole, extract, lambda variables: {"x": variables["x"]})
    for source in (whole, extract):
        stores.write(tmp_path / "made.zarr", {"z": (("i",), [3.0])}, settings={}, inputs={"network": source})
        manifest = stores.read_manifest(tmp_path / "made.zarr")
        assert manifest["inputs"] == {"network": stores.read_manifest(whole)["digest"]}
        read = {"network": stores.read_manifest(extract)["extract"]} if source is extract else None
        assert manifest.get("input_extracts") == read
