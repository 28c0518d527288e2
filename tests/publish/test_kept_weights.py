"""Weights that were kept come back: into restored trainings, and with trainings of runs that were not packed."""

import json
import shutil

import numpy as np
import pytest
from kit.one_attacked_network import *  # noqa: F403
from kit.one_attacked_network import MODEL

from stages.publish import extracts, keep_network, pack, restore
from stages.runtime.errors import UserError
from stages.statistics import weights_over_depth
from stages.storage import stores, verify
from stages.storage.network_store import read_network


def test_restored_networks_get_the_weights_that_were_kept(made, config, tmp_path):
    networks, packed = tmp_path / "networks", tmp_path / "packed"
    keep_network.keep(made / f"train/{MODEL}/run1.zarr", networks / f"{MODEL}.zarr", images=10)
    pack.pack(made, config, MODEL, packed / f"{MODEL}.zip")
    restored = tmp_path / "restored/smoke"
    shutil.copytree(made / "data", restored / "data")
    restore.restore(packed, restored, networks)
    store = restored / f"train/{MODEL}/run1.zarr"
    manifest = stores.read_manifest(store)
    trained = {key: value for key, value in manifest["settings"].items() if key != "run"}
    kept, given = (read_network(path, trained, np) for path in (networks / f"{MODEL}.zarr", store))
    np.testing.assert_array_equal(kept.parameters, given.parameters)
    with pytest.raises(UserError, match="extract without weights"):
        read_network(restored / f"train/{MODEL}/run0.zarr", trained, np)
    # xarray opens it, as figures and tables do.
    expected = weights_over_depth.steps(stores.read(made / f"train/{MODEL}/run1.zarr"))
    np.testing.assert_array_equal(stores.read(store)["weight_step"].values, expected)
    # To the workflow it is the network that was trained, and not younger than what was made from it.
    assert manifest["digest"] == stores.read_manifest(made / f"train/{MODEL}/run1.zarr")["digest"]
    for path in restored.rglob("*.zarr"):
        assert verify.problem_of(restored, path) is None
    trained_at = stores.manifest_path(store).stat().st_mtime_ns
    assert trained_at <= stores.manifest_path(restored / f"noise/{MODEL}/run1.zarr").stat().st_mtime_ns
    # Packed again it is the same file, and a second restore leaves it alone.
    pack.pack(restored, config, MODEL, tmp_path / "again.zip")
    assert (tmp_path / "again.zip").read_bytes() == (packed / f"{MODEL}.zip").read_bytes()
    restore.restore(packed, restored, networks)
    assert stores.manifest_path(store).stat().st_mtime_ns == trained_at


def test_weights_are_added_to_older_packs_too(made, config, tmp_path, monkeypatch):
    """Older packs have a dimension `step`; rounded weights have a variable of that name."""
    of_training = extracts.TAKE["train"]

    def as_before(variables):
        kept = of_training(variables)
        return kept | {"weight_step": kept["weight_step"]._replace(dims=("step",))}

    monkeypatch.setitem(extracts.TAKE, "train", as_before)
    networks, packed, restored = (tmp_path / name for name in ("networks", "packed", "restored"))
    keep_network.keep(made / f"train/{MODEL}/run1.zarr", networks / f"{MODEL}.zarr", images=10)
    pack.pack(made, config, MODEL, packed / f"{MODEL}.zip")
    restore.restore(packed, restored, networks)
    opened = stores.read(restored / f"train/{MODEL}/run1.zarr")
    assert {"step", "weight_step"} <= set(opened.variables)


def test_a_kept_network_brings_the_training_of_a_run_that_was_not_packed(made, config, tmp_path):
    networks, packed, restored = (tmp_path / name for name in ("networks", "packed", "restored/smoke"))
    keep_network.keep(made / f"train/{MODEL}/run1.zarr", networks / f"{MODEL}.zarr", images=10)
    pack.pack(made, config, MODEL, packed / f"{MODEL}.zip", runs=[0])
    shutil.copytree(made / "data", restored / "data")
    restore.restore(packed, restored, networks)
    whole, store = made / f"train/{MODEL}/run1.zarr", restored / f"train/{MODEL}/run1.zarr"
    expected, manifest = stores.read_manifest(whole), stores.read_manifest(store)
    # To the workflow it is the network that was trained.
    assert {key: manifest[key] for key in ("digest", "settings", "inputs")} == {
        key: expected[key] for key in ("digest", "settings", "inputs")
    }
    assert verify.problem_of(restored, store) is None
    trained, there = stores.read(whole), stores.read(store)
    np.testing.assert_array_equal(there["test_accuracy"].values, trained["test_accuracy"].values)
    rounding = there["step"].item() * np.sqrt(trained["W"][0].size) / 2
    np.testing.assert_allclose(there["weight_norm"].values, weights_over_depth.norms(trained), rtol=0, atol=rounding)
    settings = {key: value for key, value in manifest["settings"].items() if key != "run"}
    kept, given = (read_network(path, settings, np) for path in (networks / f"{MODEL}.zarr", store))
    np.testing.assert_array_equal(kept.parameters, given.parameters)
    # It is packed like any training, and joins what was packed of the other run.
    assert f"train/{MODEL}/run1" in pack.pack(restored, config, MODEL, packed / f"{MODEL}.zip", parts=True)


def test_a_kept_network_of_another_experiment_brings_nothing(made, config, tmp_path):
    networks, packed, restored = (tmp_path / name for name in ("networks", "packed", "restored"))
    keep_network.keep(made / f"train/{MODEL}/run1.zarr", networks / f"{MODEL}.zarr", images=10)
    pack.pack(made, config, MODEL, packed / f"{MODEL}.zip", runs=[0])
    restore.restore(packed, restored)
    run0 = restored / f"train/{MODEL}/run0.json"
    manifest = json.loads(run0.read_text())
    manifest["settings"]["batch"] += 1
    run0.write_text(json.dumps(manifest))
    restore.give_weights(networks / f"{MODEL}.zarr", restored)
    assert [path.name for path in run0.parent.glob("*.json")] == ["run0.json"]
