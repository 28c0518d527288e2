"""An array that lies in a file: its shape and type are known and checked, its values are read block by block.

Nothing is allocated on the word of a header alone: `idx_files` and `npz_files` hold the header against the size of
the file first, and `blocks` reads a bounded number of bytes at a time.
"""

import contextlib
import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import BinaryIO

import numpy as np

from stages.errors import UserError

BLOCK_BYTES = 2**20
# Deflate, the method of gzip and NPZ, shrinks data to no less than one part in 1032.
DEFLATE_LIMIT = 1032


@dataclass(frozen=True)
class ArrayFile:
    """What a header says, and a way to the first value."""

    name: str  # for messages: the file, and the array in it
    shape: tuple[int, ...]
    dtype: np.dtype
    open_values: Callable[[], BinaryIO]

    @property
    def count(self):
        return self.shape[0]


def blocks(array, count=None):
    """Yield the first `count` entries (all if None) along the first axis, a bounded number of bytes at a time."""
    entry = math.prod(array.shape[1:]) * array.dtype.itemsize
    left = array.count if count is None else count
    at_once = max(1, BLOCK_BYTES // max(1, entry))
    whole = left == array.count
    with reading(array.name), array.open_values() as stream:
        while left:
            size = min(at_once, left)
            data = stream.read(size * entry)
            if len(data) < size * entry:
                raise UserError(f"{array.name} is truncated: {left} entries fewer than its header says; get it again")
            left -= size
            yield np.frombuffer(data, array.dtype).reshape(size, *array.shape[1:])
        if whole and stream.read(1):  # the last read also checks the checksum of a compressed file
            raise UserError(f"{array.name} goes on after the values that its header counts; get it again")


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
