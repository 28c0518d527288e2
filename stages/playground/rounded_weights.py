"""Weights of 8 bits for the page: each row of [W b] is integers from -127 to 127 times the row's own step.

The step of a row is its largest entry / 127, but at least half of the root mean square of all rows' steps: the errors
of all rows add up, so small rows need not be more accurate than large ones. This adds at most a quarter to the mean
square error, and rows of neurons that training did not change become small numbers, which deflate compresses well: 2
instead of 5 MB for a ReLU network of 150 layers. Where weights are smooth along the depth, as with the Sobolev
gradient, the changes from layer to layer are smaller still: 1 instead of 4.7 MB.
"""

import base64
import zlib

import numpy as np

LEVELS = 127
DEFLATE = 7  # 9 packs 2 % better and takes six times as long


def round_rows(Wb):
    """Return (rows int8, steps float32) of parameters Wb (layer, out, in + 1), with Wb ≈ rows * steps."""
    own = abs(Wb.astype("float64")).max(axis=-1) / LEVELS
    finest = np.sqrt((own**2).mean()) / 2
    steps = np.maximum(own, finest).astype("float32")
    steps[steps == 0] = 1  # a network of zeros
    rows = np.rint(Wb / steps[..., None].astype("float64"))
    return rows.clip(-LEVELS, LEVELS).astype("int8"), steps


def restored(rows, steps):
    """Return the weights and biases [W b] that the page computes with, in float64."""
    return rows.astype("float64") * steps[..., None].astype("float64")


def packed(rows, steps):
    """Return (text, changes): base64 of a deflated block, the steps (little-endian float32) before the rows.

    changes: whether the rows are packed as changes from layer to layer, modulo 256, because that is shorter.
    """
    as_changes = np.diff(rows, axis=0, prepend=np.zeros_like(rows[:1]))
    texts = [_text(each, steps) for each in (rows, as_changes)]
    changes = len(texts[1]) < len(texts[0])
    return texts[changes], changes


def _text(rows, steps):
    block = steps.astype("<f4").tobytes() + rows.tobytes()
    return base64.b64encode(zlib.compress(block, DEFLATE)).decode()
