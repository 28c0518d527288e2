"""An array that lies in a file: `idx_files` and `npz_files` check its header, NumPy reads its values."""

import contextlib
from typing import NamedTuple

import numpy as np

from stages.runtime.errors import UserError

# Deflate, the method of gzip and NPZ, shrinks data to no less than one part in 1032.
DEFLATE_LIMIT = 1032


class ArrayFile(NamedTuple):
    name: str  # for messages: the file, and the array in it
    values: np.ndarray


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
