"""Zarr stores: written whole or not at all, each with a manifest that vouches for its content.

A store `x.zarr` opens with `xarray.open_zarr("x.zarr")`. Beside it lies `x.json`, its manifest: a digest of the
content, the settings it was made with, the digests of the stores it was made from, versions and backend. Snakemake
follows the manifests, so the same bits made again disturb nothing behind them; every read checks the digest, so a
damaged store is never used in silence.

Writing: into a temporary sibling, flushed to the disk, renamed into place; the manifest comes last.
"""

import contextlib
import hashlib
import json
import os
import shutil
import uuid
import warnings
from pathlib import Path

import numpy as np

from stages import __version__
from stages.errors import UserError

# xarray and zarr take half a second to import: inside the functions, so that `--help` does not wait for them.


def manifest_path(store):
    """Return the manifest's path: results/x.zarr -> results/x.json."""
    return Path(store).with_suffix(".json")


def write(store, variables, *, settings, inputs, backend="numpy", coordinates=None, attributes=None, measured=()):
    """Write `store` and its manifest.

    variables, coordinates: {name: (dimensions, array, attributes)}; the attributes say meaning and units.
    settings: what the content follows from; inputs: {role: path of a store that was read}.
    measured: names of variables that differ from run to run (seconds): kept, but not part of the digest.
    """
    import xarray as xr

    dataset = xr.Dataset(variables, coordinates or {})
    manifest = {
        "digest": content_digest(dataset, measured),
        "settings": settings,
        "inputs": {role: read_manifest(path)["digest"] for role, path in inputs.items()},
        "measured": sorted(measured),
        "backend": backend,
        "versions": _versions(),
    }
    dataset.attrs = {"manifest": json.dumps(manifest, sort_keys=True), **(attributes or {})}

    store = Path(store)
    store.parent.mkdir(parents=True, exist_ok=True)
    sweep(store)
    temporary = store.with_name(f".{store.name}.{uuid.uuid4().hex[:8]}.tmp")
    with _quiet():
        dataset.to_zarr(temporary, zarr_format=3, consolidated=False, encoding=_encoding(dataset))
    _flush(temporary)
    manifest_path(store).unlink(missing_ok=True)
    if store.exists():
        shutil.rmtree(store)
    temporary.rename(store)
    write_text(manifest_path(store), json.dumps(manifest, indent=1, sort_keys=True) + "\n")


def read(store, expect=None):
    """Return the store as a loaded dataset, after checking it against its manifest.

    expect: settings that the store must have been made with; any part of them, nested as in the manifest.
    """
    dataset, manifest = check(store)
    for key, wanted, found in _differences(expect or {}, manifest["settings"]):
        raise UserError(
            f"{store} does not fit the configuration: wanted {key} = {wanted!r}, the store was made with {found!r}; "
            "make it again (snakemake --forcerun with the rule that makes it), or put the setting back"
        )
    return dataset


def check(store):
    """Return (dataset, manifest) of a store that fits its manifest; a UserError says what is wrong with another."""
    manifest = read_manifest(store)
    remedy = f"delete {store} and {manifest_path(store).name} and run the workflow again"
    try:
        dataset = _open(store)
    except Exception as problem:  # zarr and its codecs raise many kinds for a broken file
        raise UserError(f"{store} is damaged: it cannot be read ({problem}); {remedy}") from None
    if dataset.attrs.get("manifest") != json.dumps(manifest, sort_keys=True):
        raise UserError(f"{store} is damaged: its manifest does not belong to it; {remedy}")
    if content_digest(dataset, manifest["measured"]) != manifest["digest"]:
        raise UserError(f"{store} is damaged: its content does not have the digest of its manifest; {remedy}")
    for name in manifest["measured"]:
        if name in dataset and not np.isfinite(dataset[name].values).all():
            raise UserError(f"{store} is damaged: {name} has missing values; {remedy}")
    return dataset, manifest


def read_manifest(store):
    """Return the manifest of a store."""
    path = manifest_path(store)
    try:
        manifest = json.loads(path.read_text())
    except FileNotFoundError:
        raise UserError(
            f"wanted the store {store} with its manifest {path.name}, found no manifest; "
            "run the workflow to make it, or copy the manifest along with the store"
        ) from None
    except ValueError as problem:
        raise UserError(f"{path} is damaged: not JSON ({problem}); delete it and run the workflow again") from None
    missing = {"digest", "settings", "inputs", "measured"} - set(manifest if isinstance(manifest, dict) else ())
    if missing:
        raise UserError(f"{path} is damaged: no {', '.join(sorted(missing))}; delete it and run the workflow again")
    return manifest


def content_digest(dataset, measured=()):
    """Return a SHA-256 over names, dimensions, types and values, whatever the chunks and the compression."""
    sha = hashlib.sha256()
    for name in sorted(str(name) for name in dataset.variables if name not in measured):
        variable = dataset.variables[name]
        values = np.asarray(variable.values)
        if values.dtype.kind in "OUT":  # text: one spelling, however it is held in memory
            content = json.dumps([str(text) for text in values.ravel()]).encode()
            kind = "text"
        else:
            values = np.ascontiguousarray(values.astype(values.dtype.newbyteorder("<"), copy=False))
            content, kind = values.data if values.size else b"", values.dtype.str
        sha.update(f"{name} {variable.dims} {values.shape} {kind}\n".encode())
        sha.update(content)
    return sha.hexdigest()


def write_text(path, text):
    """Write a small file whole or not at all."""
    path = Path(path)
    path.parent.mkdir(parents=True, exist_ok=True)
    temporary = path.with_name(f".{path.name}.{uuid.uuid4().hex[:8]}.tmp")
    with open(temporary, "w") as file:
        file.write(text)
        file.flush()
        os.fsync(file.fileno())
    temporary.replace(path)


def sweep(path):
    """Remove what writers of this path left behind when they were killed."""
    path = Path(path)
    for left in path.parent.glob(f".{path.name}.*.tmp"):
        shutil.rmtree(left, ignore_errors=True) if left.is_dir() else left.unlink(missing_ok=True)


def _open(store):
    import xarray as xr

    with _quiet(), xr.open_zarr(store, consolidated=False, chunks=None, decode_times=False) as dataset:
        return dataset.load()


def _encoding(dataset):
    """One chunk a variable (few files), compressed lightly, with a checksum that finds flipped bits."""
    from zarr.codecs import ZstdCodec

    codec = ZstdCodec(level=1, checksum=True)
    return {
        name: {"compressors": [codec], "chunks": tuple(max(size, 1) for size in variable.shape)}
        for name, variable in dataset.variables.items()
        if variable.ndim
    }


def _flush(folder):
    """Wait until the disk holds every file, so that a power cut after the rename finds the store whole."""
    for directory, _, names in os.walk(folder):
        for name in [*(os.path.join(directory, name) for name in names), directory]:
            descriptor = os.open(name, os.O_RDONLY)
            try:
                os.fsync(descriptor)
            finally:
                os.close(descriptor)


def _differences(wanted, found, path=""):
    """Yield (key, wanted, found) for every leaf of `wanted` that `found` does not share."""
    if isinstance(wanted, dict) and isinstance(found, dict):
        for key in wanted:
            yield from _differences(wanted[key], found.get(key), f"{path}.{key}" if path else key)
    elif wanted != found:
        yield path, wanted, found


def _versions():
    from importlib.metadata import version

    return {"snode": __version__, **{name: version(name) for name in ("numpy", "xarray", "zarr")}}


@contextlib.contextmanager
def _quiet():
    """Silence zarr about two things that are meant: Snakemake's timestamp inside stores, and text variables."""
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", message=".*not recognized as a component.*")
        warnings.filterwarnings("ignore", message=".*does not have a Zarr V3 specification.*")
        yield
