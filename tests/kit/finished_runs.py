"""Fixtures: finished runs of made-up stores, in the smoke preset's sizes, for the tests of report and publishing."""

import copy
import json
import shutil
from types import SimpleNamespace

import pytest

from kit import drawing, made_up_stores, made_up_worlds, publishing
from kit.project_copy import ROOT
from stages.claims import judge_claims
from stages.plan import exhibit
from stages.plan.all_exhibits import FIGURES, TABLES
from stages.publish import publish
from stages.report import write_report


@pytest.fixture(scope="session")
def finished(made_once, results, whole_config):
    """The same stores with figures, tables, verdicts and benchmarks; pictures small, for speed."""

    def make(folder):
        with drawing.each_store_read_once():
            finish(shutil.copytree(results, folder), whole_config)

    return made_once("finished/smoke", make)


def finish(results, whole_config):
    for name in exhibit.present(whole_config, FIGURES):
        files = [results / "figures" / f"{name}.{kind}" for kind in ("png", "pdf")]
        drawing.save_small(results, whole_config, name, *files)
    reference = ROOT / "workflow" / "reference"
    for name in exhibit.present(whole_config, TABLES):
        drawing.tabulate(results, whole_config, name, [results / "tables" / f"{name}.csv"])
    found = made_up_worlds.measurements(whole_config, made_up_worlds.as_the_paper_says())
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(judge_claims, "measure", lambda folder, config, printed: found)
        judge_claims.main(
            SimpleNamespace(
                settings=exhibit.claims_settings(whole_config),
                results=results,
                reference=reference,
                csv=results / "claims.csv",
                markdown=results / "claims.md",
                detail=results / "claims_in_detail.csv",
                levels=results / "levels.csv",
            )
        )
    benchmark = results / "benchmarks" / "train" / "ncg_ce_relu" / "run0.tsv"
    benchmark.parent.mkdir(parents=True)
    benchmark.write_text("s\th:m:s\tmax_rss\tmean_load\n75.2\t0:01:15\t312.5\t98.1\n")


@pytest.fixture(scope="session")
def figures(whole_config):
    """The names of the experiment's figures."""
    return list(exhibit.present(whole_config, FIGURES))


@pytest.fixture(scope="session")
def tables(whole_config):
    return list(exhibit.present(whole_config, TABLES))


@pytest.fixture(scope="session")
def write_page(finished):
    """Write a report with some configuration; return its path."""

    def write(config, output, published=None):
        settings = json.loads(json.dumps(exhibit.report_settings(config), sort_keys=True))
        write_report.main(
            SimpleNamespace(
                settings=settings,
                results=finished,
                reference=ROOT / "workflow" / "reference",
                published=published,
                output=output,
                experiment=output.with_name("experiment.yaml"),
            )
        )
        return output

    return write


@pytest.fixture(scope="session")
def report(write_page, whole_config, tmp_path_factory):
    """The report of the made-up experiment."""
    return write_page(whole_config, tmp_path_factory.mktemp("report") / "report.html")


@pytest.fixture(scope="session")
def paper_config(whole_config):
    """An experiment under the name of the paper preset, with some of its models."""
    config = copy.deepcopy(whole_config) | {"preset": "paper"}
    config["data"]["folder"] = publishing.FOLDER_OF_MINE
    grid = {"trainers": ["sgd", "ncg"], "losses": ["ce"], "activations": ["relu"]}
    config["models"] = {"table1": ["ncg-euler20_l2_tanh"], "table2": grid, "own": []}
    return config


@pytest.fixture(scope="session")
def paper_run(made_once, paper_config):
    """Its results, finished."""

    def make(folder):
        made_up_stores.write_stores(folder, paper_config, made_up_worlds.as_the_paper_says())
        with drawing.each_store_read_once():
            publishing.finish(folder, paper_config)

    return made_once("paper_run/paper", make)


@pytest.fixture(scope="session")
def published(paper_run, tmp_path_factory):
    out = tmp_path_factory.mktemp("published")
    publish.publish(paper_run, "paper", out, publishing.REFERENCE)
    return out
