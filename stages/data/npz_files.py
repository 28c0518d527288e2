"""Arrays in NPZ files, as numpy.savez writes them, never unpickled.

numpy.load would allocate whatever a header asks for and may leave the checksum unread. Here the sizes and the bytes are
checked first, and NumPy uses the bytes as an array without a copy.
"""

import io
import math
import os
import zipfile

import numpy as np

from stages.data.array_files import DEFLATE_LIMIT, ArrayFile, reading
from stages.runtime.errors import UserError

ZIP_MAGIC = b"PK"
LONGEST_HEADER = 10_000  # NumPy's limit for untrusted headers


def open_npz(path, names):
    """Return the array under the first of `names` that the file has, or its only array."""
    with reading(path), zipfile.ZipFile(path) as archive:
        members = {info.filename.removesuffix(".npy"): info for info in archive.infolist()}
        key = next((name for name in names if name in members), None)
        if key is None and len(members) == 1:
            key = next(iter(members))
        if key is None:
            raise UserError(
                f"{path}: wanted an array called {' or '.join(names)} (or one array alone), "
                f"found {', '.join(sorted(members)) or 'none'}; rename it with numpy.savez"
            )
        info = members[key]
        name = f"{path} ({key})"
        _check_member(name, info, os.path.getsize(path))
        content = archive.read(info)
    with reading(name):
        shape, fortran, dtype = _header(head := io.BytesIO(content))
    _check_array(name, shape, fortran, dtype, wanted=len(content) - head.tell())
    return ArrayFile(name, np.frombuffer(content, dtype, offset=head.tell()).reshape(shape))


def _header(head):
    version = np.lib.format.read_magic(head)
    if version not in ((1, 0), (2, 0)):
        raise ValueError(f"NPY version {version}")
    read = np.lib.format.read_array_header_1_0 if version == (1, 0) else np.lib.format.read_array_header_2_0
    return read(head, max_header_size=LONGEST_HEADER)


def _check_member(name, info, file_size):
    """Refuse what numpy.savez does not write, and sizes that the file cannot hold."""
    if info.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED) or info.flag_bits & 1:
        raise UserError(
            f"{name}: wanted an archive stored or deflated, as numpy.savez and numpy.savez_compressed write it, "
            "found another method; save it again with NumPy"
        )
    limit = file_size * (DEFLATE_LIMIT if info.compress_type == zipfile.ZIP_DEFLATED else 1)
    if info.file_size > limit:
        raise UserError(f"{name}: {info.file_size:,} bytes cannot come out of a file of {file_size:,}; get it again")
    if info.compress_size > file_size:  # zipfile would allocate this size before reading
        raise UserError(f"{name}: {info.compress_size:,} bytes cannot be in a file of {file_size:,}; get it again")


def _check_array(name, shape, fortran, dtype, wanted):
    if dtype.hasobject or dtype.kind not in "iufb":
        raise UserError(f"{name}: wanted plain numbers, found values of type {dtype}; save it again as numbers")
    if fortran and len(shape) > 1:
        raise UserError(
            f"{name}: wanted C order, found Fortran order; save it again after numpy.ascontiguousarray(array)"
        )
    if not shape or min(shape) < 0 or math.prod(shape) * dtype.itemsize != wanted:
        raise UserError(
            f"{name}: its header says an array {shape} of {dtype}, its values are {wanted:,} bytes; get the file again"
        )
