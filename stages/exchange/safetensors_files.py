"""Files in the safetensors format: a header in JSON and the bytes of the tensors, nothing that is executed.

Format: eight bytes with the length of the header, the header {name: {dtype, shape, data_offsets}}, the data. It is
short enough to implement here; other tools use a package for it.
"""

import json
import math
from pathlib import Path

import numpy as np

from stages.runtime.errors import UserError
from stages.storage.whole_files import replacing_file

TYPES = {"F64": "<f8", "F32": "<f4", "F16": "<f2", "I64": "<i8", "I32": "<i4", "I16": "<i2", "I8": "|i1", "U8": "|u1"}
LONGEST_HEADER = 10**7  # bytes; the format itself allows ten times as much


def write(path, tensors, metadata):
    """Write {name: array} and metadata {key: text}."""
    names = {np.dtype(code): name for name, code in TYPES.items()}
    arrays = {name: np.ascontiguousarray(each, each.dtype.newbyteorder("<")) for name, each in tensors.items()}
    header, start = {"__metadata__": metadata}, 0
    for name, each in arrays.items():
        entry = {"dtype": names[each.dtype], "shape": list(each.shape), "data_offsets": [start, start + each.nbytes]}
        header[name], start = entry, start + each.nbytes
    text = json.dumps(header).encode()
    text += b" " * (-len(text) % 8)
    with replacing_file(path) as file:
        file.write(len(text).to_bytes(8, "little") + text)
        for each in arrays.values():
            file.write(each.data)


def read(path):
    """Return ({name: array}, metadata) of a file; raise a UserError if it is incomplete."""
    content = Path(path).read_bytes()
    try:
        return _parsed(content)
    except (ValueError, KeyError, TypeError, AttributeError, OverflowError, RecursionError) as problem:
        raise UserError(
            f"{path}: wanted a safetensors file, found a damaged one or another format ({problem})"
        ) from None


def _parsed(content):
    length = int.from_bytes(content[:8], "little")
    if not 2 <= length <= min(LONGEST_HEADER, len(content) - 8):
        raise ValueError(f"its header would have {length} bytes")
    header, data = json.loads(content[8 : 8 + length]), content[8 + length :]
    metadata = header.pop("__metadata__", {})
    if not isinstance(metadata, dict):
        raise ValueError("its metadata are not text by name")
    tensors = {}
    for name, entry in header.items():
        if entry["dtype"] not in TYPES:
            raise ValueError(f"{name} has values of type {entry['dtype']}: save them as float32")
        (first, last), shape, dtype = entry["data_offsets"], entry["shape"], np.dtype(TYPES[entry["dtype"]])
        if any(size < 0 for size in shape) or not 0 <= first <= last <= len(data):
            raise ValueError(f"{name} lies outside of the file")
        if last - first != math.prod(shape) * dtype.itemsize:
            raise ValueError(f"{name} has {last - first} bytes, which is not its shape {shape}")
        tensors[name] = np.frombuffer(data[first:last], dtype).reshape(shape)
    return tensors, metadata
