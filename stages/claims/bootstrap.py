"""The sampling error of the test images: a paired bootstrap (Efron's percentile interval).

The n test images are a sample from all digits. Draw n of them with replacement, again and again: with cᵣᵢ, how often
image i is in resampling r, every mean over images becomes

    m*ᵣ = 1/n Σᵢ cᵣᵢ vᵢ,        θ*ᵣ = f(m*ᵣ)

for a statistic θ = f(m) of one or several means. The counts c are the same for all that is measured on the same n
images: two networks are compared on the same resampled images, and what both find hard cancels.

Percentiles of θ* need no formula for the variance of a ratio of means, and bend with f; scipy.stats.bootstrap has BCa
intervals too, which jackknife every statistic: for thousands of images and smooth f they are the same to the eye.
Where all n images agree, the interval is a point: what happens to fewer than about 3 in n images nobody has seen.
"""

import math

import numpy as np

LEVEL = 0.95
COUNTS = 1_000_000  # at a time: 8 MB, whatever the number of images and resamplings


def resampled_means(values, resamplings, generator):
    """Return the means m* (resampling, k) of values (k, image) over images drawn with replacement."""
    images = values.shape[1]
    columns = np.ascontiguousarray(values.T, dtype=np.float64)
    rows = max(1, COUNTS // images)
    means = np.empty((resamplings, len(values)))
    for start in range(0, resamplings, rows):
        block = means[start : start + rows]
        np.matmul(resampling_counts(images, len(block), generator), columns, out=block)
    means /= images
    return means


def resampling_counts(images, resamplings, generator):
    """Return how often each image is drawn, (resampling, image), as float64 for products."""
    drawn = generator.integers(images, size=(resamplings, images))
    drawn += images * np.arange(resamplings)[:, None]  # one range of numbers a resampling, so that one count does
    return np.bincount(drawn.ravel(), minlength=drawn.size).reshape(drawn.shape).astype(np.float64)


def interval(resampled, level=LEVEL):
    """Return (low, high): the middle `level` of the values, by order statistics, so that infinite ones do no harm.

    What is not a number (a resampling without any success has no mean norm) could have been anything.
    """
    tail, last = (1 - level) / 2, len(resampled) - 1
    low, high = (np.sort(np.where(np.isnan(resampled), anything, resampled)) for anything in (-np.inf, np.inf))
    return float(low[math.floor(tail * last)]), float(high[math.ceil((1 - tail) * last)])
