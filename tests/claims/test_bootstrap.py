"""The bootstrap over images: against sums by hand, against SciPy's, and how often its intervals miss a known truth."""

import math

import numpy as np
import pytest
import scipy.stats
from kit import tolerances

from stages.claims import bootstrap

EXPERIMENTS, IMAGES, RESAMPLINGS = 1000, 800, 500
# Three standard errors of a share of 95 % (or 5 %), from the experiments and from their common resamplings.
THREE_ERRORS = 3 * math.sqrt(0.05 * 0.95 * (1 / EXPERIMENTS + 1 / RESAMPLINGS))


def test_resampled_means_are_the_means_of_the_images_drawn(rng, monkeypatch):
    values = rng.random((3, 50)).astype(np.float32)
    monkeypatch.setattr(bootstrap, "COUNTS", 200)  # several blocks of resamplings
    found = bootstrap.resampled_means(values, 10, np.random.default_rng(7))
    generator = np.random.default_rng(7)
    for start in range(0, 10, 4):
        drawn = generator.integers(50, size=(min(4, 10 - start), 50))
        for row, images in enumerate(drawn):
            expected = values[:, images].astype(np.float64).mean(axis=1)
            np.testing.assert_allclose(found[start + row], expected, **tolerances.ROUNDING)


def test_every_resampling_has_as_many_images(rng):
    counts = bootstrap.resampling_counts(37, 100, rng)
    assert counts.shape == (100, 37)
    assert (counts.sum(axis=1) == 37).all()
    assert counts.mean() == 1


def test_the_interval_takes_infinite_values_and_holds_what_is_no_number_for_anything():
    values = np.arange(1000.0)
    assert bootstrap.interval(values) == (24.0, 975.0)
    assert bootstrap.interval(np.r_[values[:-30], [np.inf] * 30]) == (24.0, np.inf)
    assert bootstrap.interval(np.r_[values[:-30], [np.nan] * 30]) == (-np.inf, np.inf)
    assert bootstrap.interval(np.r_[values[:-5], [np.nan] * 5])[0] == 19.0


@pytest.mark.parametrize("statistic", ["difference of means", "difference of ratios"])
def test_intervals_agree_with_scipys_paired_bootstrap(statistic, rng):
    """Two networks on the same 400 images; what is left between the two is the chance of 4,000 resamplings."""
    hardness = rng.random(400)
    one, other = (hardness + 0.1 * rng.random(400) < share for share in (0.9, 0.8))
    weights = [0.5 + rng.random(400) for _ in range(2)]
    if statistic == "difference of means":
        values = [one, other]

        def of_means(means):
            return means[..., 0] - means[..., 1]

    else:
        values = [one * weights[0], weights[0], other * weights[1], weights[1]]

        def of_means(means):
            return means[..., 0] / means[..., 1] - means[..., 2] / means[..., 3]

    def of_images(*samples, axis):
        return of_means(np.stack([sample.mean(axis=axis) for sample in samples], axis=-1))

    judge = scipy.stats.bootstrap(
        [np.asarray(value, dtype=float) for value in values],
        of_images,
        paired=True,
        vectorized=True,
        n_resamples=4000,
        batch=500,
        method="percentile",
        rng=np.random.default_rng(1),
    )
    found = of_means(bootstrap.resampled_means(np.stack(values).astype(np.float32), 4000, np.random.default_rng(2)))
    # A percentile of 4,000 values is known to about 0.04 standard errors; ours steps from image to image besides.
    margin = 0.15 * judge.standard_error
    assert bootstrap.interval(found) == pytest.approx(tuple(judge.confidence_interval), abs=margin)
    assert found.std() == pytest.approx(judge.standard_error, rel=0.05)


# --- worlds with a known truth ----------------------------------------------------------------------------------------


def two_networks(rng, shares, experiments=EXPERIMENTS, images=IMAGES):
    """Return whether two networks read each image, (2, experiment, image): what one finds hard, the other may too."""
    hardness = rng.random((experiments, images))
    own = rng.random((2, experiments, images))
    mixed = np.where(rng.random((2, experiments, images)) < 0.7, hardness, own)
    return mixed < np.array(shares)[:, None, None]


def resampled(values):
    """Return the means (resampling, experiment) of values (experiment, image)."""
    return bootstrap.resampled_means(values.astype(np.float32), RESAMPLINGS, np.random.default_rng(3))


def covered(statistics, truth):
    """Return the share of experiments whose interval holds the truth; statistics (resampling, experiment)."""
    limits = np.array([bootstrap.interval(column) for column in statistics.T])
    return ((limits[:, 0] <= truth) & (truth <= limits[:, 1])).mean()


@pytest.mark.parametrize("shares", [(0.9, 0.9), (0.96, 0.9)])
def test_the_interval_of_a_difference_holds_the_truth_as_often_as_it_says(shares, rng):
    one, other = two_networks(rng, shares)
    assert covered(resampled(one) - resampled(other), shares[0] - shares[1]) == pytest.approx(0.95, abs=THREE_ERRORS)


def test_so_does_that_of_a_share_among_attacked_images(rng):
    attacked, changed = rng.random((2, EXPERIMENTS, IMAGES)) < np.array([0.9, 0.3])[:, None, None]
    found = resampled(changed & attacked) / resampled(attacked)
    assert covered(found, 0.3) == pytest.approx(0.95, abs=THREE_ERRORS)


def test_so_does_that_of_a_ratio_of_skewed_means(rng):
    start, end = rng.lognormal(sigma=0.5, size=(2, EXPERIMENTS, IMAGES))
    end = 1.3 * np.sqrt(start * end) * np.exp(0.0625)  # the mean of start is exp(0.125), that of the root exp(0.0625)
    assert covered(resampled(end) / resampled(start), 1.3) == pytest.approx(0.95, abs=THREE_ERRORS)


def test_unpaired_intervals_would_be_too_wide(rng):
    """The reason for pairing: both networks find the same images hard."""
    one, other = two_networks(rng, (0.9, 0.9), experiments=100)
    paired = (resampled(one) - resampled(other)).std(axis=0).mean()
    again = bootstrap.resampled_means(other.astype(np.float32), RESAMPLINGS, np.random.default_rng(4))
    unpaired = (resampled(one) - again).std(axis=0).mean()
    assert paired < 0.8 * unpaired
