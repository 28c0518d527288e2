"""Where the numbers come from: digests, versions and backends of the stores, read from their manifests."""

import platform
from importlib.metadata import PackageNotFoundError, version

from stages.plan import stage_table
from stages.storage import stores


def asked_for(config):
    """Return the stores behind the report: the digits, and those of every requested stage."""
    usual = tuple(f"{folder}/" for folder in stage_table.usual_folders(config))
    return [store for store in stage_table.stores(config) if store.name.startswith(("data/digits", *usual))]


def collect(folder, config):
    """Return ({store: digest}, sorted versions, sorted backends, missing stores)."""
    digests, versions, backends, missing = {}, set(), set(), []
    for name in (f"{store.name}.zarr" for store in asked_for(config)):
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
    """Return the versions of the packages that draw and write the report; a container may lack one."""
    versions = [("python", platform.python_version())]
    for name in ("matplotlib", "snakemake"):
        try:
            versions.append((name, version(name)))
        except PackageNotFoundError:
            continue
    return versions
