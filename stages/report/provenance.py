"""Where the numbers come from: digests, versions and backends of the stores, read from their manifests."""

import platform
from importlib.metadata import PackageNotFoundError, version

from stages import stores
from stages.plan import stage_table


def collect(folder, config):
    """Return ({store: digest}, sorted versions, sorted backends, missing stores)."""
    digests, versions, backends, missing = {}, set(), set(), []
    usual = ("data/digits", *stage_table.usual_folders(config))
    for name in (f"{store.name}.zarr" for store in stage_table.stores(config) if store.name.startswith(usual)):
        path = folder / name
        if not stores.manifest_path(path).exists():
            missing.append(name)
            continue
        manifest = stores.read_manifest(path)
        digests[name] = manifest["digest"]
        versions.update(manifest.get("versions", {}).items())
        backends.add(manifest.get("backend", "not recorded"))
    return digests, sorted(versions), sorted(backends), missing


def own_versions():
    """Return the versions of what draws and writes here; a container may lack one."""
    found = [("python", platform.python_version())]
    for name in ("matplotlib", "snakemake"):
        try:
            found.append((name, version(name)))
        except PackageNotFoundError:
            continue
    return found
