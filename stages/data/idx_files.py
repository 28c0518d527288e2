"""IDX files, the format of MNIST, plain or gzipped, read without trusting their headers.

Two zero bytes, the type of the values, the number of dimensions, each dimension's size as a big-endian 32-bit
integer, then the values in C order, big-endian.
"""

import gzip
import math
import os
import struct

import numpy as np

from stages.data.array_files import DEFLATE_LIMIT, ArrayFile, reading
from stages.errors import UserError

TYPES = {0x08: "u1", 0x09: "i1", 0x0B: ">i2", 0x0C: ">i4", 0x0D: ">f4", 0x0E: ">f8"}
GZIP_MAGIC = b"\x1f\x8b"


def open_idx(path):
    """Return the array of an IDX file, plain or gzipped, after holding its header against the file's size."""
    with reading(path), open_stream(path) as stream:
        magic = stream.read(4)
        if len(magic) < 4 or magic[:2] != b"\0\0" or magic[2] not in TYPES or not magic[3]:
            raise UserError(
                f"{path}: wanted an IDX file (it starts with 00 00, a type and a number of dimensions), "
                f"found {_show(magic)}; get the file again, or name another"
            )
        sizes = stream.read(4 * magic[3])
        if len(sizes) < 4 * magic[3]:
            raise UserError(f"{path} is truncated: it ends inside its header; get the file again")
    shape = struct.unpack(f">{magic[3]}I", sizes)
    dtype = np.dtype(TYPES[magic[2]])
    header = 4 + len(sizes)
    _check_size(path, header + math.prod(shape) * dtype.itemsize, shape, dtype)

    def open_values():
        stream = open_stream(path)
        stream.seek(header)
        return stream

    return ArrayFile(str(path), shape, dtype, open_values)


def uncompress(path, target):
    """Copy an IDX file, plain or gzipped, to `target` uncompressed; refuse one that its header does not fit."""
    array = open_idx(path)
    wanted = 4 + 4 * len(array.shape) + math.prod(array.shape) * array.dtype.itemsize
    try:
        with open(target, "wb") as copy:
            for data in _parts(path, wanted + 1):  # one byte more, so that a longer file shows, however long it is
                copy.write(data)
            copy.flush()
            os.fsync(copy.fileno())
            found = copy.tell()
        if found != wanted:
            size = "more" if found > wanted else f"{found:,}"
            raise UserError(
                f"{path}: its header {_dimensions(array.shape)} wants {wanted:,} bytes uncompressed, found {size}; "
                "get the file again"
            )
    except BaseException:
        os.unlink(target)
        raise


def encode(array):
    """Return the bytes of an IDX file with this array of unsigned bytes."""
    values = np.ascontiguousarray(array, np.uint8)
    return bytes([0, 0, 0x08, values.ndim]) + struct.pack(f">{values.ndim}I", *values.shape) + values.tobytes()


def open_stream(path):
    """Open a file for reading, uncompressed if it is gzipped."""
    return gzip.open(path, "rb") if is_gzipped(path) else open(path, "rb")


def is_gzipped(path):
    with open(path, "rb") as file:
        return file.read(2) == GZIP_MAGIC


def _parts(path, limit):
    """Yield the first `limit` bytes of a file, uncompressed, in parts; only reading happens inside `reading`."""
    with reading(path), open_stream(path) as stream:
        while limit and (data := stream.read(min(2**20, limit))):
            limit -= len(data)
            yield data


def _check_size(path, wanted, shape, dtype):
    """Refuse a header that asks for other than the file can hold."""
    size = os.path.getsize(path)
    header = f"{path}: its header {_dimensions(shape)} of {dtype.itemsize}-byte values wants {wanted:,} bytes"
    if is_gzipped(path):
        if wanted > size * DEFLATE_LIMIT:
            raise UserError(f"{header}, but {size:,} gzipped bytes cannot hold them; get the file again")
    elif wanted != size:
        raise UserError(f"{header}, found {size:,}; get the file again")


def _dimensions(shape):
    return " x ".join(str(size) for size in shape)


def _show(magic):
    return f"{magic.hex(' ')} ({magic!r})" if magic else "an empty file"
