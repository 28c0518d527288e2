"""An array in a file, and the file's digest: `idx_files` and `npz_files` check its header, NumPy reads its values."""

import contextlib
import hashlib
from typing import NamedTuple

import numpy as np

from stages.runtime.errors import UserError

# The largest compression ratio of deflate, the method of gzip and NPZ.
DEFLATE_LIMIT = 1032


class ArrayFile(NamedTuple):
    name: str  # for messages: the file, and the array in it
    values: np.ndarray


def sha256(path):
    with open(path, "rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


@contextlib.contextmanager
def reading(name):
    """Turn any error of a decoder on a broken file into a message that names the file."""
    try:
        yield
    except UserError:
        raise
    except Exception as problem:  # zipfile, zlib, gzip and NumPy raise many types
        reason = getattr(problem, "strerror", None) or f"{type(problem).__name__}: {problem}"
        raise UserError(f"{name} cannot be read ({reason}); get the file again, or name another") from None
