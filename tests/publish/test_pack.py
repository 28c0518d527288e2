"""Extracts of published stores: every figure, table and verdict can be made again from them, and the run goes on."""

import copy
import shutil
import zipfile
from types import SimpleNamespace

import numpy as np
import pytest
from kit import drawing
from kit.project_copy import ROOT
from matplotlib.backends.backend_agg import FigureCanvasAgg

from stages.claims import judge_claims
from stages.config import configuration
from stages.plan import exhibit, experiment, stage_settings, stage_table
from stages.plan.all_exhibits import FIGURES, TABLES
from stages.publish import extracts, packed_file, restore
from stages.publish import pack as packing
from stages.runtime.errors import UserError
from stages.storage import stores, verify
from stages.storage.network_store import read_network

CHOICE = {"runs": None, "config": [], "configfile": None, "parts": False, "replace": False}


@pytest.fixture(scope="module")
def some(whole_config):
    """An experiment with some of the models, enough for every kind of figure."""
    config = copy.deepcopy(whole_config)
    grid = {"trainers": ["sgd", "ncg-sobolev"], "losses": ["l2"], "activations": ["relu", "tanh"]}
    config["models"] = {"table1": ["ncg-euler20_l2_tanh"], "table2": grid, "own": ["sgd_ce_tanh"]}
    config["training"]["runs"] = 1
    return config


@pytest.fixture(scope="module")
def published(results, some, tmp_path_factory):
    folder = tmp_path_factory.mktemp("published")
    for model in experiment.all_models(some):
        packing.pack(results, some, model, folder / f"{model}.zip", runs=[0])
    return folder


@pytest.fixture(scope="module")
def restored(results, published, tmp_path_factory):
    """The digits, made first, and all else from what was published."""
    folder = tmp_path_factory.mktemp("restored") / "smoke"
    shutil.copytree(results / "data", folder / "data")
    assert len(restore.restore(published, folder)) > 40
    return folder


def judged(results, config, folder):
    """Return the verdicts with every comparison, as text."""
    folder.mkdir(exist_ok=True)
    files = {name: folder / name for name in ("csv", "markdown", "detail", "levels")}
    settings, reference = exhibit.claims_settings(config), ROOT / "workflow" / "reference"
    judge_claims.main(SimpleNamespace(settings=settings, results=results, reference=reference, **files))
    return [path.read_text() for path in files.values()]


def pixels(figure):
    figure.set_dpi(40)
    page = FigureCanvasAgg(figure)
    page.draw()
    return np.asarray(page.buffer_rgba())


def test_verdicts_and_tables_from_extracts_are_the_same_to_the_letter(results, restored, some, tmp_path):
    assert judged(results, some, tmp_path / "whole") == judged(restored, some, tmp_path / "extracts")
    for name in exhibit.present(some, TABLES):
        tables = [tmp_path / f"{whose}-{name}.csv" for whose in ("whole", "extracts")]
        for folder, table in zip((results, restored), tables, strict=True):
            drawing.tabulate(folder, some, name, [table])
        assert tables[0].read_text() == tables[1].read_text()


@pytest.mark.parametrize("name", ["fig_attack_examples_sgd", "fig_one_image", "fig_weight_norm"])
def test_figures_of_what_is_mostly_left_out_are_the_same_to_the_pixel(results, restored, some, name):
    assert name in exhibit.present(some, FIGURES)
    whole, again = (pixels(drawing.draw(folder, some, name)) for folder in (results, restored))
    assert np.array_equal(whole, again)


def test_every_extract_is_whole_and_stands_for_its_store(results, restored, some):
    for store in stage_table.stores(some):
        path = f"{store.name}.zarr"
        if not (results / path).exists():  # a stage beyond the paper
            continue
        assert verify.problem_of(restored, restored / path) is None
        manifests = [stores.read_manifest(folder / path) for folder in (results, restored)]
        manifests[1].pop("extract", None)
        assert manifests[0] == manifests[1]


def test_a_damaged_extract_is_refused(restored, tmp_path):
    store = tmp_path / "run0.zarr"
    shutil.copytree(restored / "noise/sgd_ce_tanh/run0.zarr", store)
    shutil.copy(restored / "noise/sgd_ce_tanh/run0.json", stores.manifest_path(store))
    (store / "correct/zarr.json").unlink()
    with pytest.raises(UserError, match="is damaged"):
        stores.check(store)


def test_who_needs_the_weights_is_told_that_they_are_not_there(restored, some):
    trained = stage_settings.train_settings(some, "sgd_ce_tanh")
    with pytest.raises(UserError, match=r"extract without weights: delete it with its manifest"):
        read_network(restored / "train/sgd_ce_tanh/run0.zarr", trained, np)


def test_the_same_stores_and_their_own_extracts_make_the_same_file(results, restored, published, some, tmp_path):
    for number, folder in enumerate((results, restored)):
        again = tmp_path / f"{number}.zip"
        packing.pack(folder, some, "sgd_l2_relu", again, runs=[0])
        assert again.read_bytes() == (published / "sgd_l2_relu.zip").read_bytes()


def test_pictures_are_of_the_first_successes(results, restored):
    name = "attack/sensitivity/sgd_l2_relu/run0.zarr"
    whole, extract = stores.read(results / name), stores.read(restored / name)
    shown_there = np.isfinite(extract["adversarial"].values[:, 0])
    assert 0 < shown_there.sum() <= extracts.PICTURES
    assert np.array_equal(np.flatnonzero(shown_there), np.flatnonzero(whole["success"].values)[: shown_there.sum()])
    assert np.array_equal(extract["adversarial"].values[shown_there], whole["adversarial"].values[shown_there])


def test_what_is_there_is_left_alone_and_what_is_missing_is_laid(restored, published):
    kept = {path: path.stat().st_mtime_ns for path in restored.rglob("*") if path.is_file()}
    gone = restored / "noise/sgd_ce_tanh/run0.zarr"
    shutil.rmtree(gone)
    stores.manifest_path(gone).unlink()
    assert restore.restore(published, restored) == ["noise/sgd_ce_tanh/run0.zarr"]
    assert verify.problem_of(restored, gone) is None
    # Killed between a store and its manifest, and amid another.
    stores.manifest_path(gone).unlink()
    (restored / ".restored-left").mkdir()
    assert restore.restore(published, restored) == ["noise/sgd_ce_tanh/run0.zarr"]
    assert verify.problem_of(restored, gone) is None
    assert not list(restored.glob(".restored-*"))
    for path, time in kept.items():
        assert path.stat().st_mtime_ns == time or gone in path.parents or path == stores.manifest_path(gone)


def test_other_digits_than_those_of_the_published_run_are_named(published, results, tmp_path):
    shutil.copytree(results / "data", tmp_path / "smoke/data")
    manifest = tmp_path / "smoke/data/digits.json"
    manifest.write_text(manifest.read_text().replace(stores.read_manifest(manifest)["digest"], "0" * 64))
    with pytest.raises(UserError, match="made from another digits"):
        restore.restore(published, tmp_path / "smoke")


def test_networks_are_packed_once_they_are_finished(results, some, tmp_path, monkeypatch):
    """Every stage and attack of the preset was run on them: from then on nobody needs their weights."""
    monkeypatch.setattr(configuration, "load", lambda root, preset, overrides: copy.deepcopy(some))
    unfinished = shutil.copytree(results, tmp_path / "smoke")
    for name in ("noise/sgd_l2_relu", "attack/cw/sgd_ce_tanh"):
        stores.manifest_path(unfinished / f"{name}/run0.zarr").unlink()
    options = SimpleNamespace(preset="smoke", results=unfinished, out=tmp_path / "packed", **CHOICE | {"runs": [0]})
    packing.main(options)
    wanted = {"sgd_l2_tanh", "ncg-sobolev_l2_relu", "ncg-sobolev_l2_tanh", "ncg-euler20_l2_tanh"}
    assert {path.stem for path in options.out.iterdir()} == wanted
    options.results = tmp_path
    with pytest.raises(UserError, match="wanted a finished network"):
        packing.main(options)


def test_a_copy_of_a_manifest_is_no_run(results, some, tmp_path):
    again = shutil.copytree(results, tmp_path / "smoke")
    shutil.copy(again / "train/sgd_l2_relu/run0.json", again / "train/sgd_l2_relu/run0-before.json")
    names = packing.pack(again, some, "sgd_l2_relu", tmp_path / "packed/sgd_l2_relu.zip")
    assert {name.rpartition("/")[2] for name in names} == {"run0", "run1"}


def test_the_costs_of_runs_that_trained_in_lockstep_are_packed(results, some, tmp_path):
    again = shutil.copytree(results, tmp_path / "smoke")
    cost = again / "benchmarks/train/sgd_l2_relu/lockstep.tsv"
    cost.parent.mkdir(parents=True)
    cost.write_text("s\tcpu_time\n75.2\t75.0\n")
    packing.pack(again, some, "sgd_l2_relu", tmp_path / "packed/sgd_l2_relu.zip")
    shutil.copytree(results / "data", tmp_path / "restored/data")
    restore.restore(tmp_path / "packed", tmp_path / "restored")
    assert (tmp_path / "restored/benchmarks/train/sgd_l2_relu/lockstep.tsv").read_text() == cost.read_text()


def test_bad_input_gets_a_message(tmp_path):
    with pytest.raises(UserError, match="wanted packed stores, found none"):
        restore.restore(tmp_path, tmp_path / "results")
    (tmp_path / "ncg_ce_relu.zip").write_bytes(b"no zip file")
    with pytest.raises(UserError, match="is damaged"):
        restore.restore(tmp_path, tmp_path / "results")
    assert not list((tmp_path / "results").iterdir())


def test_a_file_that_unpacks_to_more_than_it_should_is_refused(published, tmp_path, monkeypatch):
    monkeypatch.setattr(packed_file, "LARGEST_MB", 0.01)
    with pytest.raises(UserError, match=r"it unpacks to \d+ MB, more than 0.01"):
        restore.restore(published, tmp_path / "results")


def test_a_file_that_leads_out_of_the_results_is_refused(tmp_path):
    with zipfile.ZipFile(tmp_path / "ncg_ce_relu.zip", "w") as archive:
        archive.writestr("../elsewhere.json", "{}")
    with pytest.raises(UserError, match="leads out of the folder"):
        restore.restore(tmp_path, tmp_path / "results")
    assert not list(tmp_path.glob("**/elsewhere.json"))
