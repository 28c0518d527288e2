"""The sampling error of the test images: a paired bootstrap (Efron's percentile interval).

The n test images are a sample from all digits. Draw n of them with replacement, many times. With cᵣᵢ the number of
copies of image i in resampling r, every mean over images becomes

    m*ᵣ = 1/n Σᵢ cᵣᵢ vᵢ,        θ*ᵣ = f(m*ᵣ)

for a statistic θ = f(m) of one or several means. The counts c are the same for everything measured on the same n
images: two networks are compared on the same resampled images, so the difficulty of an image cancels.

Percentiles of θ* need no formula for the variance of a ratio of means, and follow the curvature of f. The BCa intervals
of scipy.stats.bootstrap jackknife every statistic; for thousands of images and smooth f they are visibly the same.
If all n images agree, the interval is a point: effects on fewer than about 3 in n images cannot be seen.
"""

import math

import numpy as np

LEVEL = 0.95
COUNTS = 1_000_000  # at a time: 8 MB, for any number of images and resamplings


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
    drawn += images * np.arange(resamplings)[:, None]  # separate ranges, so that one count suffices
    return np.bincount(drawn.ravel(), minlength=drawn.size).reshape(drawn.shape).astype(np.float64)


def interval(resampled):
    """Return (low, high): the middle 95 % of the values, by order statistics, which allow infinite values.

    nan (a resampling without any success has no mean norm) counts as any value: it widens both ends.
    """
    tail, last = (1 - LEVEL) / 2, len(resampled) - 1
    low, high = (np.sort(np.where(np.isnan(resampled), anything, resampled)) for anything in (-np.inf, np.inf))
    return float(low[math.floor(tail * last)]), float(high[math.ceil((1 - tail) * last)])
