"""Print the files that can be drawn from restored stores, one per line, for `make redraw`.

    python -m stages.plan.redraw_targets --preset paper

Figures that show digits need data/digits.zarr. If it is missing, the published pictures are used instead, so that the
report is complete.
"""

import logging
import shutil
from pathlib import Path

import yaml

from stages import PROJECT
from stages.config import configuration
from stages.plan import exhibit
from stages.plan.all_exhibits import FIGURES, TABLES, files_of
from stages.runtime import program
from stages.runtime.errors import UserError

log = logging.getLogger("stages")

PUBLISHED = PROJECT / "workflow" / "published"


def targets(config, results, published):
    """Return the files to request from Snakemake; copy published pictures of digits if there are no digits."""
    exhibits = exhibit.present(config, FIGURES | TABLES)
    files = []
    for name, record in exhibits.items():
        if record.shows_digits and not (results / "data/digits.json").exists():
            for file in files_of(name):
                _take(published / file, results / file)
        else:
            files += [results / file for file in files_of(name)]
    return [*files, results / "claims.csv", results / "report.html"]


def _take(published, file):
    """Copy a published picture, unless the file exists."""
    if file.exists():
        return
    if not published.is_file():
        raise UserError(f"wanted the digits, to draw {file.name}, or {published}; found neither")
    file.parent.mkdir(parents=True, exist_ok=True)
    shutil.copy(published, file)
    log.info("%s stays as it was published: the digits that it shows are not there", file.name)


def arguments(parser):
    parser.add_argument("--preset", required=True, help="whose published run")
    parser.add_argument("--published", type=Path, default=PUBLISHED, help="where it lies")


def main(options):
    published = options.published / options.preset
    if not (published / "experiment.yaml").is_file():
        known = sorted(path.parent.name for path in options.published.glob("*/experiment.yaml"))
        raise UserError(f"--preset: wanted a published run ({', '.join(known)}), found {options.preset}")
    config = configuration.load(PROJECT, overrides=yaml.safe_load((published / "experiment.yaml").read_text()))
    print("\n".join(map(str, targets(config, Path("results", options.preset), published))))


if __name__ == "__main__":
    program.run(__doc__, arguments, main, settings=False)
