"""An array that lies in a file: `idx_files` and `npz_files` check its header, NumPy reads its values."""

import contextlib
import math
from dataclasses import dataclass

import numpy as np

from stages.errors import UserError

BLOCK_BYTES = 2**20
# Deflate, the method of gzip and NPZ, shrinks data to no less than one part in 1032.
DEFLATE_LIMIT = 1032


@dataclass(frozen=True)
class ArrayFile:
    name: str  # for messages: the file, and the array in it
    values: np.ndarray

    @property
    def shape(self):
        return self.values.shape

    @property
    def dtype(self):
        return self.values.dtype

    @property
    def count(self):
        return len(self.values)


def blocks(array, count):
    """Yield the first `count` entries along the first axis, a bounded number of bytes at a time."""
    at_once = max(1, BLOCK_BYTES // max(1, math.prod(array.shape[1:]) * array.dtype.itemsize))
    for start in range(0, count, at_once):
        yield array.values[start : min(start + at_once, count)]


@contextlib.contextmanager
def reading(name):
    """Turn whatever a broken file makes the decoders raise into a message that names the file."""
    try:
        yield
    except UserError:
        raise
    except Exception as problem:  # zipfile, zlib, gzip and NumPy raise many kinds
        reason = getattr(problem, "strerror", None) or f"{type(problem).__name__}: {problem}"
        raise UserError(f"{name} cannot be read ({reason}); get the file again, or name another") from None
