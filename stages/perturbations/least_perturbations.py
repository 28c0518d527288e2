"""The shortest perturbation of an image that makes another class overtake its own (paper, Algorithm 2), to first order.

An image is classified as j. With P = dx(T)/dx(0) and scores z, the shortest perturbation that makes class i overtake j,
with a safety margin, κ (z_i + ζ_i) >= z_j + ζ_j, is

    v_i = κ P_i - P_j,     ξ_i = (z_j - κ z_i) v_i / |v_i|²,     |ξ_i| = (z_j - κ z_i) / |v_i|

for any rank of (P_i, P_j). If v_i = 0, no perturbation helps class i.

With κ < 1 and negative scores, z_j <= κ z_i does not imply that the image is misclassified. In that case the margin is
dropped, κ = 1: otherwise the step would point away from class i.
"""

from stages.runtime.arrays import namespace


def nearest(rows, z, labels, kappa):
    """Return units (..., pixel, sample) and lengths (..., sample) of the shortest of the ξ_i over all classes i.

    Arguments are those of `least_perturbations`.
    """
    return _shortest(*least_perturbations(rows, z, labels, kappa))


def nearest_rival(pull_back, z, labels, rivals):
    """Return the same without a margin (κ = 1), only over the `rivals` classes with the best scores besides the label.

    pull_back: from cotangents (..., class, cotangent, sample) of the scores to those of x(0), (..., pixel, ...). It
    turns e_i - e_j, one per rival, into v_i: with four rivals and ten classes, four tenths of the work of all rows.
    """
    xp = namespace(z)
    classes = xp.arange(z.shape[-2])
    own = classes[:, None] == labels[..., None, :]
    others = xp.where(own, -xp.inf, z)
    # Rank classes by counting those ahead of each; ties, frequent with ReLU, go to the first. On a GPU, sorting would
    # need another library.
    one, other = others[..., :, None, :], others[..., None, :, :]
    ahead = (other > one) | ((other == one) & (classes[None, :, None] < classes[:, None, None]))
    places = xp.arange(min(rivals, len(classes) - 1))
    is_rival = ahead.sum(axis=-2)[..., :, None, :] == places[:, None]
    v = pull_back(is_rival.astype(z.dtype) - own[..., None, :].astype(z.dtype))
    z_j = xp.take_along_axis(z, labels[..., None, :], axis=-2)
    margin = z_j.astype("float64") - xp.where(is_rival, z[..., :, None, :], 0).sum(axis=-3)
    return _shortest(v, *_lengths(v, margin, False))


def least_perturbations(rows, z, labels, kappa):
    """Return v_i (..., pixel, class, sample), its length and that of ξ_i (..., class, sample): ξ_i = |ξ_i| v_i / |v_i|.

    rows: P's rows (..., pixel, class, sample), overwritten; z: scores (..., class, sample); labels: j (..., sample).
    Both lengths are infinite if there is no such perturbation: for i = j, and for κ P_i = P_j.
    """
    xp = namespace(rows)
    κ = margin_factor(z, labels, kappa)
    rows_j = xp.take_along_axis(rows, labels[..., None, None, :], axis=-2)
    z_j = xp.take_along_axis(z, labels[..., None, :], axis=-2)
    rows *= κ[..., None, :, :]
    rows -= rows_j
    own = xp.arange(z.shape[-2])[:, None] == labels[..., None, :]
    return rows, *_lengths(rows, z_j.astype("float64") - κ * z.astype("float64"), own)


def _lengths(v, margin, own):
    """Return |v_i| and |ξ_i|, both infinite if there is no perturbation; own: the mask i = j."""
    xp = namespace(v)
    size = xp.sqrt((v.astype("float64") ** 2).sum(axis=-3))
    none = own | (size == 0)
    return xp.where(none, xp.inf, size), xp.where(none, xp.inf, margin / xp.where(none, 1.0, size))


def _shortest(v, size, length):
    """Return the unit and the length of the shortest ξ_i; only that v_i is normalised."""
    xp = namespace(v)
    target = length.argmin(axis=-2)[..., None, :]
    unit = xp.take_along_axis(v, target[..., None, :, :], axis=-2)[..., 0, :]
    unit /= xp.take_along_axis(size, target, axis=-2).astype(v.dtype)
    return unit, xp.take_along_axis(length, target, axis=-2)[..., 0, :]


def margin_factor(z, labels, kappa):
    """Return κ (..., class, sample), but 1 where the margin is met although the label still has the largest score."""
    xp = namespace(z)
    z_j = xp.take_along_axis(z, labels[..., None, :], axis=-2)
    return xp.where(z_j > kappa * z, kappa, 1.0).astype(z.dtype)
