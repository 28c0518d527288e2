"""Packing merges: runs, and parts of runs, come together from several machines, if they belong together."""

import copy
import json
import shutil
import zipfile
from types import SimpleNamespace

import numpy as np
import pytest
from kit import made_up_stores, made_up_worlds
from kit.publishing import change_store

from stages.publish import extracts, keep_network, pack, restore
from stages.runtime.errors import UserError
from stages.statistics import weights_over_depth
from stages.storage import stores, verify
from stages.storage.network_store import read_network

MODEL = "sgd_l2_relu"


@pytest.fixture(scope="module")
def config(whole_config):
    """One network that is attacked in two ways, with two runs."""
    config = copy.deepcopy(whole_config)
    config["models"] = {
        "table1": [],
        "table2": {"trainers": ["sgd"], "losses": ["l2"], "activations": ["relu"]},
        "own": [],
    }
    config["attack"]["attacks"] = {name: config["attack"]["attacks"][name] for name in ("sensitivity", "fgsm")}
    return config


@pytest.fixture(scope="module")
def made(made_once, config):
    """Its stores."""
    world = made_up_worlds.as_the_paper_says()
    return made_once("merged/smoke", lambda folder: made_up_stores.write_stores(folder, config, world))


@pytest.fixture
def machine(made, tmp_path):
    """Return a function that copies the results to another machine and leaves only what it has made there."""

    def machine(name, made_there):
        folder = shutil.copytree(made, tmp_path / name / "smoke")
        for manifest in [each for each in folder.rglob("*.json") if ".zarr" not in str(each.parent)]:
            place = str(manifest.relative_to(folder).with_suffix(""))
            if not place.startswith("data/") and not made_there(place):
                manifest.unlink()
                shutil.rmtree(manifest.with_suffix(".zarr"))
        return folder

    return machine


def names(path):
    with zipfile.ZipFile(path) as archive:
        return {name for name in archive.namelist() if name.endswith(".json") and ".zarr/" not in name}


def test_runs_of_two_machines_make_the_file_of_one(made, machine, config, tmp_path):
    whole, merged = tmp_path / "whole.zip", tmp_path / f"{MODEL}.zip"
    pack.pack(made, config, MODEL, whole)
    for run in (1, 0):
        pack.pack(machine(f"run{run}", lambda place: place.endswith(f"run{run}")), config, MODEL, merged)
        assert {name[-9:] for name in names(merged)} == {f"run{each}.json" for each in range(run, 2)}
    assert merged.read_bytes() == whole.read_bytes()


def test_a_file_that_holds_everything_is_left_alone(made, config, tmp_path):
    out = tmp_path / f"{MODEL}.zip"
    first = pack.pack(made, config, MODEL, out)
    before = out.stat().st_ino, out.stat().st_mtime_ns
    assert pack.pack(made, config, MODEL, out) == first
    assert (out.stat().st_ino, out.stat().st_mtime_ns) == before
    pack.pack(made, config, MODEL, out, replace=True)
    assert out.stat().st_mtime_ns > before[1]


def test_parts_of_a_run_come_together(made, machine, config, tmp_path):
    out = tmp_path / f"{MODEL}.zip"
    trains = machine("trains", lambda place: not place.startswith("attack/") and place.endswith("run0"))
    attacks = machine("attacks", lambda place: place.startswith(("attack/", "train/")) and place.endswith("run0"))
    assert pack.pack(trains, config, MODEL, out) == []
    assert not out.exists()
    assert pack.pack(trains, config, MODEL, out, parts=True)
    assert pack.pack(attacks, config, MODEL, out)  # finished, together with what is there
    alone = tmp_path / "alone.zip"
    pack.pack(made, config, MODEL, alone, runs=[0])
    assert out.read_bytes() == alone.read_bytes()


def test_more_runs_than_the_configuration_has_are_packed(made, config, tmp_path):
    one = copy.deepcopy(config)
    one["training"]["runs"] = 1
    pack.pack(made, one, MODEL, tmp_path / "all.zip")
    assert {name[-9:] for name in names(tmp_path / "all.zip")} == {"run0.json", "run1.json"}
    pack.pack(made, one, MODEL, tmp_path / "second.zip", runs=[1])
    assert {name[-9:] for name in names(tmp_path / "second.zip")} == {"run1.json"}


def test_the_command_takes_the_words_that_the_run_was_started_with(made, tmp_path, caplog):
    grid = {"trainers": ["sgd"], "losses": ["l2"], "activations": ["relu"]}
    words = [f"models={json.dumps({'table1': [], 'table2': grid})}", "training={runs: 2}"]
    options = {"preset": "smoke", "results": made, "runs": [1], "parts": True, "replace": False, "configfile": None}
    pack.main(SimpleNamespace(**options, out=tmp_path / "a", config=words))
    assert {name[-9:] for name in names(tmp_path / f"a/{MODEL}.zip")} == {"run1.json"}
    for wrong, said in (("models", "wanted words such as"), ("models={own: [nobody_l2_relu]}", "nobody")):
        with pytest.raises(UserError, match=said):
            pack.main(SimpleNamespace(**options, out=tmp_path / "c", config=[wrong]))
    with pytest.raises(UserError, match="wanted a finished network"):
        pack.main(
            SimpleNamespace(**options, out=tmp_path / "c", config=['models={table2: {losses: ["ce"]}, table1: []}'])
        )
    assert f"{MODEL}: not packed, because the configuration does not have it" in caplog.text


def test_the_command_takes_the_file_that_the_run_was_started_with(made, tmp_path):
    grid = {"trainers": ["sgd"], "losses": ["l2"], "activations": ["relu"]}
    file = tmp_path / "mine.yaml"
    file.write_text(json.dumps({"models": {"table1": [], "table2": grid}, "training": {"runs": 2}}))
    options = {"preset": "smoke", "results": made, "runs": [1], "parts": True, "replace": False, "config": []}
    pack.main(SimpleNamespace(**options, out=tmp_path / "a", configfile=file))
    assert [path.stem for path in (tmp_path / "a").iterdir()] == [MODEL]
    with pytest.raises(UserError, match=r"--configfile: wanted a file, found none at .*nobody.yaml"):
        pack.main(SimpleNamespace(**options, out=tmp_path / "a", configfile=tmp_path / "nobody.yaml"))


def test_a_run_with_other_settings_is_refused_with_the_setting(machine, config, tmp_path):
    out = tmp_path / f"{MODEL}.zip"
    pack.pack(machine("one", lambda place: place.endswith("run0")), config, MODEL, out)
    before = out.read_bytes()
    for key, value in (("rate", 0.5), ("schedule", {"kind": "exponential"})):
        other = copy.deepcopy(config)
        other["rmsprop"][key] = value
        folder = tmp_path / key / "smoke"
        made_up_stores.write_stores(folder, other, made_up_worlds.as_the_paper_says())
        for manifest in folder.rglob("run0.json"):
            manifest.unlink()
        with pytest.raises(UserError, match=rf"was made with rmsprop.{key} = .*, train/{MODEL}/run0 beside it with"):
            pack.pack(folder, other, MODEL, out)
        assert out.read_bytes() == before
        assert pack.pack(folder, other, MODEL, tmp_path / "new.zip", replace=True)


def test_a_store_that_verify_does_not_accept_is_not_packed(made, config, tmp_path):
    results = shutil.copytree(made, tmp_path / "smoke")
    chunk = results / f"noise/{MODEL}/run0.zarr/accuracy/c/0"
    chunk.write_bytes(chunk.read_bytes()[:-1] + b"?")
    with pytest.raises(UserError, match=r"not packed:\n.*run0.zarr is damaged"):
        pack.pack_finished(results, config, tmp_path / "packed")
    assert not (tmp_path / "packed").exists()


def test_what_was_made_from_another_network_does_not_join_it(machine, config, tmp_path):
    out = tmp_path / f"{MODEL}.zip"
    pack.pack(machine("trains", lambda place: place == f"train/{MODEL}/run0"), config, MODEL, out, parts=True)
    other = machine("other", lambda place: place in (f"train/{MODEL}/run0", f"noise/{MODEL}/run0"))
    trained, noise = (other / f"{stage}/{MODEL}/run0.zarr" for stage in ("train", "noise"))
    change_store(trained, lambda arrays: arrays["b"].__iadd__(1))
    (variables, _), settings = stores.check(noise), stores.read_manifest(noise)["settings"]
    variables = {name: tuple(each) for name, each in variables.items()}
    stores.write(noise, variables, settings=settings, inputs={"network": trained})
    with pytest.raises(UserError, match="has other content than what was packed under its name"):
        pack.pack(other, config, MODEL, out, parts=True)
    stores.manifest_path(trained).unlink()  # where the network was trained is not where it is evaluated
    with pytest.raises(UserError, match=r"do not fit: .*run0.zarr is out of date: it was made from another network"):
        pack.pack(other, config, MODEL, out, parts=True)


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
