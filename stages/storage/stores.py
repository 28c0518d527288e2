"""Zarr stores: written atomically, each with a manifest that describes its content.

A store `x.zarr` opens with `xarray.open_zarr("x.zarr")`. Beside it lies `x.json`, its manifest: a digest of the
content, the settings it was made with, the digests of the stores it was made from, versions and backend. Snakemake
follows the manifests, so recomputing the same bits reruns nothing downstream. Every read checks the digest, so a
damaged store is never used silently.

Writing is atomic (`whole_files`); the manifest is written last.

An extract holds part of a store and quantities computed from the rest. It carries the store's manifest and replaces the
store wherever the rest is not needed; `extract` in the manifest is the digest of the extract's own content.

Stores follow xarray's conventions for Zarr, but stage programs read and write them without it: importing xarray takes
longer than many of the hundreds of jobs run. `read` returns the dataset, for figures and for people.
"""

import hashlib
import json
import subprocess
from pathlib import Path

import numpy as np

from stages import __version__
from stages.runtime.errors import UserError
from stages.storage import zarr_folder
from stages.storage.whole_files import replacing_folder, write_text
from stages.storage.zarr_folder import Variable

# xarray is imported inside the function that needs it, so that `--help` does not wait for it.


def manifest_path(store):
    """Return the manifest's path: results/x.zarr -> results/x.json."""
    return Path(store).with_suffix(".json")


def write(store, variables, *, settings, inputs, backend="numpy", coordinates=None, attributes=None, measured=()):
    """Write `store` and its manifest.

    variables, coordinates: {name: (dimensions, array, attributes)}; the attributes say meaning and units.
    settings: all that determines the content; inputs: {role: path of a store that was read}.
    measured: names of variables that differ from run to run (seconds): stored, but not part of the digest.
    """
    coordinates = coordinates or {}
    variables = {name: _variable(*parts) for name, parts in {**variables, **coordinates}.items()}
    made_from = {role: read_manifest(path) for role, path in inputs.items()}
    manifest = {
        "digest": content_digest(variables, measured),
        "settings": settings,
        "inputs": {role: each["digest"] for role, each in made_from.items()},
        "measured": sorted(measured),
        "backend": backend,
        "versions": _versions(),
    }
    if extracts := {role: each["extract"] for role, each in made_from.items() if "extract" in each}:
        manifest["input_extracts"] = extracts  # a restored network has rounded weights: record what was really read
    attributes = {
        "coordinates": " ".join(coordinates),  # as xarray names them
        "commit": _commit(),  # not in the manifest: the same bits from another commit are the same
        **(attributes or {}),
    }
    _save(store, variables, attributes, manifest)


def write_extract(store, out, take, whole=None):
    """Write an extract of `store`: take({name: Variable}) of its variables.

    whole: manifest of what `out` is an extract of, if `store` is only a part of it, with a manifest of its own.
    """
    variables, attributes = check(store)
    variables, manifest = take(variables), whole or read_manifest(store)
    manifest = manifest | {"extract": content_digest(variables, manifest["measured"])}
    names = [name for name in attributes["coordinates"].split() if name in variables]
    _save(out, variables, attributes | {"coordinates": " ".join(names)}, manifest)


def is_extract(store):
    return "extract" in read_manifest(store)


def _save(store, variables, attributes, manifest):
    attributes = attributes | {"manifest": json.dumps(manifest, sort_keys=True)}
    attributes["checksum"] = _checksum(variables, attributes)
    with replacing_folder(store, [manifest_path(store)]) as temporary:
        zarr_folder.save(temporary, variables, attributes)
    write_text(manifest_path(store), json.dumps(manifest, indent=1, sort_keys=True) + "\n")


def read(store, expect=None):
    """Return the store as a loaded xarray.Dataset, after checking it against its manifest.

    expect: settings that the store must have been made with; any subset of them, nested as in the manifest.
    """
    import xarray as xr

    variables, attributes = check(store, expect)
    names = attributes.pop("coordinates", "").split()
    coordinates = {name: variables.pop(name) for name in names}
    return xr.Dataset(variables, coordinates, attributes)


def read_arrays(store, expect=None):
    """Return {name: NumPy array} of a store, after the same checks as `read`."""
    variables, _ = check(store, expect)
    return {name: variable.values for name, variable in variables.items()}


def check(store, expect=None):
    """Return ({name: Variable}, attributes) of a store; raise a UserError if it is damaged or does not fit `expect`."""
    manifest = read_manifest(store)
    remedy = f"delete {store} and {manifest_path(store).name} and run the workflow again"
    try:
        variables, attributes = zarr_folder.load(store)
    except Exception as problem:  # JSON, Zarr and its codecs raise many types for a broken file
        raise UserError(f"{store} is damaged: it cannot be read ({problem}); {remedy}") from None
    if attributes.get("manifest") != json.dumps(manifest, sort_keys=True):
        raise UserError(f"{store} is damaged: its manifest does not belong to it; {remedy}")
    if content_digest(variables, manifest["measured"]) != manifest.get("extract", manifest["digest"]):
        raise UserError(f"{store} is damaged: its content does not have the digest of its manifest; {remedy}")
    if attributes.get("checksum") != _checksum(variables, attributes):
        raise UserError(f"{store} is damaged: its attributes do not have their checksum; {remedy}")
    for name in manifest["measured"]:
        if name not in variables or not np.isfinite(variables[name].values).all():
            raise UserError(f"{store} is damaged: {name} has missing values; {remedy}")
    for key, wanted, found in differences(expect or {}, manifest["settings"]):
        raise UserError(
            f"{store} does not fit the configuration: wanted {key} = {wanted!r}, the store was made with {found!r}; "
            "make it again (snakemake --forcerun with the rule that makes it), or put the setting back"
        )
    return variables, attributes


def read_manifest(store):
    """Return the manifest of a store."""
    path = manifest_path(store)
    remedy = f"delete {store} and {path.name} and run the workflow again"
    try:
        manifest = json.loads(path.read_text())
    except FileNotFoundError:
        raise UserError(
            f"wanted the store {store} with its manifest {path.name}, found no manifest; "
            "run the workflow to make it, or copy the manifest along with the store"
        ) from None
    except ValueError as problem:
        raise UserError(f"{path} is damaged: not JSON ({problem}); {remedy}") from None
    missing = {"digest", "settings", "inputs", "measured"} - set(manifest if isinstance(manifest, dict) else ())
    if missing:
        raise UserError(f"{path} is damaged: no {', '.join(sorted(missing))}; {remedy}")
    return manifest


def content_digest(variables, measured=()):
    """Return a SHA-256 over names, dimensions, types and values of {name: Variable}; chunks and codecs do not count."""
    sha = hashlib.sha256()
    for name in sorted(variables.keys() - set(measured)):
        variable = variables[name]
        values = np.asarray(variable.values)
        if values.dtype.kind in "OUT":  # text: one encoding, whatever its type in memory
            content = json.dumps([str(text) for text in values.ravel()]).encode()
            kind = "text"
        else:
            values = np.ascontiguousarray(values.astype(values.dtype.newbyteorder("<"), copy=False))
            content, kind = values.data if values.size else b"", values.dtype.str
        sha.update(f"{name} {variable.dims} {values.shape} {kind}\n".encode())
        sha.update(content)
    return sha.hexdigest()


def _checksum(variables, attributes):
    """Return a SHA-256 over what the digest leaves out: attributes (meanings, units), shapes of measured variables."""
    described = {name: [variable.dims, variable.values.shape, variable.attrs] for name, variable in variables.items()}
    others = {name: value for name, value in attributes.items() if name != "checksum"}
    return hashlib.sha256(json.dumps([described, others], sort_keys=True).encode()).hexdigest()


def _variable(dimensions, values, attributes=None):
    values = np.asarray(values)
    if values.dtype.kind in "OU":
        values = values.astype(np.dtypes.StringDType())
    return Variable((dimensions,) if isinstance(dimensions, str) else tuple(dimensions), values, attributes or {})


def differences(wanted, found, path=""):
    """Yield (key, wanted, found) for every leaf of the settings `wanted` that differs in `found`."""
    if isinstance(wanted, dict) and isinstance(found, dict):
        for key in wanted:
            yield from differences(wanted[key], found.get(key), f"{path}.{key}" if path else key)
    elif wanted != found:
        yield path, wanted, found


def _commit():
    """Return the commit of the running code, with "-dirty" if it was changed; "" outside a git repository."""
    command = ["git", "-C", Path(__file__).parent, "describe", "--always", "--dirty", "--abbrev=40", "--exclude=*"]
    try:
        return subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()
    except (OSError, subprocess.CalledProcessError):
        return ""


def _versions():
    from importlib.metadata import version

    return {"snode": __version__, **{name: version(name) for name in ("numpy", "xarray", "zarr")}}
