"""A store's files: what Zarr finds in them, what it takes to read them, and what else can be read."""

import subprocess
import sys

import numpy as np
import pytest
import zarr

from stages.runtime.errors import UserError
from stages.storage import stores, zarr_folder
from stages.storage.zarr_folder import Variable

LARGE = 2 * zarr_folder.SMALL // 4  # float32 numbers: large enough to be left as they are where they do not shrink


def weights(rng):
    return rng.normal(size=(2, LARGE // 2)).astype("float32")


def write(path, values, dims=("layer", "weight"), **others):
    stores.write(path, {"x": (dims, values, {"units": "1"})}, settings={}, inputs={}, **others)


@pytest.mark.parametrize("kind", sorted(zarr_folder.NUMBERS))
def test_zarr_finds_numbers_of_every_kind(tmp_path, rng, kind):
    values = (100 * rng.random((3, 4))).astype(kind)
    zarr_folder.save(tmp_path / "a", {"x": Variable(("row", "column"), values, {"units": "m"})}, {"of": "all"})
    group = zarr.open_group(tmp_path / "a", mode="r")
    assert dict(group.attrs) == {"of": "all"}
    array = group["x"]
    np.testing.assert_array_equal(array[...], values, strict=True)
    assert (array.metadata.dimension_names, dict(array.attrs)) == (("row", "column"), {"units": "m"})


@pytest.mark.parametrize(
    "values", [np.array(2.5), np.zeros((0, 4)), np.arange(6).reshape(2, 3).T, np.arange(3, dtype=">f8")]
)
def test_a_number_nothing_a_transposed_and_a_foreign_array_come_back(tmp_path, values):
    dims = tuple("abc"[: values.ndim])
    zarr_folder.save(tmp_path / "a", {"x": Variable(dims, values)}, {})
    np.testing.assert_array_equal(zarr.open_group(tmp_path / "a", mode="r")["x"][...], values)
    found = zarr_folder.load(tmp_path / "a")[0]["x"]
    assert found.dims == dims
    np.testing.assert_array_equal(found.values, values)


def test_what_does_not_shrink_is_left_as_it_is(tmp_path, rng):
    flat = np.zeros((2, LARGE // 2), "float32")
    for name, values, share in (("weights", weights(rng), 1), ("flat", flat, 0.01)):
        write(tmp_path / f"{name}.zarr", values)
        size = (tmp_path / f"{name}.zarr/x/c/0/0").stat().st_size
        assert size == values.nbytes if share == 1 else size < share * values.nbytes
        np.testing.assert_array_equal(stores.read_arrays(tmp_path / f"{name}.zarr")["x"], values)
        np.testing.assert_array_equal(zarr.open_group(tmp_path / f"{name}.zarr", mode="r")["x"][...], values)


@pytest.mark.parametrize("change", [lambda c: c[:-1], lambda c: c + b"\0", lambda c: bytes([c[0] ^ 1]) + c[1:]])
def test_damage_to_what_is_not_compressed_is_found(tmp_path, rng, change):
    write(tmp_path / "a.zarr", weights(rng))
    chunk = tmp_path / "a.zarr/x/c/0/0"
    chunk.write_bytes(change(chunk.read_bytes()))
    with pytest.raises(UserError, match="is damaged"):
        stores.read_arrays(tmp_path / "a.zarr")


def test_a_store_that_zarr_has_written_in_its_own_way_is_read(tmp_path, rng):
    values = rng.random((10, 6))
    write(tmp_path / "a.zarr", values)
    group = zarr.open_group(tmp_path / "a.zarr", mode="r+")
    group.create_array(
        "x", data=values, chunks=(3, 4), dimension_names=("layer", "weight"), attributes={"units": "1"}, overwrite=True
    )
    np.testing.assert_array_equal(stores.read_arrays(tmp_path / "a.zarr")["x"], values)


def test_numbers_are_written_and_read_without_zarr(tmp_path):
    code = "import sys, numpy as np; from stages.storage import stores\n"
    code += "stores.write('a.zarr', {'x': (('i',), np.arange(3.0))}, settings={}, inputs={})\n"
    code += "print(stores.read_arrays('a.zarr')['x'].sum(), {'zarr', 'xarray'} & set(sys.modules))"
    done = subprocess.run([sys.executable, "-c", code], cwd=tmp_path, capture_output=True, text=True, check=True)
    assert done.stdout.split(maxsplit=1) == ["3.0", "set()\n"]
