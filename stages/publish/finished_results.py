"""Check that the results of a preset are finished and intact before publishing; list all problems."""

from pathlib import Path

import yaml

from stages.names.model_name import model_name
from stages.plan import exhibit, experiment
from stages.plan.all_exhibits import FIGURES, TABLES, files_of
from stages.report import provenance
from stages.runtime.errors import UserError
from stages.storage import stores, verify
from stages.storage.csv_files import read_csv

MOST_SAID = 8  # problems that are listed; the rest is counted


def read_experiment(results, preset):
    """Return the configuration of the results, which the report has written beside itself."""
    path = Path(results, "experiment.yaml")
    finish = f"finish the run first: make reproduce PRESET={preset}, or the snakemake command that it was started with"
    if not path.is_file():
        raise UserError(f"wanted the finished results of the {preset} preset, found no {path}; {finish}")
    try:
        config = yaml.safe_load(path.read_text())
        found = config["preset"]
        provenance.asked_for(config)
    except (yaml.YAMLError, LookupError, TypeError, ValueError, AttributeError):
        raise UserError(f"{path} is damaged: wanted a configuration; delete it and {finish}") from None
    if found != preset:
        raise UserError(
            f"wanted results of the {preset} preset, found those of {found} in {results}; "
            f"publish them as such (PRESET={found}), or name another folder with --results"
        )
    return config


def require_finished(results, config):
    """Raise a UserError that names what is missing, damaged, or made with other settings."""
    problems = [*_missing_files(results, config), *_bad_stores(results, config)]
    problems = problems or [*_outdated_report(results, config), *_outdated_tables(results, config)]
    if problems:
        more = [f"and {len(problems) - MOST_SAID} more"] if len(problems) > MOST_SAID else []
        listed = "\n  ".join(problems[:MOST_SAID] + more)
        raise UserError(
            f"wanted finished results in {results}, found:\n  {listed}\n"
            "Nothing was published. The snakemake command that the run was started with makes what is missing."
        )


def shown_files(config):
    """Return the files for readers, relative to results/<preset>: the page, the claims, tables and figures."""
    files = ["report.html", "experiment.yaml", "claims.csv", "claims.md", "claims_in_detail.csv", "levels.csv"]
    return files + [file for name in exhibit.present(config, TABLES | FIGURES) for file in files_of(name)]


def _missing_files(results, config):
    return [f"no {name}" for name in shown_files(config) if not (results / name).is_file()]


def _bad_stores(results, config):
    """Yield the problems of the experiment's stores."""
    for store in provenance.asked_for(config):
        path = results / f"{store.name}.zarr"
        if not path.exists() or not stores.manifest_path(path).exists():
            yield f"no {store.name}.zarr with its manifest (made by {store.rule})"
        elif problem := verify.problem_of(results, path):
            yield problem
        elif stores.read_manifest(path)["settings"] != store.settings:
            yield f"{store.name}.zarr was made with other settings than experiment.yaml has (made by {store.rule})"


def _outdated_report(results, config):
    """Yield the stores whose digest is not in the report: it was made from others."""
    page = (results / "report.html").read_text()
    for store in provenance.asked_for(config):
        if stores.read_manifest(results / f"{store.name}.zarr")["digest"] not in page:
            yield f"report.html is older than {store.name}.zarr (made by write_report)"


def _outdated_tables(results, config):
    """Yield the networks of which Table 2 shows fewer runs than the configuration has: the figures are outdated too.

    Snakemake redraws them when the list of networks or runs changes, unless it only compares modification times.
    """
    if "table2_accuracy" not in exhibit.present(config, TABLES):
        return
    rows = read_csv(results / "tables/table2_accuracy.csv")  # networks that were not run have a row with 0 runs
    shown = {model_name(row["trainer"], row["loss"], row["activation"]): int(row["runs"]) for row in rows}
    for model in experiment.table2_models(config):
        wanted = len(experiment.runs_of(config, model))
        if (runs := shown.get(model, 0)) != wanted:
            again = "snakemake -R tabulate draw_figure makes tables and figures anew"
            yield f"tables/table2_accuracy.csv shows {runs} of {wanted} runs of {model}; {again}"
