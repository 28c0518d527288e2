"""The program: what its store says is true of the network, and bad input ends in words."""

import types

import numpy as np
import pytest
from kit import attacked_digits, tolerances

from stages.evaluate import confidence_measures, estimate_uncertainty, evaluate_noise, evaluation
from stages.evaluate.noise import noisy_network
from stages.evaluate.uncertainty import score_covariances
from stages.model.classify import accuracy, class_scores
from stages.runtime.errors import UserError
from stages.storage import stores

NETWORK = {"interval": attacked_digits.INTERVAL, "classes": 10, "depth": 8, "precision": "float32"}
TRAINED = {"network": NETWORK, "activation": "tanh"}
STD, WEIGHT_STD = [0.0, 0.05, 0.2], [0.0, 0.02, 0.2]
IMAGES = 150


def settings(images=IMAGES):
    own = {"images": images, "weight_std": WEIGHT_STD, "draws": 2, "lines": 50}
    return {"seed": 1, "noise": {"std": STD}, "uncertainty": own, "trained": TRAINED}


@pytest.fixture(scope="module")
def inputs(tmp_path_factory):
    """A digits store and a train store, as the stages before this one write them."""
    folder = tmp_path_factory.mktemp("inputs")
    images, labels = attacked_digits.digits()
    write_inputs(folder, attacked_digits.network("tanh"), images[:IMAGES], labels[:IMAGES].astype("uint8"))
    return folder


def write_inputs(folder, network, images, labels):
    stores.write(
        folder / "digits.zarr",
        {"test_image": (("test", "pixel"), images), "test_label": (("test",), labels)},
        settings={},
        inputs={},
    )
    stores.write(
        folder / "network.zarr",
        {"W": (("layer", "out", "in"), network.W), "b": (("layer", "out"), network.b)},
        settings={**TRAINED, "run": 0},
        inputs={},
    )


def run(inputs, out, wanted):
    options = types.SimpleNamespace(
        settings=wanted, digits=inputs / "digits.zarr", network=inputs / "network.zarr", out=out, device="cpu"
    )
    evaluation.main(estimate_uncertainty.evaluate, options)
    return stores.read(out)


@pytest.fixture(scope="module")
def data(inputs, tmp_path_factory):
    return run(inputs, tmp_path_factory.mktemp("out") / "uncertainty.zarr", settings())


def test_what_the_store_says_of_each_image_is_true_of_the_network(data):
    network, (images, labels) = attacked_digits.network("tanh"), attacked_digits.digits()
    score = class_scores(network, images[:IMAGES], 10)
    np.testing.assert_allclose(data.score, score, **tolerances.SINGLE_PRECISION)
    np.testing.assert_array_equal(data.label, labels[:IMAGES])
    np.testing.assert_array_equal(data.predicted, score.argmax(axis=1))
    np.testing.assert_array_equal(data.right, score.argmax(axis=1) == labels[:IMAGES])
    assert 0.5 < data.right.mean() < 1
    _, pixels, weights = score_covariances(network, network.columns(images[:IMAGES]), 10)
    for name, expected in (("pixel_covariance", pixels), ("weight_covariance", weights)):
        assert data[name].dims == ("sample", "class", "other_class")
        np.testing.assert_allclose(data[name], np.moveaxis(expected, -1, 0), **tolerances.SINGLE_PRECISION)
    distance, behind = confidence_measures.nearest_boundary(score.astype("float64"), np.moveaxis(pixels, -1, 0))
    np.testing.assert_allclose(data.distance, distance, rtol=1e-3)  # float32 scores, nearly equal, are subtracted
    np.testing.assert_array_equal(data.behind, behind)
    assert (data.behind != data.predicted).all()
    np.testing.assert_allclose(data.confidence, confidence_measures.confidence(score), **tolerances.SINGLE_PRECISION)
    np.testing.assert_allclose(data.gap, confidence_measures.gap(score), **tolerances.SINGLE_PRECISION)


def test_measured_accuracies_are_those_of_noise_that_was_drawn(data):
    network, (images, labels) = attacked_digits.network("tanh"), attacked_digits.digits()
    images, labels = images[:IMAGES], labels[:IMAGES]
    noise = {"std": STD, "draws": 2, "clip": False}
    expected = evaluate_noise.correct_on_noisy(network, images, labels, settings() | {"noise": noise}, np).mean(axis=-1)
    np.testing.assert_array_equal(data.pixel_measured_by_draw, expected)
    for level, std in enumerate(WEIGHT_STD):
        for draw in range(2):
            found = accuracy(noisy_network(network, std, 1, draw), images, labels, 10)
            assert data.weight_measured_by_draw[level, draw] == found
    for kind in ("pixel", "weight"):
        np.testing.assert_allclose(data[f"{kind}_measured"], data[f"{kind}_measured_by_draw"].mean("draw"), rtol=1e-12)


def test_predicted_accuracies_start_at_the_clean_one_and_follow_the_measured_ones(data):
    for kind in ("pixel", "weight"):
        predicted, measured = data[f"{kind}_predicted"].values, data[f"{kind}_measured"].values
        assert predicted[0] == data.right.mean() == measured[0]
        assert abs(predicted[1] - measured[1]) < 0.03  # 150 images, two draws
        assert predicted[2] < predicted[1]
        surplus = data[f"{kind}_surplus"].mean("sample").values  # what every image adds, in float32
        np.testing.assert_allclose(surplus, predicted - measured, atol=1e-6)


def test_noise_on_weights_has_its_strength_and_its_own_draws():
    network = attacked_digits.network("tanh")
    noise = [noisy_network(network, std, 1, draw).parameters - network.parameters for std, draw in
             ((0.1, 0), (0.1, 1), (0.2, 0), (0.1, 0))]  # fmt: skip
    assert abs(noise[0].std() - 0.1) < 0.002  # 19,600 draws: standard error 0.0005
    assert abs(noise[0][..., -1].std() - 0.1) < 0.02  # biases too; 392 draws
    assert not np.allclose(noise[0], noise[1], atol=1e-2)
    assert not np.allclose(2 * noise[0], noise[2], atol=1e-2)
    np.testing.assert_array_equal(noise[0], noise[3])
    assert noisy_network(network, 0.0, 1, 0) is network


def test_the_block_size_does_not_matter_beyond_rounding(monkeypatch):
    network, (images, labels) = attacked_digits.network("relu", "float64"), attacked_digits.digits()
    results = []
    for block in (7, 100):
        monkeypatch.setattr(estimate_uncertainty, "BLOCK", block)
        results.append(estimate_uncertainty.estimated(network, images[:30], labels[:30], settings(), np))
    for small, large in zip(*results, strict=True):
        assert small.keys() == large.keys()
        for name in small:
            np.testing.assert_allclose(small[name], large[name], **tolerances.LONG_SUMS, err_msg=name)


def test_the_first_so_many_test_images_are_taken(inputs, tmp_path, data):
    few = run(inputs, tmp_path / "few.zarr", settings(images=20))
    assert few.sizes["sample"] == 20
    np.testing.assert_allclose(few.distance, data.distance[:20], rtol=1e-3)


def test_a_network_that_diverged_gets_a_message(tmp_path):
    network, (images, labels) = attacked_digits.network("tanh"), attacked_digits.digits()
    network.parameters[3, 2, 1] = np.nan
    write_inputs(tmp_path, network, images[:10], labels[:10])
    with pytest.raises(UserError, match="wants a network of finite weights"):
        run(tmp_path, tmp_path / "out.zarr", settings())
    assert not (tmp_path / "out.zarr").exists()
