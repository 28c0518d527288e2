"""One folder of made-up stores for all tests of the report, in the smoke preset's sizes with two runs."""

import copy
import json
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "figures"))
import drawing
import made_up_stores
import made_up_worlds

from stages.figures import canvas, catalogue, contents, tabulate_accuracy, tabulate_cw, tabulate_solvers
from stages.report import judge_claims, write_report

ROOT = Path(__file__).resolve().parents[2]
TABLES = {"table1_solvers": tabulate_solvers, "table2_accuracy": tabulate_accuracy, "table3_cw": tabulate_cw}


@pytest.fixture(scope="session")
def whole_config():
    return made_up_stores.smoke_config()


@pytest.fixture
def config(whole_config):
    """The experiment's configuration, for a test to change."""
    return copy.deepcopy(whole_config)


@pytest.fixture(scope="session")
def results():
    """Stores in which the paper's claims hold."""
    return made_up_stores.smoke_results()


@pytest.fixture(scope="session")
def finished(results, whole_config):
    """The same folder with figures, tables, verdicts and benchmarks; pictures small, for speed."""
    for name in catalogue.FIGURES:
        output = results / "figures" / f"{name}.png"
        canvas.save(drawing.draw(results, whole_config, name), [output], dpi=60)
    reference = ROOT / "workflow" / "reference"
    for name, program in TABLES.items():
        output = [results / "tables" / f"{name}.csv"]
        settings = drawing.settings_of(whole_config, name)
        program.main(
            SimpleNamespace(settings=settings, results=results, output=output, reference=reference / f"{name}.csv")
        )
    found = made_up_worlds.measurements(whole_config, made_up_worlds.as_the_paper_says())
    patch = pytest.MonkeyPatch()
    patch.setattr(judge_claims, "measure", lambda folder, config: found)
    judge_claims.main(
        SimpleNamespace(
            settings=contents.claims_settings(whole_config),
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
    return results


@pytest.fixture(scope="session")
def write_page(finished):
    """Write a report with some configuration; return its path."""

    def write(config, output):
        settings = json.loads(json.dumps(contents.report_settings(config), sort_keys=True))
        write_report.main(
            SimpleNamespace(
                settings=settings,
                results=finished,
                reference=ROOT / "workflow" / "reference",
                captions=ROOT / "workflow" / "report",
                output=output,
            )
        )
        return output

    return write


@pytest.fixture(scope="session")
def report(write_page, whole_config, tmp_path_factory):
    """The report of the made-up experiment."""
    return write_page(whole_config, tmp_path_factory.mktemp("report") / "report.html")
