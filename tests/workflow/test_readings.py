"""Readings in a workflow: what they add to a finished run, and that the rest of it stays as it is."""

import csv

from stages.storage import stores

READINGS = [
    "models={readings: [sgd-once_ce_tanh, ncg_ce_tanh]}",
    "attack={attacks: {cw-all: {reads: cw, outputs: softmax-all}}}",
]
SHOWN = ["cw", "cw-softmax", "pgd-0.06", "sensitivity"]


def test_readings_are_added_to_a_finished_run_which_stays_as_it_is(finished):
    attacked = [f"attack_network: {attack} on sgd-once_ce_tanh, run 0" for attack in ["cw-all", *SHOWN]]
    assert finished.planned(*READINGS) == sorted(
        [
            "train_network: sgd-once_ce_tanh, run 0",
            "evaluate_noise: sgd-once_ce_tanh, run 0",
            "attack_network: cw-all on ncg_ce_tanh, run 0",
            *attacked,
            "draw_figure: fig_readings",
            "tabulate: table_readings",
            "write_report",
        ]
    )


def test_a_run_with_readings_shows_them_in_a_table_a_figure_and_the_report(finished):
    before, verdicts = finished.digests(), (finished.folder / "results/smoke/claims.csv").read_bytes()
    result = finished.snakemake(config=READINGS)
    assert result.returncode == 0, result.stdout + result.stderr
    results = finished.folder / "results/smoke"
    with open(results / "tables/table_readings.csv", newline="") as file:
        rows = list(csv.DictReader(file))
    shown = {(row["network"], row["reading"], row["outputs"]) for row in rows}
    heads = ("scores", "softmax", "softmax-all")
    assert shown == {
        *(("SGD, tanh, CE", "1 step per batch", head) for head in heads),
        *(("NCG, tanh, CE", "none, as in Table 2", head) for head in heads),
    }
    assert (results / "figures/fig_readings.png").stat().st_size > 1000
    page = (results / "report.html").read_text()
    assert "1 step per batch" in page
    assert "specification curve" in page
    after = finished.digests()
    assert {name: after[name] for name in before} == before
    assert (results / "claims.csv").read_bytes() == verdicts
    reading, row = (
        stores.read_manifest(results / "train" / model / "run0.zarr")["settings"]
        for model in ("sgd-once_ce_tanh", "sgd_ce_tanh")
    )
    assert reading == row | {"iterations": 1}
