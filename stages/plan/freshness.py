"""Outdated files that Snakemake cannot detect.

Snakemake relies on modification times and on its records in .snakemake. Both can mislead: digits may be restored from a
backup with their old time; records may be deleted, left behind when results are copied, or lost with a killed main
process. The manifests say what a store was made with and from, and the report's configuration says it for pictures:
what does not fit is made again. Planning writes nothing, so a dry run with other settings leaves the results unchanged.
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
from stages.runtime.errors import UserError
from stages.storage import stores


class Freshness:
    """Compares the stores under `results`, the folder of a preset, with the configuration.

    has_record(path): whether Snakemake knows how a file was made. Manifests are read on demand: the process of a single
    job reads none.
    """

    def __init__(self, config, results, has_record=lambda path: False):
        self.config, self.results, self.has_record = config, Path(results), has_record
        self.manifest = functools.cache(lambda name: _manifest(self.results / f"{name}.json"))

    @functools.cached_property
    def wanted(self):
        """{name: Store} of the experiment."""
        return {store.name: store for store in stage_table.stores(self.config)}

    def fits(self, name):
        """Tell whether a store is there, made with the settings that are wanted."""
        store, manifest = self.wanted.get(name), self.manifest(name)
        return bool(store and manifest) and manifest["settings"] == store.settings

    def misleads(self, name):
        """Tell whether a store exists, does not fit, and Snakemake cannot know; refuse one of another experiment."""
        if name not in self.wanted:
            raise UserError(
                f"wanted a store of this experiment, found {self.results / name}.zarr: the configuration does not have "
                "this model, run or attack, or does not run this attack on this model"
            )
        store, manifest = self.wanted[name], self.manifest(name)
        if manifest is None:
            return False
        if manifest["settings"] != store.settings and not self.has_record(self.results / f"{name}.json"):
            return True
        present = {role: held for role, source in store.inputs.items() if (held := self.manifest(source))}
        return any(manifest["inputs"].get(role, held["digest"]) != held["digest"] for role, held in present.items())

    def shows_otherwise(self, name):
        """Tell whether a figure, a table, the claims or the report exists with other settings than the current ones.

        Only Snakemake's records say what a picture was made with. If they are lost, the configuration beside the report
        is used.
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
        """The configuration that the report was made with, or None if it cannot be read."""
        try:
            return yaml.safe_load((self.results / "experiment.yaml").read_text())
        except (OSError, ValueError, yaml.YAMLError):
            return None

    def bring_times_back(self):
        """Set files with a time in the future, left after the clock was set back, to the current time."""
        for path in self._outputs():
            with contextlib.suppress(OSError):  # missing, or read-only: then it cannot be made again either
                if path.stat().st_mtime > time.time():
                    os.utime(path)

    def _outputs(self):
        """Yield the files whose times Snakemake compares."""
        for name in self.wanted:
            folder = self.results / (name if name == "data/raw" else f"{name}.zarr")
            yield from (self.results / f"{name}.json", folder, folder / ".snakemake_timestamp")
        for folder in (self.results, self.results / "figures", self.results / "tables"):
            if folder.is_dir():
                yield from (path for path in folder.iterdir() if path.is_file())


def _shown_settings(config, path):
    """Return the settings of a shown file, or None if the experiment does not have it."""
    config = json.loads(json.dumps(config, sort_keys=True))  # the report's copy has its keys in this order
    if path.stem == "claims":
        return exhibit.claims_settings(config)
    if path.stem == "report":
        return exhibit.report_settings(config)
    record = exhibit.present(config, FIGURES | TABLES).get(path.stem)
    return record and exhibit.settings_of(config, path.stem, record)


def _manifest(path):
    """Return a manifest, or None if it is missing or damaged, which is reported when the store is read."""
    try:
        manifest = stores.read_manifest(path)
    except (UserError, OSError):
        return None
    return manifest if isinstance(manifest["inputs"], dict) else None
