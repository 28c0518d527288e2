"""Where the numbers come from, read from the manifests of the stores: digests, versions, backends, rounded weights."""

import platform
from importlib.metadata import PackageNotFoundError, version

from stages.plan import stage_table
from stages.storage import stores


def asked_for(config):
    """Return the stores behind the report: the digits, and those of every requested stage."""
    usual = tuple(f"{folder}/" for folder in stage_table.usual_folders(config))
    return [store for store in stage_table.stores(config) if store.name.startswith(("data/digits", *usual))]


def collect(folder, config):
    """Return {digests: {store: digest}, versions and backends: sorted, missing: stores, on_rounded: networks}.

    on_rounded: networks that were evaluated or attacked with weights in few bits, as `make restore` gives them back.
    """
    digests, versions, backends, missing, on_rounded = {}, set(), set(), [], {}
    for store in asked_for(config):
        name = f"{store.name}.zarr"
        path = folder / name
        if not stores.manifest_path(path).exists():
            missing.append(name)
            continue
        manifest = stores.read_manifest(path)
        digests[name] = manifest["digest"]
        versions.update(manifest.get("versions", {}).items())
        backends.add(manifest.get("backend", "not recorded"))
        if "network" in manifest.get("input_extracts", {}):
            on_rounded[store.inputs["network"].removeprefix("train/")] = True
    return {
        "digests": digests,
        "versions": sorted(versions),
        "backends": sorted(backends),
        "missing": missing,
        "on_rounded": list(on_rounded),
    }


def own_versions():
    """Return the versions of the packages that draw and write the report; a container may lack one."""
    versions = [("python", platform.python_version())]
    for name in ("matplotlib", "snakemake"):
        try:
            versions.append((name, version(name)))
        except PackageNotFoundError:
            continue
    return versions
