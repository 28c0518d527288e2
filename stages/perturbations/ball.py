"""The ball of allowed perturbations around each image, and the valid pixels.

After each step the pixels are clipped to [0, 1] and the perturbation is scaled back into the ball. This is the order of
the toolbox; no second clip is needed, since scaling moves the pixels towards those of the valid original.
"""

import math

from stages.runtime.arrays import namespace
from stages.runtime.errors import UserError

LOWEST, HIGHEST = 0.0, 1.0
STORED_EPS = 2.0**-23  # of float32: images are stored in it, in whatever precision the network computes


def norms(columns):
    """Return the l2 norm of each column (..., pixel, sample), in float64, for comparison with radii."""
    return namespace(columns).sqrt((columns.astype("float64") ** 2).sum(axis=-2))


def normalised(columns):
    """Scale each column to length 1; columns of zeros stay zero."""
    length = norms(columns)[..., None, :]
    return columns / namespace(columns).where(length > 0, length, 1.0).astype(columns.dtype)


def allowed(radius, columns):
    """Return a slightly smaller radius, so that the rounding of pixels never moves a perturbation out of the ball.

    Rounding changes a pixel below 1 by at most eps/4, so a norm by at most eps/4 √pixels; the rest is for the scaling.
    """
    return radius - STORED_EPS / 2 * math.sqrt(columns.shape[-2])


def confine(columns, origin, radius=math.inf):
    """Return the valid images (..., pixel, sample) inside the ball of this radius around `origin`."""
    xp = namespace(columns)
    columns = columns.clip(LOWEST, HIGHEST)
    if math.isinf(radius):
        return columns
    limit = allowed(radius, columns)
    perturbation = columns - origin
    length = norms(perturbation)[..., None, :]
    outside = length > limit
    scale = xp.where(outside, limit / xp.where(outside, length, 1.0), 1.0).astype(columns.dtype)
    return xp.where(outside, origin + perturbation * scale, columns)


def require_valid(images, remedy):
    """Refuse images with pixels outside the valid range, or nan."""
    if images.size and not (float(images.min()) >= LOWEST and float(images.max()) <= HIGHEST):
        raise UserError(
            f"wanted pixels between {LOWEST:g} and {HIGHEST:g}, found values from {float(images.min()):g} to "
            f"{float(images.max()):g}; {remedy}"
        )
