"""The accuracy under noise, predicted from clean images: the mean probability that an answer is right.

Under noise of standard deviation s the scores are z + s A n, to first order, with A Aᵀ their covariance for unit noise
and n normal in k dimensions. Write n = r u with r = |n| and u a direction. On the line z + t e, e = A u, class y has
the largest score in one interval, perhaps empty or unbounded:

    z_y - z_i + t (e_y - e_i) > 0 for all i ≠ y     ⇔     t_low < t < t_high

t = ±s r with equal probability, where r² is chi-squared with k degrees of freedom. So with F(t) = sign(t) P(r < |t|)

    P(y wins) = mean over directions u of  ½ (F(t_high / s) - F(t_low / s))

The integral along a line is exact and serves every s; only directions are sampled. Counting right answers at random
points z + s A n needs several times as many samples for the same error (I. Deák, Three digit accurate multiple normal
probabilities, 1980). k is even, since F is elementary then; columns of A beyond the classes are zero.
"""

import numpy as np


def probability_right(z, covariance, labels, stds, normal):
    """Return the probability (std, sample) that noise of each standard deviation leaves the label's score the largest.

    z (sample, class), covariance (sample, class, class) for unit noise, labels (sample,); normal (sample, line, k):
    normal numbers that give the directions.
    """
    low, high = winning_interval(z, directions(covariance, normal), labels)
    found = np.empty((len(stds), len(z)))
    for level, s in enumerate(stds):
        if s == 0:
            found[level] = z.argmax(axis=1) == labels
        else:
            share = signed_radius_share(high / s, normal.shape[-1]) - signed_radius_share(low / s, normal.shape[-1])
            found[level] = share.clip(0).mean(axis=1) / 2
    return found


def dimensions(classes):
    """Return k, the even number of normal numbers per direction."""
    return classes + classes % 2


def directions(covariance, normal):
    """Return e = A u, (sample, line, class)."""
    classes = covariance.shape[-1]
    eigenvalues, vectors = np.linalg.eigh(covariance)
    # The symmetric root. Cholesky fails for a singular covariance, when noise does not affect a class; eigenvectors
    # alone are sensitive to rounding, and so would be the lines.
    A = (vectors * np.sqrt(eigenvalues.clip(0))[:, None, :]) @ vectors.swapaxes(-1, -2)
    u = normal[..., :classes] / np.sqrt((normal**2).sum(axis=-1, keepdims=True))
    return u @ A  # A = Aᵀ


def winning_interval(z, e, labels):
    """Return (t_low, t_high), each (sample, line): where on the line z + t e the label's score is the largest."""
    samples = np.arange(len(z))
    a = (z[samples, labels][:, None] - z)[:, None, :]
    b = e[samples, :, labels][..., None] - e
    with np.errstate(divide="ignore", invalid="ignore"):
        crossing = -a / b
    low = np.where(b > 0, crossing, -np.inf).max(axis=-1)
    high = np.where(b < 0, crossing, np.inf).min(axis=-1)
    # A class whose difference to the label is constant along the line; of equal scores the first class wins.
    numbers = np.arange(z.shape[1])
    ahead = (a > 0) | ((a == 0) & (labels[:, None] <= numbers)[:, None, :])
    lost = ((b == 0) & ~ahead).any(axis=-1)
    return np.where(lost, np.inf, low), np.where(lost, -np.inf, high)


def signed_radius_share(t, k):
    """Return F(t) = sign(t) P(r < |t|), P(r < t) = 1 - exp(-q) Σ_{j < k/2} q^j / j!, q = t² / 2, for k even."""
    q = np.minimum(t * t / 2, 700.0)  # exp(-700) is negligible, and this avoids infinity times 0
    term, total = np.ones_like(q), np.ones_like(q)
    for j in range(1, k // 2):
        term *= q
        term /= j
        total += term
    total *= np.exp(-q)
    return np.sign(t) * (1 - total)
