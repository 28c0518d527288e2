"""The shortest perturbation of an image that makes another class overtake its own (paper, Algorithm 2), to first order.

An image is read as class j. With P = dx(T)/dx(0) and scores z, the shortest perturbation that makes class i overtake j,
with a safety margin, κ (z_i + ζ_i) >= z_j + ζ_j, is

    v_i = κ P_i - P_j,     ξ_i = (z_j - κ z_i) v_i / |v_i|²,     |ξ_i| = (z_j - κ z_i) / |v_i|

whatever the rank of (P_i, P_j), as long as v_i is not zero; then no perturbation helps class i.

With κ < 1 and negative scores z_j <= κ z_i does not mean that the image is misread. Where that happens the margin says
nothing, and the target is pursued without it, κ = 1: else the step would lead back.
"""

from stages.arrays import namespace


def nearest(rows, z, labels, kappa):
    """Return units (..., pixel, sample) and lengths (..., sample) of the shortest of the ξ_i over all classes i.

    Arguments as for `least_perturbations`.
    """
    xp = namespace(rows)
    units, length = least_perturbations(rows, z, labels, kappa)
    target = length.argmin(axis=-2)[..., None, :]
    unit = xp.take_along_axis(units, target[..., None, :, :], axis=-2)[..., 0, :]
    return unit, xp.take_along_axis(length, target, axis=-2)[..., 0, :]


def least_perturbations(rows, z, labels, kappa):
    """Return units (..., pixel, class, sample) and lengths (..., class, sample) of the shortest ξ_i = length unit.

    rows: P's rows (..., pixel, class, sample), overwritten; z: scores (..., class, sample); labels: j (..., sample).
    The length is infinite, and the unit zero, where there is no such perturbation: for i = j, and where κ P_i = P_j.
    """
    xp = namespace(rows)
    κ = margin_factor(z, labels, kappa)
    rows_j = xp.take_along_axis(rows, labels[..., None, None, :], axis=-2)
    z_j = xp.take_along_axis(z, labels[..., None, :], axis=-2)
    v = rows
    v *= κ[..., None, :, :]
    v -= rows_j
    size = xp.sqrt((v.astype("float64") ** 2).sum(axis=-3))
    own = xp.arange(z.shape[-2])[:, None] == labels[..., None, :]
    none = own | (size == 0)
    v /= xp.where(none, xp.inf, size).astype(v.dtype)[..., None, :, :]
    margin = z_j.astype("float64") - κ * z.astype("float64")
    return v, xp.where(none, xp.inf, margin / xp.where(none, 1.0, size))


def margin_factor(z, labels, kappa):
    """Return κ (..., class, sample), and 1 where the margin is met although the image is still read as its label."""
    xp = namespace(z)
    z_j = xp.take_along_axis(z, labels[..., None, :], axis=-2)
    return xp.where(z_j > kappa * z, kappa, 1.0).astype(z.dtype)
