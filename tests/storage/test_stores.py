"""Stores: whole or not at all, verified at every read, with a digest that follows the content alone."""

import json
import shutil

import numpy as np
import pytest
import xarray as xr

from stages.runtime.errors import UserError
from stages.storage import stores, whole_files


def write_example(path, values=(1.0, 2.0, 3.0), seconds=1.0, settings=None, inputs=None):
    stores.write(
        path,
        {"x": (("layer",), np.array(values, np.float32), {"units": "1"}), "seconds": (("epoch",), [seconds])},
        coordinates={"solver": (("solver",), ["euler", "ode45"]), "t": (("layer",), np.arange(len(values)) * 0.5)},
        settings=settings or {"network": {"depth": 3}},
        inputs=inputs or {},
        measured=("seconds",),
    )


def digest(path):
    return stores.read_manifest(path)["digest"]


@pytest.fixture
def store(tmp_path):
    write_example(tmp_path / "a.zarr")
    return tmp_path / "a.zarr"


def test_xarray_opens_a_store_and_finds_what_was_written(store):
    dataset = xr.open_zarr(store, consolidated=False)
    assert dataset["x"].dims == ("layer",)
    assert dataset["x"].attrs["units"] == "1"
    assert dataset["x"].dtype == np.float32
    assert list(dataset["solver"].values) == ["euler", "ode45"]


def test_xarray_finds_coordinates_and_reading_gives_the_same_dataset(store):
    with xr.open_zarr(store, consolidated=False) as opened:
        read = stores.read(store)
        assert set(opened.coords) == set(read.coords) == {"solver", "t"}
        assert opened["t"].dims == ("layer",)
        xr.testing.assert_equal(opened.load(), read)


def test_the_digest_follows_the_content_and_not_the_measured_times(tmp_path, store):
    write_example(tmp_path / "same.zarr", seconds=99.0)
    write_example(tmp_path / "other.zarr", values=(1.0, 2.0, 3.0000002))
    assert digest(tmp_path / "same.zarr") == digest(store)
    assert digest(tmp_path / "other.zarr") != digest(store)


def test_the_same_content_gives_the_same_manifest_to_the_byte(tmp_path, store):
    write_example(tmp_path / "b.zarr", seconds=7.0)
    assert (tmp_path / "b.json").read_bytes() == stores.manifest_path(store).read_bytes()


def test_the_manifest_names_settings_inputs_and_versions(tmp_path, store):
    write_example(tmp_path / "b.zarr", settings={"std": 0.1}, inputs={"digits": store})
    manifest = stores.read_manifest(tmp_path / "b.zarr")
    assert manifest["settings"] == {"std": 0.1}
    assert manifest["inputs"] == {"digits": digest(store)}
    assert set(manifest["versions"]) >= {"snode", "numpy", "xarray", "zarr"}


def test_reading_refuses_a_store_made_with_other_settings(store):
    stores.read(store, expect={"network": {"depth": 3}})
    with pytest.raises(UserError, match=r"wanted network.depth = 150, the store was made with 3"):
        stores.read(store, expect={"network": {"depth": 150}})


def test_writing_again_replaces_the_store(store):
    write_example(store, values=(5.0,))
    assert stores.read(store)["x"].values.tolist() == [5.0]


def test_writing_sweeps_what_a_killed_writer_left(store):
    left = store.with_name(f".{store.name}.dead.tmp")
    left.mkdir()
    write_example(store)
    assert not left.exists()


def test_a_failing_write_leaves_the_old_store_whole(store, monkeypatch):
    before = digest(store)
    monkeypatch.setattr(whole_files, "_flush_tree", lambda folder: (_ for _ in ()).throw(OSError(28, "disk full")))
    with pytest.raises(OSError, match="disk full"):
        write_example(store, values=(5.0,))
    assert digest(store) == before
    stores.read(store)


def chunk(store, name="x"):
    return next(path for path in (store / name / "c").glob("**/*") if path.is_file())


def delete(path):
    path.unlink()


def truncate(path):
    path.write_bytes(path.read_bytes()[:-3])


def flip(path):
    content = bytearray(path.read_bytes())
    content[len(content) // 2] ^= 1
    path.write_bytes(bytes(content))


@pytest.mark.parametrize("damage", [delete, truncate, flip])
@pytest.mark.parametrize("name", ["x", "seconds", "solver"])
def test_reading_refuses_a_damaged_chunk(store, damage, name):
    damage(chunk(store, name))
    with pytest.raises(UserError, match="is damaged"):
        stores.read(store)


@pytest.mark.parametrize("key", ["digest", "settings", "versions", "backend"])
def test_reading_refuses_an_edited_manifest(store, key):
    path = stores.manifest_path(store)
    manifest = json.loads(path.read_text())
    manifest[key] = "edited"
    path.write_text(json.dumps(manifest))
    with pytest.raises(UserError, match="is damaged"):
        stores.read(store)


def test_reading_refuses_a_store_without_manifest(store):
    stores.manifest_path(store).unlink()
    with pytest.raises(UserError, match="found no manifest"):
        stores.read(store)


def test_reading_refuses_a_manifest_that_is_not_json(store):
    stores.manifest_path(store).write_text("{")
    with pytest.raises(UserError, match="not JSON"):
        stores.read(store)


def test_reading_refuses_another_stores_manifest(tmp_path, store):
    write_example(tmp_path / "b.zarr", values=(4.0,))
    shutil.copy(tmp_path / "b.json", stores.manifest_path(store))
    with pytest.raises(UserError, match="does not belong to it"):
        stores.read(store)


def test_snakemakes_timestamp_in_a_store_does_not_disturb(store, recwarn):
    (store / ".snakemake_timestamp").touch()
    stores.read(store)
    assert not recwarn.list


def test_xarray_opens_a_store_without_a_warning(store, recwarn):
    (store / ".snakemake_timestamp").touch()
    with xr.open_zarr(store) as opened:
        xr.testing.assert_equal(opened.load(), stores.read(store))
    assert [str(each.message) for each in recwarn.list] == []


def test_a_group_that_says_otherwise_than_its_variables_is_damaged(store):
    group = json.loads((store / "zarr.json").read_text())
    group["consolidated_metadata"]["metadata"]["x"]["shape"] = [4]
    (store / "zarr.json").write_text(json.dumps(group))
    with pytest.raises(UserError, match="the group says otherwise of x"):
        stores.read(store)


def test_stores_of_before_that_have_no_summary_in_their_group_are_read(store):
    before = stores.read(store)
    group = json.loads((store / "zarr.json").read_text())
    del group["consolidated_metadata"]
    (store / "zarr.json").write_text(json.dumps(group))
    xr.testing.assert_identical(stores.read(store), before)


def test_an_empty_store_is_valid(tmp_path):
    stores.write(tmp_path / "e.zarr", {"x": (("sample", "pixel"), np.zeros((0, 4)))}, settings={}, inputs={})
    assert stores.read(tmp_path / "e.zarr")["x"].shape == (0, 4)
