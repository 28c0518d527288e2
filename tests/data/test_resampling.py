"""Resampling against exact means and against independent implementations."""

import numpy as np
import pytest
from kit import tolerances
from PIL import Image
from scipy import ndimage

from stages.data.resampling import resample, weights
from stages.runtime.errors import UserError


def test_linear_at_half_size_is_exactly_the_mean_of_two_by_two_pixels(rng):
    images = rng.integers(0, 256, (5, 28, 28))
    sums = images[:, ::2, ::2] + images[:, 1::2, ::2] + images[:, ::2, 1::2] + images[:, 1::2, 1::2]
    np.testing.assert_array_equal(resample(images.astype(float), weights(28, 14, "linear")), sums / 4)


@pytest.mark.parametrize(("size", "side"), [(28, 14), (28, 7), (28, 10), (28, 27), (9, 4), (5, 1)])
def test_linear_interpolates_at_the_new_centres_as_scipy_does(rng, size, side):
    image = rng.random((size, size))
    centres = (np.arange(side) + 0.5) * size / side - 0.5
    wanted = ndimage.map_coordinates(image, np.meshgrid(centres, centres, indexing="ij"), order=1)
    np.testing.assert_allclose(resample(image[None], weights(size, side, "linear"))[0], wanted, **tolerances.ROUNDING)


@pytest.mark.parametrize(("size", "side"), [(28, 14), (28, 7), (28, 10), (28, 27), (9, 4), (5, 1)])
def test_antialiased_is_what_an_image_library_does(rng, size, side):
    image = rng.random((size, size)).astype(np.float32)
    wanted = np.asarray(Image.fromarray(image).resize((side, side), Image.Resampling.BILINEAR))
    found = resample(image[None].astype(float), weights(size, side, "antialiased"))[0]
    np.testing.assert_allclose(found, wanted, **tolerances.FLOAT32_IMAGE)


def test_antialiased_at_half_size_weighs_one_three_three_one():
    inner = weights(28, 14, "antialiased")[5]
    np.testing.assert_allclose(inner[9:13], [1 / 8, 3 / 8, 3 / 8, 1 / 8], **tolerances.ROUNDING)
    assert np.count_nonzero(inner) == 4


@pytest.mark.parametrize("resampling", ["linear", "antialiased"])
@pytest.mark.parametrize(("size", "side"), [(28, 14), (28, 9), (13, 6), (4, 4), (3, 1)])
def test_a_constant_image_stays_constant_and_no_weight_is_negative(resampling, size, side):
    A = weights(size, side, resampling)
    assert A.shape == (side, size)
    assert A.min() >= 0
    np.testing.assert_allclose(A.sum(axis=1), 1, **tolerances.ROUNDING)


@pytest.mark.parametrize("resampling", ["linear", "antialiased"])
def test_the_same_side_changes_nothing(resampling):
    np.testing.assert_array_equal(weights(28, 28, resampling), np.eye(28))


@pytest.mark.parametrize("side", [0, -1, 29])
def test_a_side_outside_the_image_is_refused(side):
    with pytest.raises(UserError, match=rf"data.side: wanted 1 to 28 .* found {side}"):
        weights(28, side, "linear")


def test_an_unknown_resampling_is_refused():
    with pytest.raises(UserError, match="wanted linear or antialiased, found 'cubic'"):
        weights(28, 14, "cubic")
