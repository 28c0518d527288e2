"""Resample square images to fewer pixels per side (paper, section 5: MNIST, "linearly", to 14 x 14).

Pixels are unit squares. Both kinds are separable: an image X becomes A X A^T, where A has one row of weights for each
new row of pixels.

linear: linear interpolation at the centre of each new pixel, no antialiasing; at half size the mean of 2 x 2 pixels.
antialiased: a triangle filter stretched by the scale factor, as in image libraries; smoother and darker.
"""

import numpy as np

from stages.runtime.errors import UserError


def weights(size, side, resampling):
    """Return A (side, size): row i holds the weights of the old pixels in new pixel i; each row sums to 1."""
    if not 1 <= side <= size:
        raise UserError(
            f"config: data.side: wanted 1 to {size} (the images are {size} x {size}), found {side}; "
            "images are made smaller, not larger"
        )
    if resampling not in ("linear", "antialiased"):
        raise UserError(f"config: data.resampling: wanted linear or antialiased, found {resampling!r}")
    scale = size / side
    centre = (np.arange(side) + 0.5) * scale - 0.5  # of the new pixels, in indices of old ones
    distance = abs(np.arange(size) - centre[:, None])
    width = 1.0 if resampling == "linear" else scale
    triangle = np.maximum(0.0, 1.0 - distance / width)
    # Normalise, since at the border part of the stretched triangle lies outside the image.
    return triangle / triangle.sum(axis=1, keepdims=True)


def resample(images, A):
    """Apply A to rows and columns: (..., row, col) -> (..., new row, new col)."""
    return A @ (images @ A.T)
