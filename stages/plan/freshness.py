"""What Snakemake cannot see of a store's age.

Snakemake goes by the times of files and by its own records in .snakemake. Both can mislead: digits were restored from a
backup with their old time; the records were deleted, left behind when results were copied, or lost with a killed main
process. The manifests tell what a store was made with and from, and the report's configuration what pictures were:
what does not fit is made again. Planning only looks: it writes nothing, so a dry run with other settings leaves the
results as they are.
"""

import contextlib
import functools
import json
import os
import time
from pathlib import Path

import yaml

from stages.plan import exhibit, stage_table
from stages.plan.all_exhibits import FIGURES, TABLES


class Freshness:
    """The stores of an experiment under `results`, the folder of a preset, against what the configuration wants.

    has_record(path): whether Snakemake knows how a file was made. A manifest is read when it is asked for: a job's own
    process asks for none.
    """

    def __init__(self, config, results, has_record):
        self.config, self.results, self.has_record = config, Path(results), has_record
        self.manifest = functools.cache(lambda name: _manifest(self.results / f"{name}.json"))

    @functools.cached_property
    def wanted(self):
        """{name: Store} of the experiment."""
        return {store.name: store for store in stage_table.stores(self.config)}

    def misleads(self, name):
        """Tell whether a store is there, does not fit, and Snakemake could not know."""
        store, manifest = self.wanted[name], self.manifest(name)
        if manifest is None:
            return False
        if manifest["settings"] != store.settings and not self.has_record(self.results / f"{name}.json"):
            return True
        present = {role: held for role, source in store.inputs.items() if (held := self.manifest(source))}
        return any(manifest["inputs"].get(role, held["digest"]) != held["digest"] for role, held in present.items())

    def shows_otherwise(self, name):
        """Tell whether a figure, a table, the claims or the report is there, with other settings than are wanted now.

        Nothing but Snakemake's records says what a picture was made with. Where they are lost, the configuration that
        was written beside the report does.
        """
        path = self.results / name
        if not path.exists() or self.has_record(path):
            return False
        try:
            return bool(self._made) and _shown_settings(self._made, path) != _shown_settings(self.config, path)
        except (KeyError, TypeError, AttributeError):  # the configuration of an older version
            return True

    @functools.cached_property
    def _made(self):
        """The configuration that the report was made with; None where there is none to be read."""
        try:
            return yaml.safe_load((self.results / "experiment.yaml").read_text())
        except (OSError, ValueError, yaml.YAMLError):
            return None

    def bring_times_back(self):
        """Give files that seem to come from the future, since the clock was set back, the time of now."""
        for path in self._outputs():
            with contextlib.suppress(OSError):  # missing, or read-only: then nothing can be made again either
                if path.stat().st_mtime > time.time():
                    os.utime(path)

    def _outputs(self):
        """Yield the files whose times Snakemake looks at."""
        for name in self.wanted:
            folder = self.results / (name if name == "data/raw" else f"{name}.zarr")
            yield from (self.results / f"{name}.json", folder, folder / ".snakemake_timestamp")
        for folder in (self.results, self.results / "figures", self.results / "tables"):
            if folder.is_dir():
                yield from (path for path in folder.iterdir() if path.is_file())


def _shown_settings(config, path):
    """Return the settings of what is shown in a file; none of what the experiment does not have."""
    config = json.loads(json.dumps(config, sort_keys=True))  # the report's copy has its keys in this order
    if path.stem == "claims":
        return exhibit.claims_settings(config)
    if path.stem == "report":
        return exhibit.report_settings(config)
    record = exhibit.present(config, FIGURES | TABLES).get(path.stem)
    return record and exhibit.settings_of(config, path.stem, record)


def _manifest(path):
    """Return a manifest, or None for one that is missing or damaged: whoever reads the store says so."""
    try:
        manifest = json.loads(path.read_text())
        whole = isinstance(manifest["inputs"], dict) and {"digest", "settings"} <= set(manifest)
    except (OSError, ValueError, KeyError, TypeError):
        return None
    return manifest if whole else None
