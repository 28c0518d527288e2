"""One folder of made-up stores for all tests of the report, in the smoke preset's sizes with two runs."""

import json
import shutil
from types import SimpleNamespace

import drawing
import made_up_worlds
import pytest
from project_copy import ROOT

from stages.claims import judge_claims
from stages.plan import shown
from stages.plan.paper_figures import FIGURES
from stages.plan.paper_tables import TABLES
from stages.report import write_report


@pytest.fixture(scope="session")
def finished(made_once, results, whole_config):
    """The same stores with figures, tables, verdicts and benchmarks; pictures small, for speed."""

    def make(folder):
        with drawing.each_store_read_once():
            finish(shutil.copytree(results, folder), whole_config)

    return made_once("finished/smoke", make)


def finish(results, whole_config):
    for name in shown.present(whole_config, FIGURES):
        drawing.save_small(results, whole_config, name, results / "figures" / f"{name}.png")
    reference = ROOT / "workflow" / "reference"
    for name in shown.present(whole_config, TABLES):
        drawing.tabulate(results, whole_config, name, [results / "tables" / f"{name}.csv"])
    found = made_up_worlds.measurements(whole_config, made_up_worlds.as_the_paper_says())
    patch = pytest.MonkeyPatch()
    patch.setattr(judge_claims, "measure", lambda folder, config: found)
    judge_claims.main(
        SimpleNamespace(
            settings=shown.claims_settings(whole_config),
            results=results,
            reference=reference,
            csv=results / "claims.csv",
            markdown=results / "claims.md",
            detail=results / "claims_in_detail.csv",
        )
    )
    patch.undo()
    benchmark = results / "benchmarks" / "train" / "ncg_ce_relu" / "run0.tsv"
    benchmark.parent.mkdir(parents=True)
    benchmark.write_text("s\th:m:s\tmax_rss\tmean_load\n75.2\t0:01:15\t312.5\t98.1\n")


@pytest.fixture(scope="session")
def figures(whole_config):
    """The names of those that this experiment has."""
    return list(shown.present(whole_config, FIGURES))


@pytest.fixture(scope="session")
def tables(whole_config):
    return list(shown.present(whole_config, TABLES))


@pytest.fixture(scope="session")
def write_page(finished):
    """Write a report with some configuration; return its path."""

    def write(config, output, published=None):
        settings = json.loads(json.dumps(shown.report_settings(config), sort_keys=True))
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
