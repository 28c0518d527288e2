"""What a measure of confidence is worth: against plain counts, ties included."""

import itertools

import numpy as np
import pytest
from kit import tolerances

from stages.statistics.selective_prediction import (
    accuracy_of_the_most_confident,
    risk_against_coverage,
    roc_area,
    roc_parts,
)


def sampled(rng, samples=60, levels=15):
    """Few levels, so that many values are equal."""
    return rng.integers(0, levels, samples) / levels, rng.random(samples) < 0.7


def test_the_area_is_the_share_of_pairs_in_the_right_order(rng):
    for _ in range(5):
        confidence, right = sampled(rng)
        pairs = list(itertools.product(confidence[right], confidence[~right]))
        expected = sum(1 if a > b else 0.5 if a == b else 0 for a, b in pairs) / len(pairs)
        np.testing.assert_allclose(roc_area(confidence, right), expected, **tolerances.SHORT_SUMS)
        np.testing.assert_allclose(roc_area(-confidence, right), 1 - expected, **tolerances.SHORT_SUMS)


def test_the_parts_of_right_and_of_wrong_answers_both_have_the_area_as_their_mean(rng):
    confidence, right = sampled(rng)
    parts = roc_parts(confidence, right)
    for kind in (right, ~right):
        np.testing.assert_allclose(parts[kind].mean(), roc_area(confidence, right), **tolerances.SHORT_SUMS)


def test_a_threshold_that_parts_right_from_wrong_has_the_whole_area():
    right = np.array([True, False, True, False])
    assert roc_area(np.array([3.0, 1.0, np.inf, 2.0]), right) == 1
    assert roc_area(np.zeros(4), right) == 0.5
    assert np.isnan(roc_area(np.arange(4.0), np.ones(4, bool)))
    assert np.isnan(roc_area(np.arange(4.0), np.zeros(4, bool)))


def test_risk_is_the_share_of_wrong_answers_among_the_most_confident(rng):
    confidence, right = rng.permutation(40) / 7, rng.random(40) < 0.6
    coverage, risk = risk_against_coverage(confidence, right)
    order = np.argsort(-confidence)
    for kept in range(1, 41):
        assert coverage[kept - 1] == kept / 40
        np.testing.assert_allclose(risk[kept - 1], (~right[order[:kept]]).mean(), **tolerances.SHORT_SUMS)


def test_equal_values_count_as_the_mean_over_their_orders():
    confidence, right = np.array([2.0, 1.0, 1.0, 1.0]), np.array([True, False, True, True])
    orders = [[0, *tail] for tail in itertools.permutations([1, 2, 3])]
    expected = np.mean([(~right[order]).cumsum() / np.arange(1, 5) for order in orders], axis=0)
    np.testing.assert_allclose(risk_against_coverage(confidence, right)[1], expected, **tolerances.SHORT_SUMS)


def test_the_order_of_the_images_does_not_matter(rng):
    confidence, right = sampled(rng)
    order = rng.permutation(60)
    np.testing.assert_allclose(
        risk_against_coverage(confidence, right), risk_against_coverage(confidence[order], right[order]), rtol=1e-12
    )


@pytest.mark.parametrize(("share", "expected"), [(0.0, 0.9), (0.05, 18 / 19), (0.1, 1.0), (0.5, 1.0)])
def test_handing_over_the_least_sure_leaves_the_accuracy_of_the_others(share, expected):
    right = np.ones(20, bool)
    right[:2] = False  # the two least sure
    np.testing.assert_allclose(accuracy_of_the_most_confident(np.arange(20.0), right, share), expected, rtol=1e-12)


def test_handing_over_everything_leaves_no_accuracy():
    assert np.isnan(accuracy_of_the_most_confident(np.arange(4.0), np.ones(4, bool), 1.0))
