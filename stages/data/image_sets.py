"""Images with their labels, from IDX or NPZ files, checked before they are used.

The format is detected from the content, not from the file's name. Images are (sample, row, col), or (sample, row, col,
channel) for colour, with 8-bit pixels or floating-point pixels in [0, 1]; labels are integers, one per image.
"""

import math

import numpy as np

from stages.data import idx_files, npz_files
from stages.data.array_files import reading
from stages.runtime.errors import UserError

SPLITS = ("train", "test")
ROLES = ("train_images", "train_labels", "test_images", "test_labels")
# Accepted array names in an NPZ file: those used here, those of Keras's mnist.npz, short ones for a single split.
NPZ_NAMES = {
    "train_images": ("train_images", "x_train", "images", "x"),
    "train_labels": ("train_labels", "y_train", "labels", "y"),
    "test_images": ("test_images", "x_test", "images", "x"),
    "test_labels": ("test_labels", "y_test", "labels", "y"),
}
LARGEST_SIDE = 4096  # bounds the memory of one image
MOST_CHANNELS = 16
BLOCK_BYTES = 2**20  # of images that are processed at once


def is_npz(path):
    with reading(path), open(path, "rb") as file:
        return file.read(2) == npz_files.ZIP_MAGIC


def open_pair(folder, names, split):
    """Return the images and labels of a split as ArrayFiles, after checking that they match; names: {role: file}."""
    images, labels = (_open(folder / names[role], role) for role in (f"{split}_images", f"{split}_labels"))
    _check_images(*images)
    if labels.values.dtype.kind not in "iu" or labels.values.shape[1:] not in ((), (1,)):
        raise UserError(f"{labels.name}: wanted labels as one row of whole numbers, found {_describe(labels.values)}")
    if len(images.values) != len(labels.values):
        raise UserError(
            f"wanted as many labels as images, found {len(images.values):,} images in {images.name} and "
            f"{len(labels.values):,} labels in {labels.name}; name files that belong together"
        )
    return images, labels


def read_labels(labels, count, classes):
    """Return the first `count` labels as int64, after checking that all are below `classes`."""
    values = labels.values[:count].reshape(-1).astype(np.int64)
    wrong = (values < 0) | (values >= classes)
    if wrong.any():
        first = int(wrong.argmax())
        raise UserError(
            f"{labels.name}: wanted labels 0 to {classes - 1} (config: network.classes: {classes}), found "
            f"{values[first]} at position {first}; raise network.classes, or name another file"
        )
    return values


def image_blocks(images, count):
    """Yield the first `count` images in blocks (sample, row, col) of float64, with their value of white (255 or 1).

    Colour images are (sample, channel, row, col).
    """
    white = 255.0 if images.values.dtype.kind == "u" else 1.0
    at_once = max(1, BLOCK_BYTES // images.values[0].nbytes)
    for start in range(0, count, at_once):
        pixels = images.values[start : min(start + at_once, count)].astype(np.float64)
        # Written so that nan fails the comparison.
        if white == 1.0 and not (pixels.min() >= 0 and pixels.max() <= 1):
            raise UserError(
                f"{images.name}: wanted floating-point pixels in [0, 1], found {pixels.min():g} to {pixels.max():g}; "
                "scale the images, or save them as 8-bit"
            )
        yield np.moveaxis(pixels, 3, 1) if pixels.ndim == 4 else pixels, white


def channels(images):
    """Return the number of channels: 1 for grey images."""
    return math.prod(images.values.shape[3:])


def _open(path, role):
    return npz_files.open_npz(path, NPZ_NAMES[role]) if is_npz(path) else idx_files.open_idx(path)


def _check_images(name, images):
    if images.ndim not in (3, 4) or not (images.dtype == np.uint8 or images.dtype.kind == "f"):
        raise UserError(
            f"{name}: wanted images (sample, row, col) or (sample, row, col, channel) of 8-bit or "
            f"floating-point pixels, found {_describe(images)}; name another file, or save the array in that form"
        )
    count, rows, cols, *colours = images.shape
    if rows != cols or not 1 <= rows <= LARGEST_SIDE:
        raise UserError(
            f"{name}: wanted square images of 1 to {LARGEST_SIDE} pixels a side, found {rows} x {cols}; "
            "crop or pad them first"
        )
    if not 1 <= math.prod(colours) <= MOST_CHANNELS:
        raise UserError(f"{name}: wanted 1 to {MOST_CHANNELS} channels, found {math.prod(colours)}")
    if not count:
        raise UserError(f"{name}: wanted images, found none (its header says 0)")


def _describe(array):
    return f"shape {array.shape}, type {array.dtype}"
