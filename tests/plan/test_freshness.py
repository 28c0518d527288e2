"""Times and records that would mislead Snakemake are set right before it plans its jobs."""

import json
import os
import time
from pathlib import Path

import pytest

from stages.config import configuration
from stages.plan import stage_settings, stage_table
from stages.plan.freshness import Freshness

MODEL = "sgd_ce_tanh"
RESULTS = Path("results/smoke")


@pytest.fixture
def config(root, tmp_path, monkeypatch):
    """An experiment of one model, and a folder to work in."""
    monkeypatch.chdir(tmp_path)
    config = configuration.load(root, "smoke", {"training": {"runs": 1}})
    config["models"] = {
        "table1": [],
        "own": [],
        "table2": {"trainers": ["sgd"], "losses": ["ce"], "activations": ["tanh"]},
    }
    config["attack"]["attacks"] = {"fgsm": config["attack"]["attacks"]["fgsm"]}
    for store in stage_table.stores(config):
        write(store.name, store.settings, {role: f"digest of {source}" for role, source in store.inputs.items()})
    return config


def write(name, settings, inputs, digest=None):
    path = RESULTS / f"{name}.json"
    path.parent.mkdir(parents=True, exist_ok=True)
    manifest = {"digest": digest or f"digest of {name}", "settings": settings, "inputs": inputs, "measured": []}
    path.write_text(json.dumps(manifest))


def misleading(config, results=RESULTS, recorded=()):
    """Return the names of the stores that Snakemake has to be told of; looking changes no file's time.

    recorded: the stores whose making Snakemake has a record of.
    """
    before = {path: path.stat().st_mtime_ns for path in RESULTS.rglob("*")}
    freshness = Freshness(config, results, {Path(results, f"{name}.json") for name in recorded}.__contains__)
    found = sorted(name for name in freshness.wanted if freshness.misleads(name))
    assert {path: path.stat().st_mtime_ns for path in RESULTS.rglob("*")} == before
    return found


def test_what_fits_is_left_alone(config):
    assert len(list(RESULTS.rglob("*.json"))) == 7  # raw, digits, train, noise, sensitivity, uncertainty, attack
    assert misleading(config) == []


def test_a_changed_setting_without_a_record_makes_its_stores_old_and_no_other(config):
    config["noise"]["draws"] = 7
    assert misleading(config) == [f"noise/{MODEL}/run0"]


def test_a_changed_setting_with_a_record_is_left_to_snakemake(config):
    config["noise"]["draws"] = 7
    assert misleading(config, recorded=[f"noise/{MODEL}/run0"]) == []


def test_a_changed_trainer_makes_all_that_follows_from_it_old(config):
    config["rmsprop"]["rate"] = 0.5
    assert misleading(config) == [
        f"{stage}/{MODEL}/run0" for stage in ("attack/fgsm", "noise", "sensitivity", "train", "uncertainty")
    ]


def test_another_origin_of_the_data_is_fetched_again_with_or_without_a_record(config):
    config["data"]["origin"] = "mnist"
    assert misleading(config) == ["data/raw"]
    assert misleading(config, recorded=["data/raw"]) == []  # Snakemake sees it by itself


def test_stores_made_from_another_input_are_old_with_and_without_a_record(config):
    write(
        "data/digits",
        stage_settings.downsample_settings(config, config["data"]["side"]),
        {"raw": "digest of data/raw"},
        digest="from a backup",
    )
    os.utime(RESULTS / "data/digits.json", (1e9, 1e9))
    assert misleading(config, recorded=[f"train/{MODEL}/run0"]) == [
        f"{stage}/{MODEL}/run0" for stage in ("attack/fgsm", "noise", "sensitivity", "train", "uncertainty")
    ]


def test_nothing_stays_in_the_future(config):
    figure, stamp = RESULTS / "figures/fig.png", RESULTS / f"train/{MODEL}/run0.zarr/.snakemake_timestamp"
    for path in (figure, stamp):
        path.parent.mkdir(parents=True)
        path.touch()
    tomorrow = time.time() + 86400
    for path in RESULTS.rglob("*"):
        os.utime(path, (tomorrow, tomorrow))
    Freshness(config, RESULTS, has_record=lambda path: False).bring_times_back()
    late = [str(path) for path in RESULTS.rglob("*") if path.stat().st_mtime > time.time() and not path.is_dir()]
    assert not late
    assert misleading(config) == []


@pytest.mark.parametrize("content", ["", "[]", "3", "null", "{}", '{"inputs": 3, "settings": 1, "digest": 2}', "\0"])
def test_damaged_manifests_are_left_to_those_who_read_them(config, content):
    for path in RESULTS.rglob("*.json"):
        path.write_text(content)
    assert misleading(config) == []


def test_only_the_manifests_that_are_asked_for_are_read(config):
    freshness = Freshness(config, RESULTS, has_record=lambda path: False)
    for path in RESULTS.rglob("*.json"):
        path.unlink()  # after it was made: none has been read
    assert not freshness.misleads("data/digits")
    write(f"train/{MODEL}/run0", {"other": "settings"}, {})
    assert freshness.misleads(f"train/{MODEL}/run0")


def test_an_empty_folder_is_fine(config):
    assert misleading(config, "results/none") == []
