"""Lay what was packed of a run under results/<preset>, so that figures can be drawn anew and the run can go on.

    python -m stages.report.restore --preset paper         # or: make restore PRESET=paper, which makes the digits first

Each network in <packed>/<preset>, which make pack and make publish write, becomes stores that the workflow takes as
finished: extracts, without weights and most attacked images. Stores that are there with their manifests are left
alone.
"""

import logging
import os
import shutil
import zipfile
import zlib
from pathlib import Path
from tempfile import TemporaryDirectory

from stages import program, verify
from stages.errors import UserError
from stages.report.extracts import PACKED

log = logging.getLogger("stages")

UNPACKED = ".restored-"


def restore(packed, results):
    """Lay out the stores that are not there yet; return their names, below `results`."""
    archives = sorted(packed.glob("*.zip"))
    if not archives:
        raise UserError(f"wanted packed stores, found none in {packed}; make pack and make publish write them")
    results.mkdir(parents=True, exist_ok=True)
    for left in results.glob(f"{UNPACKED}*"):  # by one that was killed
        shutil.rmtree(left)
    laid = [name for path in archives for name in _lay(path, results)]
    problems = [problem for name in laid if (problem := verify.problem_of(results, results / name))]
    if problems:
        listed = "\n  ".join(problems)
        raise UserError(f"what was packed does not fit what lies in {results}:\n  {listed}")
    return laid


def _lay(path, results):
    """Unpack a network's stores beside their places, then move each that is missing; the manifest comes last."""
    laid = []
    with TemporaryDirectory(dir=results, prefix=UNPACKED) as folder:
        unpacked = Path(folder)
        try:
            with zipfile.ZipFile(path) as archive:
                for name in archive.namelist():
                    _unpack(archive, name, unpacked)
                names = [name for name in archive.namelist() if name.endswith((".json", ".tsv"))]
        except (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError) as problem:
            raise UserError(f"{path} is damaged: {problem}; get it again: git checkout -- {path}") from None
        for name in names:  # as they were made: no store may seem older than what it was made from
            if ".zarr/" in name or (results / name).exists():
                continue
            (results / name).parent.mkdir(parents=True, exist_ok=True)
            if name.endswith(".json"):
                store = Path(name).with_suffix(".zarr")
                if (results / store).exists():  # without its manifest: something was killed between the two
                    shutil.rmtree(results / store)
                (unpacked / store).rename(results / store)
                os.utime(results / store)
                laid.append(str(store))
            (unpacked / name).rename(results / name)
            os.utime(results / name)
    log.info("%s: %d stores laid under %s", path.stem, len(laid), results)
    return laid


def _unpack(archive, name, folder):
    place = folder / name
    if not place.resolve().is_relative_to(folder.resolve()):
        raise zipfile.BadZipFile(f"{name} leads out of the folder")
    place.parent.mkdir(parents=True, exist_ok=True)
    place.write_bytes(archive.read(name))


def arguments(parser):
    parser.add_argument("--preset", required=True, help="which preset's packed stores to lay out")
    parser.add_argument("--packed", type=Path, default=PACKED, help=f"where they lie (default: {PACKED})")
    parser.add_argument("--results", type=Path, help="where to (default: results/<preset>)")


def main(options):
    results = options.results or Path("results", options.preset)
    laid = restore(options.packed / options.preset, results)
    log.info("%d stores laid; the snakemake command of the run goes on from there", len(laid))


if __name__ == "__main__":
    program.run(__doc__, arguments, main, settings=False)
