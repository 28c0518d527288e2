"""IDX files: read as written, refused with a reason when they are broken."""

import gzip
import struct

import numpy as np
import pytest

from stages.data import idx_files
from stages.runtime.errors import UserError


def write(path, content):
    path.write_bytes(content)
    return path


def read(path):
    return idx_files.open_idx(path).values


def header(kind, *shape):
    return bytes([0, 0, kind, len(shape)]) + struct.pack(f">{len(shape)}I", *shape)


@pytest.mark.parametrize("pack", [bytes, gzip.compress], ids=["plain", "gzipped"])
def test_reads_what_was_written(tmp_path, rng, pack):
    images = rng.integers(0, 256, (9, 5, 6), np.uint8)
    path = write(tmp_path / "images", pack(idx_files.encode(images)))
    target = tmp_path / "copy"
    idx_files.uncompress(path, target)
    assert target.read_bytes() == idx_files.encode(images)
    np.testing.assert_array_equal(read(target), images)


@pytest.mark.parametrize(("kind", "dtype"), [(0x09, ">i1"), (0x0B, ">i2"), (0x0C, ">i4"), (0x0D, ">f4"), (0x0E, ">f8")])
def test_reads_every_type_of_the_format(tmp_path, kind, dtype):
    values = np.array([-3, 0, 100], dtype)
    path = write(tmp_path / "values", header(kind, 3) + values.tobytes())
    np.testing.assert_array_equal(read(path), values)


GOOD = header(0x08, 2, 3) + bytes(6)
BROKEN = {
    "empty": (b"", "wanted an IDX file .* found an empty file"),
    "a web page": (b"<!DOCTYPE html>", "wanted an IDX file .* found 3c 21 44 4f"),
    "unknown type": (b"\0\0\x07\x01" + bytes(9), "wanted an IDX file .* found 00 00 07 01"),
    "no dimensions": (b"\0\0\x08\x00", "wanted an IDX file"),
    "ends in its header": (GOOD[:10], "truncated: it ends inside its header"),
    "truncated": (GOOD[:-1], "header 2 x 3 of 1-byte values wants 18 bytes, found 17"),
    "too long": (GOOD + b"x", "wants 18 bytes, found 19"),
    "oversized header": (header(0x08, 2**32 - 1, 2**32 - 1, 2**32 - 1) + bytes(6), "found 22"),
}


@pytest.mark.parametrize(("content", "message"), BROKEN.values(), ids=BROKEN)
def test_a_broken_file_is_refused_by_name_and_reason(tmp_path, content, message):
    path = write(tmp_path / "images", content)
    with pytest.raises(UserError, match=message) as refusal:
        idx_files.open_idx(path)
    assert str(path) in str(refusal.value)


PACKED = gzip.compress(GOOD)
BROKEN_GZIP = {
    "nothing": (b"\x1f\x8b", "cannot be read"),
    "an oversized header": (
        gzip.compress(header(0x0E, 2**32 - 1, 2**20) + bytes(6)),
        "gzipped bytes cannot hold them",
    ),
    "content cut short": (gzip.compress(GOOD[:-1]), "header 2 x 3 of 1-byte values wants 18 bytes, found 17"),
    "content too long": (gzip.compress(GOOD + b"x"), "found more"),
    "file cut short": (PACKED[:-9], "cannot be read"),
    "wrong checksum": (PACKED[:-8] + b"1234" + PACKED[-4:], "CRC"),
}


@pytest.mark.parametrize(("content", "message"), BROKEN_GZIP.values(), ids=BROKEN_GZIP)
def test_a_broken_gzipped_file_is_refused_and_leaves_no_copy(tmp_path, content, message):
    path = write(tmp_path / "images.gz", content)
    with pytest.raises(UserError, match=message) as refusal:
        idx_files.uncompress(path, tmp_path / "copy")
    assert str(path) in str(refusal.value)
    assert [file.name for file in tmp_path.iterdir()] == ["images.gz"]


def test_a_missing_file_and_a_folder_are_refused(tmp_path):
    with pytest.raises(UserError, match=r"nothing cannot be read \(No such file"):
        idx_files.open_idx(tmp_path / "nothing")
    with pytest.raises(UserError, match="Is a directory"):
        idx_files.open_idx(tmp_path)
