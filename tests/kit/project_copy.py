"""A copy of the project to run in, so that tests leave nothing in the clone; digests of its results."""

import json
import shutil
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PARTS = ("Snakefile", "config.yaml", "CITATION.cff", "workflow", "stages")


def copy_project(folder):
    """Copy the workflow, without published results, into a folder; return the folder.

    Compiled files are copied too: if Python is told to write none, every job would compile again.
    """
    folder = Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    for name in PARTS:
        if (ROOT / name).is_dir():
            shutil.copytree(ROOT / name, folder / name, ignore=shutil.ignore_patterns("published"))
        else:
            shutil.copy(ROOT / name, folder / name)
    return folder


def digests(folder):
    """Return {manifest: digest of its store's content} of all results under a folder."""
    manifests = [path for path in sorted(Path(folder).glob("results/**/*.json")) if ".zarr" not in str(path)]
    return {str(path.relative_to(folder)): json.loads(path.read_text())["digest"] for path in manifests}
