"""Conversion of a user's images and labels to a network's input; invalid ones are refused."""

import math

import numpy as np

from stages.data import resampling
from stages.runtime.errors import UserError

MNIST = 28  # pixels per side, before resampling
WHITE = 255


def taken(images, side, channels=1):
    """Return (images (sample, pixel) in float32 from 0 to 1, whether it was one image, what was done, in words)."""
    values = as_array(images, "images")
    scale, scaled = _scale(values)
    batch, size, single = _batch(values, side, channels)
    count = f"{len(batch)} image{'' if len(batch) == 1 else 's'} of {size} x {size}"
    if size == side:
        return (batch / scale).astype(np.float32), single, f"{count}, {scaled}"
    A = resampling.weights(size, side, "linear")
    # Average before dividing, as in downsample_digits, so that bytes give exactly the pixels of the training.
    small = resampling.resample(batch.reshape(-1, size, size).astype(np.float64), A) / scale
    small = small.clip(0, 1).reshape(len(batch), -1).astype(np.float32)
    return small, single, f"{count}, {scaled}, resampled linearly to {side} x {side}"


def as_array(values, name, dtype=None):
    """Return an array; raise a UserError if the values do not make one, such as rows of different lengths."""
    try:
        return np.asarray(values, dtype)
    except (TypeError, ValueError) as problem:
        raise UserError(f"{name}: wanted an array of numbers ({problem})") from None


def _scale(values):
    """Return the value of white, 1 or 255, and its description; raise a UserError for invalid pixels."""
    kind = values.dtype.kind
    if kind not in "buif":
        raise UserError(f"images: wanted numbers, found values of type {values.dtype}")
    if values.size == 0:
        raise UserError(f"images: wanted at least one, found an array of shape {values.shape}")
    lowest, highest = float(values.min()), float(values.max())
    if not (math.isfinite(lowest) and math.isfinite(highest)):
        raise UserError("images: wanted finite pixels, found nan or infinity")
    if kind in "fb":
        if lowest < 0 or highest > 1:
            raise UserError(
                f"images: wanted pixels from 0 to 1, found {lowest:g} to {highest:g}; scale them, or give those from 0 "
                "to 255 as bytes (images.astype('uint8'))"
            )
        return 1, "pixels from 0 to 1"
    if lowest < 0 or highest > WHITE:
        raise UserError(f"images: wanted bytes from 0 to {WHITE}, found whole numbers from {lowest:g} to {highest:g}")
    if highest == 1:
        raise UserError(
            "images: wanted bytes from 0 to 255 or numbers from 0 to 1, found whole numbers that are all 0 or 1, which "
            "may be either; give them as floats if 1 is white"
        )
    return WHITE, f"bytes divided by {WHITE}"


def _batch(values, side, channels):
    """Return (images (sample, pixel), pixels per side, whether it was a single image)."""
    sizes = [side] + ([MNIST] if side < MNIST else [])
    for size in sizes:
        pixels = channels * size**2
        square = (size, size) if channels == 1 else (channels, size, size)
        if values.shape[1:] == (pixels,) or values.shape[1:] == square:  # many, flat or not
            return values.reshape(len(values), pixels), size, False
        if values.shape == (pixels,) or values.shape == square:  # one
            return values.reshape(1, pixels), size, True
    wanted = " or ".join(f"{size} x {size}" for size in sizes) + (f" with {channels} channels first" * (channels > 1))
    raise UserError(f"images: wanted one or many of {wanted} pixels, found an array of shape {values.shape}")


def labels_of(labels, count, classes):
    """Return labels (sample,) as integers, after checking their number and range."""
    values = np.atleast_1d(as_array(labels, "labels"))
    if values.dtype.kind not in "ui":
        raise UserError(f"labels: wanted whole numbers, found values of type {values.dtype}")
    if values.shape != (count,):
        raise UserError(f"labels: wanted one per image, {count}; found an array of shape {values.shape}")
    if values.min() < 0 or values.max() >= classes:
        raise UserError(f"labels: wanted classes from 0 to {classes - 1}, found {values.min()} to {values.max()}")
    return values.astype(np.int64)
