"""Three confidence measures of an answer: larger means more certain. All in float64 on the host, samples first.

    distance      min_i (z_j - z_i) / |P_j - P_i|,   |P_j - P_i|² = Σ_jj + Σ_ii - 2 Σ_ij
    confidence    the largest of softmax(z)
    gap           z_j - max_{i ≠ j} z_i

with j the predicted class and Σ the covariance of the scores for unit noise on the pixels. The distance is how far an
image must move to reach the nearest boundary to another class, to first order.
"""

import numpy as np


def nearest_boundary(z, covariance):
    """Return (distance, class behind the boundary), each (sample,), for z (sample, class), Σ (sample, class, class).

    A class with |P_j - P_i| = 0, whose score changes exactly as that of the predicted class, is infinitely far away.
    """
    samples, read = np.arange(len(z)), z.argmax(axis=1)
    variance = np.einsum("kcc->kc", covariance)
    squares = variance[samples, read][:, None] + variance - 2 * covariance[samples, read]
    reachable = squares > 0
    reachable[samples, read] = False
    ahead = z[samples, read][:, None] - z
    distance = np.where(reachable, ahead / np.sqrt(np.where(reachable, squares, 1)), np.inf)
    return distance.min(axis=1), distance.argmin(axis=1)


def confidence(z):
    """Return the largest entry of softmax(z), (sample,)."""
    return 1 / np.exp(z - z.max(axis=1, keepdims=True)).sum(axis=1)


def gap(z):
    """Return the difference between the two best scores, (sample,)."""
    second, best = np.partition(z, -2, axis=1)[:, -2:].T
    return best - second
