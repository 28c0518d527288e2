"""NPZ files: read whole, never unpickled, refused with a reason when they are broken."""

import io
import zipfile

import numpy as np
import pytest

from stages.data import npz_files
from stages.runtime.errors import UserError


def open_npz(path, *names):
    return npz_files.open_npz(path, names or ("images",))


def read(path, *names):
    return open_npz(path, *names).values


def write_member(path, content, method=zipfile.ZIP_DEFLATED):
    with zipfile.ZipFile(path, "w", method) as archive:
        archive.writestr("images.npy", content)
    return path


def npy(array):
    buffer = io.BytesIO()
    np.save(buffer, array)
    return buffer.getvalue()


@pytest.mark.parametrize("save", [np.savez, np.savez_compressed])
@pytest.mark.parametrize("dtype", ["u1", "<i8", ">i8", "f4"])
def test_reads_what_numpy_wrote(tmp_path, rng, save, dtype):
    values = rng.integers(0, 100, (9, 5, 6)).astype(dtype)
    save(tmp_path / "a.npz", other=np.zeros(3), images=values)
    np.testing.assert_array_equal(read(tmp_path / "a.npz"), values)


def test_takes_the_first_name_that_is_there_or_the_only_array(tmp_path):
    np.savez(tmp_path / "a.npz", x_train=np.arange(3), y_train=np.arange(4))
    np.savez(tmp_path / "one.npz", np.arange(5))
    assert len(read(tmp_path / "a.npz", "train_labels", "y_train")) == 4
    assert len(read(tmp_path / "one.npz", "train_labels", "y_train")) == 5
    with pytest.raises(UserError, match=r"wanted an array called images or x .* found x_train, y_train"):
        open_npz(tmp_path / "a.npz", "images", "x")


def test_pickled_objects_are_refused_unopened(tmp_path):
    class Trap:
        def __reduce__(self):
            return exec, ("raise SystemExit('unpickled')",)

    np.savez(tmp_path / "a.npz", images=np.array([Trap()], dtype=object))
    with pytest.raises(UserError, match="wanted plain numbers, found values of type object"):
        read(tmp_path / "a.npz")


def test_fortran_order_is_refused_and_the_way_out_named(tmp_path):
    np.savez(tmp_path / "a.npz", images=np.asfortranarray(np.zeros((2, 3, 3))))
    with pytest.raises(UserError, match="ascontiguousarray"):
        open_npz(tmp_path / "a.npz")


def test_a_header_that_asks_for_more_than_the_archive_holds_is_refused(tmp_path):
    content = npy(np.zeros((4, 2, 2), np.uint8)).replace(b"(4, 2, 2)", b"(9, 9, 9)")
    with pytest.raises(UserError, match=r"header says an array \(9, 9, 9\) of uint8, its values are 16 bytes"):
        open_npz(write_member(tmp_path / "a.npz", content))


@pytest.mark.parametrize(
    ("field", "message"), [(24, "cannot come out of a file"), (20, "cannot be in a file")], ids=["unpacked", "packed"]
)
def test_an_archive_that_claims_impossible_sizes_is_refused(tmp_path, field, message):
    path = write_member(tmp_path / "a.npz", npy(np.zeros((4, 2, 2), np.uint8)), zipfile.ZIP_STORED)
    data = bytearray(path.read_bytes())
    entry = data.rindex(b"PK\x01\x02")  # the central directory, which zipfile believes
    data[entry + field : entry + field + 4] = b"\xff\xff\xff\x7f"
    path.write_bytes(data)
    with pytest.raises(UserError, match=message):
        open_npz(path)


def test_a_long_npy_header_is_not_read_into_memory(tmp_path):
    content = b"\x93NUMPY\x02\x00" + (2**31).to_bytes(4, "little") + b" " * 2**20
    with pytest.raises(UserError, match="cannot be read"):
        open_npz(write_member(tmp_path / "a.npz", content))


def test_other_compression_methods_are_refused(tmp_path):
    with pytest.raises(UserError, match="stored or deflated"):
        open_npz(write_member(tmp_path / "a.npz", npy(np.zeros(3)), zipfile.ZIP_LZMA))


def test_truncated_and_flipped_archives_are_refused(tmp_path, rng):
    path = tmp_path / "a.npz"
    np.savez(path, images=rng.integers(0, 256, (9, 5, 6), np.uint8))
    content = path.read_bytes()
    path.write_bytes(content[: len(content) // 2])
    with pytest.raises(UserError, match="cannot be read"):
        read(path)
    middle = len(content) // 2
    path.write_bytes(content[:middle] + bytes([content[middle] ^ 1]) + content[middle + 1 :])
    with pytest.raises(UserError, match="CRC"):
        read(path)
