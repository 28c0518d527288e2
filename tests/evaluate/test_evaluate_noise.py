"""The noise stage: exact at zero noise, the same draws for all, independent of the block size."""

import numpy as np
import pytest
from kit.digits import blobs

from stages.evaluate.evaluate_noise import correct_on_noisy
from stages.evaluate.noise import noisy_images
from stages.model import classify
from stages.model.network import initial_network


@pytest.fixture
def network():
    return initial_network(
        np.random.default_rng(3), width=25, depth=5, interval=3.0, activation="tanh", std=0.2, dtype="float32"
    )


def settings(stds, draws=1, clip=False):
    noise = {"std": stds, "draws": draws, "clip": clip}
    return {"seed": 1, "noise": noise, "trained": {"network": {"classes": 10}}}


def test_zero_noise_gives_exactly_the_clean_accuracy(network):
    images, labels = blobs(300)
    found = correct_on_noisy(network, images, labels, settings([0.0, 0.1]), np)
    assert found[0, 0].mean() == classify.accuracy(network, images, labels, 10)


def test_the_noise_has_its_standard_deviation_and_is_not_clipped():
    images, _ = blobs(2000)
    noise = noisy_images(images, 0.2, 1, 0, clip=False) - images
    assert abs(noise.std() - 0.2) < 0.002  # 50,000 draws: standard error 0.0006
    assert abs(noise.mean()) < 0.003
    assert noisy_images(images, 0.2, 1, 0, clip=False).min() < 0


def test_clipped_noise_stays_in_the_valid_range():
    images, _ = blobs(100)
    noisy = noisy_images(images, 0.5, 1, 0, clip=True)
    assert noisy.min() >= 0
    assert noisy.max() <= 1


def test_draws_differ_and_strengths_have_streams_of_their_own():
    images, _ = blobs(10)
    a, b = (noisy_images(images, 0.1, 1, draw, False) - images for draw in (0, 1))
    assert not np.allclose(a, b)
    c = noisy_images(images, 0.2, 1, 0, False) - images
    assert not np.allclose(c, 2 * a, atol=1e-3)
    np.testing.assert_array_equal(noisy_images(images, 0.1, 1, 0, False), images + a)


def test_the_block_size_does_not_matter_beyond_rounding(network):
    images, _ = blobs(101)
    whole = classify.in_blocks(lambda part: part * 2, images, block=1000)
    np.testing.assert_array_equal(classify.in_blocks(lambda part: part * 2, images, block=7), whole)
    scores = [
        classify.in_blocks(lambda p: classify.final_state(network, network.columns(p)).T[:, :10], images, block=block)
        for block in (7, 500)
    ]
    np.testing.assert_allclose(scores[0], scores[1], rtol=1e-4, atol=1e-6)  # float32, other order of sums
