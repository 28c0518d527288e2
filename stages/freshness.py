"""What Snakemake cannot see of a store's age: mended before it plans its jobs.

Snakemake goes by the times of files and by its own records in .snakemake. Both can mislead: the clock was set back, and
files seem to come from the future; digits were restored from a backup with their old time; the records were deleted,
left behind when results were copied, or lost with a killed main process. The manifests tell what a store was made with
and from: one that does not fit gets the time LONG_AGO, so that Snakemake makes it again.
"""

import base64
import contextlib
import json
import os
import time
from pathlib import Path

from stages import experiment
from stages.errors import UserError

LONG_AGO = 1  # seconds since 1970: before any input


def mend(config, results):
    """Set times right under `results`, the folder of a preset: nothing is from the future, what does not fit is old."""
    results = Path(results)
    stores = {name: (_manifest(results / f"{name}.json"), *wanted) for name, *wanted in _stores(config)}
    for path in _outputs(results, stores):
        with contextlib.suppress(OSError):  # missing, or read-only: then nothing can be made again either
            if path.stat().st_mtime > time.time():
                os.utime(path)
    for name, (manifest, settings, inputs) in stores.items():
        path = results / f"{name}.json"
        if manifest is None:
            continue
        unnoticed = manifest["settings"] != settings and not _has_record(path)
        if name == "data/raw" and unnoticed:  # it has no input that could be newer
            raise UserError(
                f"{path} was made with other settings than the configuration's block `data`, and Snakemake has no "
                f"record of how; delete {path} and run the same command again, or put the settings back"
            )
        present = {role: stores[source][0] for role, source in inputs.items()}
        other = any(
            present[role] and present[role]["digest"] != digest
            for role, digest in manifest["inputs"].items()
            if role in present
        )
        if unnoticed or other:
            with contextlib.suppress(OSError):
                os.utime(path, (LONG_AGO, LONG_AGO))


def _stores(config):
    """Yield (name, settings, {role: name of an input}) of every store of an experiment."""
    yield "data/raw", experiment.data_settings(config), {}
    yield "data/digits", experiment.downsample_settings(config), {"raw": "data/raw"}
    parts = [(stage, model) for stage, models in experiment.stage_models(config).items() for model in models]
    for stage, model in parts:
        settings = experiment.stage_settings(config, stage, model)
        for run in experiment.runs(config):
            inputs = {"digits": "data/digits"}
            if stage == "train":
                yield f"{stage}/{model}/run{run}", settings | {"run": run}, inputs
            else:
                yield f"{stage}/{model}/run{run}", settings, inputs | {"network": f"train/{model}/run{run}"}


def _outputs(results, stores):
    """Yield the files whose times Snakemake looks at."""
    for name in stores:
        folder = results / (name if name == "data/raw" else f"{name}.zarr")
        yield from (results / f"{name}.json", folder, folder / ".snakemake_timestamp")
    for folder in (results, results / "figures", results / "tables"):
        if folder.is_dir():
            yield from (path for path in folder.iterdir() if path.is_file())


def _manifest(path):
    """Return a manifest, or None for one that is missing or damaged: whoever reads the store says so."""
    try:
        manifest = json.loads(path.read_text())
        whole = isinstance(manifest["inputs"], dict) and {"digest", "settings"} <= set(manifest)
    except (OSError, ValueError, KeyError, TypeError):
        return None
    return manifest if whole else None


def _has_record(path):
    """Tell whether Snakemake knows how a file was made."""
    return Path(".snakemake/metadata", base64.urlsafe_b64encode(str(path).encode()).decode()).exists()
