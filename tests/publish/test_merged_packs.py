"""Packing merges: runs, and parts of runs, come together from several machines, if they belong together."""

import copy
import json
import shutil
import zipfile
from types import SimpleNamespace

import pytest
from kit import made_up_stores, made_up_worlds
from kit.one_attacked_network import *  # noqa: F403
from kit.one_attacked_network import MODEL
from kit.publishing import change_store

from stages.publish import pack
from stages.runtime.errors import UserError
from stages.storage import stores


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
