"""The ball of allowed perturbations and the valid pixels."""

import numpy as np
import pytest

from stages.perturbations.ball import confine, normalised, norms, require_valid
from stages.runtime.errors import UserError


@pytest.fixture
def origin(rng):
    """Images (pixel, sample) as digits are: half of the pixels black."""
    return (rng.random((196, 300)) * (rng.random((196, 300)) < 0.5)).astype("float32")


@pytest.mark.parametrize("radius", [0.02, 0.3, 1.0, 3.0])
def test_no_rounding_puts_a_perturbation_outside_the_ball_or_a_pixel_outside_the_range(rng, origin, radius):
    moved = origin + rng.normal(0, 0.5, origin.shape).astype("float32")
    x = confine(moved, origin, radius)
    assert x.dtype == np.float32
    norm = np.linalg.norm(x.astype("float64") - origin.astype("float64"), axis=0)
    assert (norm <= radius).all()
    np.testing.assert_allclose(norm, radius, rtol=1e-4)  # all these perturbations were larger
    assert x.min() >= 0
    assert x.max() <= 1


def test_an_image_inside_the_ball_stays_to_the_bit(rng, origin):
    moved = (origin + rng.normal(0, 1e-3, origin.shape).astype("float32")).clip(0, 1)
    np.testing.assert_array_equal(confine(moved, origin, 5.0), moved)
    np.testing.assert_array_equal(confine(moved, origin), moved)


def test_the_confined_image_is_the_nearest_valid_direction(origin):
    """Scaling keeps the direction of the clipped perturbation."""
    moved = origin.copy()
    moved[:10] = 7.0
    x = confine(moved, origin, 0.5)
    clipped = moved.clip(0, 1) - origin
    cosine = ((x - origin) * clipped).sum(axis=0) / (norms(x - origin) * norms(clipped))
    np.testing.assert_allclose(cosine, 1.0, rtol=1e-5)


def test_directions_have_length_one_and_no_direction_stays_none():
    columns = np.array([[3.0, 0.0, 1e-30], [4.0, 0.0, 0.0]])
    np.testing.assert_allclose(norms(normalised(columns)), [1.0, 0.0, 1.0])


@pytest.mark.parametrize("value", [-0.01, 1.01, np.nan, np.inf])
def test_pixels_outside_the_range_are_refused_with_what_was_found(value):
    images = np.full((2, 4), 0.5)
    images[1, 2] = value
    with pytest.raises(UserError, match="between 0 and 1, found values from"):
        require_valid(images, "")
    require_valid(np.empty((0, 4)), "")
