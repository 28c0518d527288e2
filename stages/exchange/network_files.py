"""Files with the weights of a network that was trained elsewhere: NPZ, safetensors, MATLAB.

A residual network of dense layers, x <- x + h activation(W x + b): W (layer, out, in) and b (layer, out). A safetensors
file may contain the layers of a PyTorch state dict instead, <name>.0.weight, <name>.0.bias, <name>.1.weight, ...
Nothing in a file is executed: pickled objects are refused.
"""

import json
import re
import zipfile
from pathlib import Path

import numpy as np

from stages.data.array_files import reading
from stages.data.npz_files import open_npz
from stages.exchange import matlab_files, safetensors_files
from stages.runtime.errors import UserError

SUFFIXES = (".npz", ".safetensors", ".mat")
WANTED = f"a file that ends in {', '.join(SUFFIXES[:-1])} or {SUFFIXES[-1]}"
LARGEST = 2**30  # bytes of a file, unpacked: 150 layers of 784 neurons in float64 take 0.7 of this
KINDS = {"W": "weight", "b": "bias"}  # in a PyTorch state dict
LAYER = re.compile(r"(?P<name>.*\.)?(?P<number>\d+)\.(?P<kind>weight|bias)")


def read_weights(path):
    """Return (W, b, the file's own description of the network), after checking that they form a network."""
    tensors, about = read_file(Path(path))
    return *weights_of(path, tensors), about


def read_file(path):
    """Return ({name: array}, the file's own description of the network)."""
    if not path.is_file():
        raise UserError(f"wanted {WANTED}, found no file {path}")
    if path.suffix not in SUFFIXES:
        raise UserError(f"{path}: wanted {WANTED} (PyTorch: safetensors.torch.save_file)")
    if path.stat().st_size > LARGEST:
        raise UserError(f"{path}: wanted at most {LARGEST:,} bytes, found {path.stat().st_size:,}")
    if path.suffix == ".safetensors":
        tensors, metadata = safetensors_files.read(path)
        return tensors, _described(metadata.get("network", "{}"))
    if path.suffix == ".mat":
        return matlab_files.read(path, LARGEST), {}
    return _read_npz(path)


def _read_npz(path):
    with reading(path), zipfile.ZipFile(path) as archive:
        size, names = sum(info.file_size for info in archive.infolist()), archive.namelist()
    if size > LARGEST:
        raise UserError(f"{path}: wanted at most {LARGEST:,} bytes, found an archive that unpacks to {size:,}")
    tensors = {name: open_npz(path, [name]).values for name in ("W", "b")}
    if "network.npy" not in names:
        return tensors, {}
    with reading(path), np.load(path, allow_pickle=False) as archive:
        return tensors, _described(str(archive["network"]))


def _described(text):
    """Return the description that export_network wrote; empty if the text is of another origin."""
    try:
        about = json.loads(text)
    except (ValueError, TypeError, RecursionError):
        about = {}
    return about if isinstance(about, dict) else {}


def weights_of(path, tensors):
    """Return W (layer, out, in) and b (layer, out) in float32, after checking that they form a network."""
    if not {"W", "b"} <= set(tensors):
        tensors = _stacked(path, tensors)
    with np.errstate(over="ignore"):  # numbers too large for float32 become infinite and are refused
        W, b = (np.asarray(tensors[name], np.float32) for name in ("W", "b"))
    if W.ndim != 3 or 0 in W.shape or W.shape[1] != W.shape[2] or b.shape != W.shape[:2]:
        raise UserError(
            f"{path}: wanted W (layer, n, n) and b (layer, n), layers of as many neurons; found W {W.shape} "
            f"and b {b.shape}"
        )
    if not (np.isfinite(W).all() and np.isfinite(b).all()):
        raise UserError(f"{path}: wanted finite weights, found nan or infinity")
    return W, b


def _stacked(path, tensors):
    """Return {"W": ..., "b": ...} of the numbered layers of a state dict."""
    layers = {}
    for name, values in tensors.items():
        if found := LAYER.fullmatch(name):
            layers.setdefault(found["name"], {})[int(found["number"]), found["kind"]] = values
    if len(layers) != 1:
        there = ", ".join(sorted(tensors)[:6]) or "nothing"
        raise UserError(
            f"{path}: wanted W and b, or one list of layers <name>.0.weight, <name>.0.bias, ...; found {there}"
        )
    (entries,) = layers.values()
    others = [name for name in tensors if not LAYER.fullmatch(name)]
    if others:
        there = ", ".join(sorted(others)[:6])
        raise UserError(f"{path}: wanted the layers x + h activation(W x + b) alone, found {there} beside them")
    numbers = sorted({number for number, _ in entries})
    for number in numbers:
        for kind in KINDS.values():
            if (number, kind) not in entries:
                raise UserError(f"{path}: layer {number} has no {kind}")
    if numbers != list(range(numbers[0], numbers[0] + len(numbers))):
        raise UserError(f"{path}: wanted layers without a gap, found numbers {', '.join(map(str, numbers))}")
    shapes = {entries[number, "weight"].shape for number in numbers} | {entries[numbers[0], "bias"].shape * 2}
    if len(shapes) > 1 or len({entries[number, "bias"].shape for number in numbers}) > 1:
        raise UserError(f"{path}: wanted layers of one shape, found {', '.join(map(str, sorted(shapes)))}")
    return {name: np.stack([entries[number, kind] for number in numbers]) for name, kind in KINDS.items()}
