"""A grid with missing cells, drawn, tabulated, judged and reported: what is there is shown, the rest is "not run"."""

import json
from types import SimpleNamespace

import numpy as np
import pytest
from kit import drawing

from stages.claims import judge_claims
from stages.config import checks as config_checks
from stages.plan import exhibit, experiment
from stages.plan.all_exhibits import FIGURES, TABLES
from stages.report import summarise, write_report


def without_most_weight_decay(config, rng):
    config["models"]["table2"]["trainers"] = ["sgd", "ncg", "ncg-sobolev"]
    config["models"]["own"] = ["ncg-wd_ce_relu", "sgd-wd_l2_tanh"]


def any_models(config, rng):
    models = experiment.table2_models(config)
    config["models"]["own"] = sorted(rng.choice(models, size=rng.integers(1, 9), replace=False).tolist())
    config["models"]["table2"] = {"trainers": ["ncg"], "losses": ["l2"], "activations": ["tanh"]}
    config["models"]["table1"] = config["models"]["table1"][1:]


def one_model(config, rng):
    config["models"] |= {"own": [], "table1": []}
    config["models"]["table2"] = {"trainers": ["sgd"], "losses": ["ce"], "activations": ["relu"]}


@pytest.fixture(scope="module", autouse=True)
def each_store_is_read_once():
    with drawing.each_store_read_once():
        yield


@pytest.mark.parametrize(("choose", "seed"), [(without_most_weight_decay, 0), (any_models, 1), (one_model, 0)])
def test_what_is_there_is_shown_and_the_rest_was_not_run(results, config, root, tmp_path, choose, seed):
    choose(config, np.random.default_rng(seed))
    config_checks.check(config, root)
    show(results, config, tmp_path / "smoke", root / "workflow" / "reference")
    text = (tmp_path / "smoke" / "report.html").read_text()
    assert ">not run<" in text
    assert "not run: " in text
    lines = "\n".join(summarise.summary(tmp_path / "smoke", tmp_path / "nothing published"))
    assert "smoke preset, 2 runs" in lines
    assert "not run (" in lines
    there = len(experiment.table2_models(config))
    assert (tmp_path / "smoke" / "tables" / "table2_accuracy.md").read_text().count("| not run |") == 20 - there


def show(results, config, folder, reference):
    """Make every figure, table and verdict that the configuration has, and the report of them."""
    for name in exhibit.present(config, FIGURES):
        drawing.save_small(results, config, name, folder / "figures" / f"{name}.png")
    for name in exhibit.present(config, TABLES):
        drawing.tabulate(results, config, name, [folder / "tables" / f"{name}.{kind}" for kind in ("csv", "md", "tex")])
    judge_claims.main(
        SimpleNamespace(
            settings=exhibit.claims_settings(config),
            results=results,
            reference=reference,
            csv=folder / "claims.csv",
            markdown=folder / "claims.md",
            detail=folder / "claims_in_detail.csv",
            levels=folder / "levels.csv",
        )
    )
    settings = json.loads(json.dumps(exhibit.report_settings(config)))
    options = {"settings": settings, "results": folder, "reference": reference, "output": folder / "report.html"}
    write_report.main(SimpleNamespace(**options, published=None, experiment=folder / "experiment.yaml"))
