"""Conversion of a user's pictures of digits to the form of MNIST; and pictures of attacks.

MNIST's digits are light on black, 20 pixels large in 28 x 28, centred by their mass. A photograph or scan is converted
to that form; a picture that already has the size is used unchanged.
"""

import numpy as np

from stages.runtime.errors import UserError
from stages.zoo.images import MNIST, WHITE

DIGIT = 20  # pixels, of MNIST's 28, of the larger side of a digit
FAINT = 0.25  # of the contrast: anything fainter is paper, with its shadows and grain
LEAST_CONTRAST = 30  # grey levels between paper and ink
ENLARGED = 16  # pixels of the written picture per pixel of the image


def read_picture(path, side):
    """Return a picture as grey bytes for a network of this side, and a description of the conversion."""
    grey = _opened(path)
    values = np.array(grey, np.float64)
    done, border = "", np.concatenate([values[0], values[-1], values[:, 0], values[:, -1]])
    if np.median(border) > WHITE / 2:
        done, values, border = "dark on light, inverted, ", WHITE - values, WHITE - border
    if grey.size in ((side, side), (MNIST, MNIST)):
        return values.astype(np.uint8), done
    ink = _ink(path, values, np.median(border))
    width, height = grey.size
    return _placed(ink), f"{width} x {height} pixels, {done}the digit placed in {MNIST} x {MNIST} as MNIST has it, "


def _opened(path):
    from PIL import Image, ImageOps, UnidentifiedImageError

    try:
        with Image.open(path) as picture:
            upright = ImageOps.exif_transpose(picture).convert("RGBA")
    except (OSError, UnidentifiedImageError, Image.DecompressionBombError) as problem:
        raise UserError(f"{path}: wanted a picture, such as a PNG file ({problem})") from None
    paper = Image.new("RGBA", upright.size, "white")  # seen through transparent parts
    return Image.alpha_composite(paper, upright).convert("L")


def _ink(path, values, background):
    """Return the ink of each pixel, from 0 to 1: none where it is like the border, or hardly different."""
    contrast = values.max() - background
    if contrast < LEAST_CONTRAST:
        raise UserError(f"{path}: wanted a digit that stands out from its background, found nothing that does")
    return ((values - background) / contrast - FAINT).clip(0) / (1 - FAINT)


def _placed(ink):
    """Return the digit in bytes, (28, 28): its larger side 20 pixels, its centre of mass in the middle."""
    from PIL import Image

    rows, columns = (np.flatnonzero(ink.any(axis=axis)) for axis in (1, 0))
    digit = Image.fromarray(ink[rows[0] : rows[-1] + 1, columns[0] : columns[-1] + 1].astype(np.float32))
    scale = DIGIT / max(digit.size)
    digit = digit.resize([max(1, round(scale * size)) for size in digit.size], Image.Resampling.BOX)
    digit = np.asarray(digit) / max(np.asarray(digit).max(), 1e-6)
    out = np.zeros((MNIST, MNIST))
    corner = []
    for axis, size in enumerate(digit.shape):
        mass = digit.sum(axis=1 - axis)
        centre = mass @ np.arange(size) / mass.sum()
        corner.append(int(np.clip(round(MNIST / 2 - 0.5 - centre), 0, MNIST - size)))
    out[corner[0] : corner[0] + digit.shape[0], corner[1] : corner[1] + digit.shape[1]] = digit
    return np.rint(WHITE * out).astype(np.uint8)


def write_picture(out, side, original, adversarial):
    """Write the image, the perturbation (grey is none) and the attacked image side by side."""
    from PIL import Image

    original, adversarial = original.reshape(side, side), adversarial.reshape(side, side)
    change = adversarial - original
    shown = 0.5 + change / max(2 * np.abs(change).max(), 1e-9)
    gap = np.ones((side, 1))
    row = np.concatenate([original, gap, shown, gap, adversarial], axis=1).repeat(ENLARGED, 0).repeat(ENLARGED, 1)
    try:
        Image.fromarray(np.rint(WHITE * row.clip(0, 1)).astype(np.uint8)).save(out)
    except (FileNotFoundError, ValueError) as problem:
        raise UserError(f"--out: wanted the name of a picture, such as a PNG file, in a folder ({problem})") from None
