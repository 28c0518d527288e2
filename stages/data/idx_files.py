"""IDX files, the format of MNIST, mapped into memory after checking that the header fits the size of the file.

Format: two zero bytes, the type of the values, the number of dimensions, each dimension's size as a big-endian 32-bit
integer, then the values in C order, big-endian.
"""

import gzip
import math
import os
import struct

import numpy as np

from stages.data.array_files import DEFLATE_LIMIT, ArrayFile, reading
from stages.runtime.errors import UserError
from stages.storage.whole_files import replacing_file

TYPES = {0x08: "u1", 0x09: "i1", 0x0B: ">i2", 0x0C: ">i4", 0x0D: ">f4", 0x0E: ">f8"}
GZIP_MAGIC = b"\x1f\x8b"


def open_idx(path):
    """Return the array of an uncompressed IDX file."""
    with reading(path):
        shape, dtype, header, size = _read_header(path)
        if size != (found := os.path.getsize(path)):
            raise _misfit(path, shape, dtype, size, f"found {found:,}")
        # An empty file cannot be mapped.
        values = np.memmap(path, dtype, "r", header, shape) if math.prod(shape) else np.empty(shape, dtype)
    return ArrayFile(str(path), values)


def uncompress(path, target):
    """Copy an IDX file, plain or gzipped, to `target` uncompressed; refuse it if its size does not fit its header."""
    with reading(path):
        shape, dtype, _, size = _read_header(path)
        if size > (packed := os.path.getsize(path)) * DEFLATE_LIMIT:
            raise _misfit(path, shape, dtype, size, f"{packed:,} gzipped bytes cannot hold them")
    with replacing_file(target) as copy:
        for data in _parts(path, size + 1):  # one byte more detects a longer file
            copy.write(data)
        if size != (found := copy.tell()):
            raise _misfit(path, shape, dtype, size, "found more" if found > size else f"found {found:,}")


def encode(array):
    """Return the bytes of an IDX file with this array of unsigned bytes."""
    values = np.ascontiguousarray(array, np.uint8)
    return bytes([0, 0, 0x08, values.ndim]) + struct.pack(f">{values.ndim}I", *values.shape) + values.tobytes()


def open_stream(path):
    """Open a file for reading, uncompressed if it is gzipped."""
    with open(path, "rb") as file:
        gzipped = file.read(2) == GZIP_MAGIC
    return gzip.open(path, "rb") if gzipped else open(path, "rb")


def _parts(path, limit):
    """Yield the first `limit` bytes of a file, uncompressed, in parts; only reading happens inside `reading`."""
    with reading(path), open_stream(path) as stream:
        while limit and (data := stream.read(min(2**20, limit))):
            limit -= len(data)
            yield data


def _read_header(path):
    """Return shape, type, and the sizes in bytes of the header and the whole uncompressed file."""
    with open_stream(path) as stream:
        magic = stream.read(4)
        if len(magic) < 4 or magic[:2] != b"\0\0" or magic[2] not in TYPES or not magic[3]:
            raise UserError(
                f"{path}: wanted an IDX file (it starts with 00 00, a type and a number of dimensions), found "
                f"{_show(magic)}; get the file again, or name another"
            )
        sizes = stream.read(4 * magic[3])
    if len(sizes) < 4 * magic[3]:
        raise UserError(f"{path} is truncated: it ends inside its header; get the file again")
    shape, dtype = struct.unpack(f">{magic[3]}I", sizes), np.dtype(TYPES[magic[2]])
    return shape, dtype, 4 + len(sizes), 4 + len(sizes) + math.prod(shape) * dtype.itemsize


def _misfit(path, shape, dtype, size, found):
    header = f"its header {' x '.join(map(str, shape))} of {dtype.itemsize}-byte values wants {size:,} bytes"
    return UserError(f"{path}: {header}, {found}; get the file again")


def _show(magic):
    return f"{magic.hex(' ')} ({magic!r})" if magic else "an empty file"
