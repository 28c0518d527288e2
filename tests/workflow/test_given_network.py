"""A network that was trained elsewhere goes through the whole workflow beside the others."""

import csv
import json

import numpy as np
import pytest

from stages.storage import stores

LAYERS, WIDTH = 4, 25
MODEL = "mine_ce_tanh"
GIVEN = "models={given: {mine: {file: mine.npz, activation: tanh, interval: 2.0, loss: ce}}}"
JUDGED = ("claims.csv", "claims_in_detail.csv", "levels.csv")


def write_weights(folder, seed=0):
    rng = np.random.default_rng(seed)
    W = 0.3 * rng.standard_normal((LAYERS, WIDTH, WIDTH))
    np.savez(folder / "mine.npz", W=W, b=0.1 * rng.standard_normal((LAYERS, WIDTH)))


def rules(jobs):
    return {job.partition(":")[0] for job in jobs}


@pytest.fixture(scope="module")
def brought(finished):
    """The finished workflow after a given network went through it; what was planned; the digests before."""
    write_weights(finished.folder)
    before, planned = finished.digests(), finished.planned(GIVEN)
    result = finished.snakemake(config=[GIVEN])
    assert result.returncode == 0, result.stdout + result.stderr
    return finished, planned, before


def test_it_alone_is_computed_and_nothing_is_judged_again(brought):
    workflow, planned, before = brought
    computed = [job for job in planned if not job.startswith(("draw_figure", "tabulate", "write_"))]
    assert all(MODEL in job for job in computed)
    assert rules(computed) == {"import_network", "evaluate_noise", "estimate_sensitivity", "attack_network"}
    after = workflow.digests()
    assert {name: after[name] for name in before} == before
    for name in JUDGED:
        assert "mine" not in (workflow.folder / "results/smoke" / name).read_text()


def test_tables_and_report_show_it(brought):
    results = brought[0].folder / "results/smoke"
    with open(results / "tables/table2_accuracy.csv") as file:
        (row,) = [row for row in csv.DictReader(file) if row["trainer"] == "mine"]
    network = stores.read(results / f"train/{MODEL}/run0.zarr")
    assert float(row["test_accuracy_mean"]) == pytest.approx(100 * network["test_accuracy"].item(), abs=1e-4)
    assert row["runs"] == "1"
    assert "mine" in (results / "tables/table_attacks.csv").read_text()
    page = (results / "report.html").read_text()
    assert json.loads((results / f"attack/fgsm/{MODEL}/run0.json").read_text())["digest"] in page
    assert "models.given.mine.sha256" in page


def test_its_accuracy_is_that_of_its_weights(brought):
    folder = brought[0].folder
    digits, weights = stores.read_arrays(folder / "results/smoke/data/digits.zarr"), np.load(folder / "mine.npz")
    x = digits["test_image"]
    for W, b in zip(weights["W"], weights["b"], strict=True):
        x = x + 0.5 * np.tanh(x @ W.T + b)
    right = (x[:, :10].argmax(axis=1) == digits["test_label"]).mean()
    assert stores.read(folder / f"results/smoke/train/{MODEL}/run0.zarr")["test_accuracy"].item() == right


def test_a_changed_file_reruns_what_follows_and_a_touched_one_nothing(brought):
    workflow = brought[0]
    path = workflow.folder / "mine.npz"
    content = path.read_bytes()
    path.write_bytes(content)
    assert workflow.planned(GIVEN) == []
    write_weights(workflow.folder, seed=1)
    planned = workflow.planned(GIVEN)
    assert {job for job in planned if job.startswith("import")} == {f"import_network: {MODEL}"}
    assert rules(planned) > {"evaluate_noise", "attack_network", "write_report"}
    assert not rules(planned) & {"train_network", "judge_claims"}
    path.write_bytes(content)
    assert workflow.planned(GIVEN) == []


def test_a_bad_file_stops_everything_before_it_starts(brought):
    workflow, _, _ = brought
    before = workflow.digests()
    path = workflow.folder / "mine.npz"
    content = path.read_bytes()
    np.savez(path, W=np.full((2, WIDTH, WIDTH), np.nan), b=np.zeros((2, WIDTH)))
    result = workflow.snakemake(config=[GIVEN])
    path.write_bytes(content)
    assert result.returncode == 1
    assert "models.given.mine.file: mine.npz: wanted finite weights" in result.stdout + result.stderr
    assert workflow.digests() == before
