"""A Zarr group (format 3) on disk, with one chunk per variable to keep the number of files small.

Numbers are written and read here without the Zarr library: importing it takes longer than many of the hundreds of jobs
run, and it copies values on their way into the array, while this module reads straight into it. Text, and variables
that were stored in another layout, go through Zarr.
"""

import contextlib
import json
import warnings
from pathlib import Path
from typing import NamedTuple

import numpy as np

# Zarr and its compressor are imported inside the functions, so that `--help` does not wait for them.

NUMBERS = {"bool", *(f"{kind}{bits}" for kind in ("int", "uint") for bits in (8, 16, 32, 64))}
NUMBERS |= {"float16", "float32", "float64"}
LEVEL = 1  # compression level: fast
SMALL = 2**20  # bytes: variables up to this size are compressed; of a larger one a piece of this size is tried first
WORTH = 0.8  # compress if the compressed size is below this share


class Variable(NamedTuple):
    """A variable of a store: dimension names, values, and attributes (meaning, units)."""

    dims: tuple
    values: np.ndarray
    attrs: dict = {}


def save(folder, variables, attributes):
    """Write a group with these variables, {name: Variable}."""
    folder.mkdir()
    group = {"attributes": attributes, "zarr_format": 3, "node_type": "group"}
    _write_json(folder, group)
    for name, variable in variables.items():
        if variable.values.dtype.name in NUMBERS:
            _save_numbers(folder / name, variable)
        else:
            _save_by_zarr(folder, name, variable)
    # Copy the metadata of all variables into the group's own file, so that readers open a single file. xarray and Zarr
    # expect this. Without it they warn about the group, and about unknown files in it such as Snakemake's timestamp.
    of_each = {path.parent.name: _read_json(path.parent) for path in sorted(folder.glob("*/zarr.json"))}
    consolidated = {"kind": "inline", "must_understand": False, "metadata": of_each}
    _write_json(folder, group | {"consolidated_metadata": consolidated})


def load(folder):
    """Return ({name: Variable}, attributes) of a group."""
    folder = Path(folder)
    about = _read_json(folder)
    summary = about.get("consolidated_metadata", {}).get("metadata")  # older stores have none
    variables = {}
    for name in sorted(path.parent.name for path in folder.glob("*/zarr.json")):
        of_this = _read_json(folder / name)
        numbers = _load_numbers(folder / name, of_this)
        if numbers is not None and summary is not None and summary.get(name) != of_this:
            raise ValueError(f"the group says otherwise of {name} than its own file")
        variables[name] = numbers or _load_by_zarr(folder, name)
    return variables, about["attributes"]


# --- numbers, in one chunk --------------------------------------------------------------------------------------------


def _save_numbers(folder, variable):
    values = np.asarray(variable.values, variable.values.dtype.newbyteorder("<"), order="C")
    shrinks = _shrinks(values)
    folder.mkdir()
    _write_json(folder, _metadata(values.shape, values.dtype, variable.dims, variable.attrs, shrinks))
    if not values.size:
        return
    chunk = _chunk(folder, values.ndim)
    chunk.parent.mkdir(parents=True, exist_ok=True)
    with open(chunk, "wb") as file:
        file.write(_packed(values) if shrinks else values.data)


def _load_numbers(folder, found):
    """Return the Variable with the metadata `found`, or None if its layout is not that of `_save_numbers`."""
    kind, shape, dims = found.get("data_type"), found.get("shape"), found.get("dimension_names", [])
    if kind not in NUMBERS or len(dims) != len(shape):
        return None
    dtype, attributes = np.dtype(kind).newbyteorder("<"), found["attributes"]
    packed = any(codec["name"] == "zstd" for codec in found["codecs"])
    if found != _metadata(shape, dtype, dims, attributes, packed):
        return None
    values, chunk = np.empty(shape, dtype), _chunk(folder, len(shape))
    if values.size and not chunk.exists():
        return None  # in Zarr, a missing chunk may mean that all values are the fill value
    if values.size:
        _fill(values, chunk, packed)
    return Variable(tuple(dims), values, attributes)


def _fill(values, chunk, packed):
    if packed:
        from numcodecs import zstd

        zstd.decompress(chunk.read_bytes(), values)
        return
    with open(chunk, "rb", buffering=0) as file:
        count = file.readinto(values.data.cast("B"))
    if count != values.nbytes or chunk.stat().st_size != values.nbytes:
        raise ValueError(f"wanted {values.nbytes} bytes in {chunk}, found {chunk.stat().st_size}")


def _shrinks(values):
    """Tell whether to compress: trained weights shrink by 7 %, and unpacking them takes twice as long as their digest.

    Small variables are always compressed: zstd's checksum detects flipped bits. Large ones rely on the store's digest.
    """
    piece = values.reshape(-1)[: SMALL // values.itemsize]
    return values.nbytes <= SMALL or len(_packed(piece)) < WORTH * piece.nbytes


def stored_size(values):
    """Return the number of bytes that these values take in a store."""
    values = np.ascontiguousarray(values)
    return len(_packed(values)) if _shrinks(values) else values.nbytes


def _packed(values):
    from numcodecs import zstd

    return zstd.compress(values, LEVEL, checksum=True)


def _metadata(shape, dtype, dims, attributes, packed):
    """Return the array metadata of Zarr's specification; a lost chunk reads as nan where the type has one."""
    endian = {"configuration": {"endian": "little"}} if dtype.itemsize > 1 else {}
    zstd = {"name": "zstd", "configuration": {"level": LEVEL, "checksum": True}}
    return {
        "shape": list(shape),
        "data_type": dtype.name,
        "chunk_grid": {"name": "regular", "configuration": {"chunk_shape": [max(size, 1) for size in shape]}},
        "chunk_key_encoding": {"name": "default", "configuration": {"separator": "/"}},
        "fill_value": {"f": "NaN", "b": False}.get(dtype.kind, 0),
        "codecs": [{"name": "bytes", **endian}, *([zstd] if packed else [])],
        "attributes": attributes,
        "dimension_names": list(dims),
        "zarr_format": 3,
        "node_type": "array",
        "storage_transformers": [],
    }


def _chunk(folder, axes):
    return folder.joinpath("c", *["0"] * axes)


def _write_json(folder, content):
    (folder / "zarr.json").write_text(json.dumps(content, indent=2))


def _read_json(folder):
    return json.loads((folder / "zarr.json").read_text())


# --- everything else, by Zarr -----------------------------------------------------------------------------------------


def _save_by_zarr(folder, name, variable):
    import zarr
    from zarr.codecs import ZstdCodec

    with _quiet():
        zarr.open_group(folder, mode="r+", zarr_format=3).create_array(
            name,
            data=variable.values,
            chunks=tuple(max(size, 1) for size in variable.values.shape),
            compressors=[ZstdCodec(level=LEVEL, checksum=True)],
            dimension_names=variable.dims,
            attributes=variable.attrs,
        )


def _load_by_zarr(folder, name):
    import zarr

    with _quiet():
        # Ignore the consolidated metadata: a variable may have been rewritten since.
        array = zarr.open_group(folder, mode="r", zarr_format=3, use_consolidated=False)[name]
        return Variable(tuple(array.metadata.dimension_names or ()), np.asarray(array[...]), dict(array.attrs))


@contextlib.contextmanager
def _quiet():
    """Silence two zarr warnings about intended things: Snakemake's timestamp inside stores, and text variables."""
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", message=".*not recognized as a component.*")
        warnings.filterwarnings("ignore", message=".*does not have a Zarr V3 specification.*")
        yield
