"""Mutated image files: read or refused with a message, never another error, never much memory.

SNODE_FUZZ sets how many mutations each test tries (default 200).
"""

import gzip
import io
import os
import struct
import tracemalloc
import zipfile

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from stages.data import idx_files, image_sets
from stages.runtime.errors import UserError

IMAGES = np.arange(5 * 6 * 6, dtype=np.uint8).reshape(5, 6, 6)
LABELS = np.arange(5, dtype=np.uint8)
MEMORY = 8 * 2**20  # bytes; the files hold a few hundred

trials = settings(
    max_examples=int(os.environ.get("SNODE_FUZZ", "200")),
    deadline=None,
    derandomize=True,
    database=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)


def npz(save):
    buffer = io.BytesIO()
    save(buffer, train_images=IMAGES, train_labels=LABELS)
    return buffer.getvalue()


IDX = idx_files.encode(IMAGES)
CONTENTS = {
    "idx": IDX,
    "idx.gz": gzip.compress(IDX, mtime=0),
    "npz": npz(np.savez),
    "compressed npz": npz(np.savez_compressed),
}


def survive(tmp_path, content):
    """Read the content as images, uncompressed as on fetching; return whether it was taken."""
    (tmp_path / "packed").write_bytes(content)
    (tmp_path / "labels").write_bytes(idx_files.encode(LABELS))
    tracemalloc.start()
    try:
        if image_sets.is_npz(tmp_path / "packed"):
            (tmp_path / "packed").rename(tmp_path / "images")
        else:
            idx_files.uncompress(tmp_path / "packed", tmp_path / "images")
        images, labels = image_sets.open_pair(tmp_path, {"train_images": "images", "train_labels": "labels"}, "train")
        for _ in image_sets.image_blocks(images, len(images.values)):
            pass
        image_sets.read_labels(labels, len(labels.values), 10)
        return True
    except UserError as refusal:
        if str(tmp_path) not in str(refusal):
            raise AssertionError("the message does not name the file") from refusal
        return False
    finally:
        most = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()  # first, or one failure would be found again in every later test
        assert most < MEMORY


edits = st.lists(st.tuples(st.integers(0, 2**16), st.integers(0, 255)), max_size=6)


@pytest.mark.parametrize("kind", CONTENTS)
def test_the_unchanged_file_is_read(tmp_path, kind):
    assert survive(tmp_path, CONTENTS[kind])


@pytest.mark.parametrize("kind", CONTENTS)
@trials
@given(edits=edits, keep=st.none() | st.integers(0, 2**10), more=st.binary(max_size=30))
def test_changed_cut_and_lengthened_bytes(tmp_path, kind, edits, keep, more):
    content = bytearray(CONTENTS[kind])
    for place, value in edits:
        content[place % len(content)] = value
    survive(tmp_path, bytes(content[:keep]) + more)


@pytest.mark.parametrize("kind", ["npz", "compressed npz"])
@pytest.mark.parametrize("value", [0x40, 0xFF])
def test_any_single_byte_of_an_archive_may_be_large(tmp_path, kind, value):
    for place in range(len(CONTENTS[kind])):
        content = bytearray(CONTENTS[kind])
        content[place] = value
        survive(tmp_path, bytes(content))


sizes = st.lists(st.integers(0, 8) | st.integers(0, 2**32 - 1) | st.sampled_from([2**31, 2**32 - 1]), max_size=5)


@trials
@given(
    start=st.just(b"\0\0") | st.binary(min_size=2, max_size=2),
    kind=st.sampled_from([0x08, 0x09, 0x0B, 0x0C, 0x0D, 0x0E]) | st.integers(0, 255),
    dimensions=st.none() | st.integers(0, 255),
    sizes=st.just([5, 6, 6]) | sizes,
    values=st.just(IMAGES.tobytes()) | st.binary(max_size=2000),
    packed=st.booleans(),
)
def test_headers_that_say_anything(tmp_path, start, kind, dimensions, sizes, values, packed):
    count = len(sizes) if dimensions is None else dimensions
    content = start + bytes([kind, count]) + struct.pack(f">{len(sizes)}I", *sizes) + values
    taken = survive(tmp_path, gzip.compress(content) if packed else content)
    if taken:  # only a header that tells the truth
        shape = struct.unpack(">3I", content[4:16])
        item = {0x08: 1, 0x0D: 4, 0x0E: 8}[kind]
        assert len(content) == 16 + item * shape[0] * shape[1] * shape[2]


@pytest.mark.filterwarnings("ignore:.*created on Python 2")
@trials
@given(
    shape=st.text("(),0123456789- L'", max_size=30), dtype=st.sampled_from(["|u1", "<f8", "|O", "<U9", "[('a','u1')]"])
)
def test_npy_headers_that_say_anything(tmp_path, shape, dtype):
    header = f"{{'descr': {dtype!r}, 'fortran_order': False, 'shape': ({shape}), }}".encode().ljust(117) + b"\n"
    content = b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header + IMAGES.tobytes()
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("train_images.npy", content)
    survive(tmp_path, buffer.getvalue())


def test_a_small_gzip_file_that_unpacks_to_much_stays_small_in_memory(tmp_path):
    header = bytes([0, 0, 0x08, 3]) + struct.pack(">3I", 5, 2000, 2000)
    bomb = gzip.compress(header + bytes(5 * 2000 * 2000))
    assert len(bomb) < 25_000
    (tmp_path / "bomb").write_bytes(bomb)
    tracemalloc.start()
    idx_files.uncompress(tmp_path / "bomb", tmp_path / "copy")
    assert tracemalloc.get_traced_memory()[1] < MEMORY
    tracemalloc.stop()
