"""Weights in MATLAB's MAT files, which the paper's authors used. Needs the package scipy (the extra `matlab`).

In MATLAB the last axis is the layer: W(:, :, l) and b(:, l), saved with save("mine.mat", "W", "b").
"""

import math

import numpy as np

from stages.data.array_files import reading
from stages.runtime.errors import UserError

NAMES = ("W", "b")
NUMBERS = ("double", "single")  # MATLAB's names


def read(path, largest):
    """Return {"W": (layer, out, in), "b": (layer, out)}; largest: limit on the bytes of the arrays."""
    try:
        from scipy import io
    except ImportError as problem:
        raise UserError(
            f"{path}: a MAT file wants the package scipy ({problem}); pip install scipy, or save the weights as NPZ"
        ) from None
    _refuse_hdf5(path)
    with reading(path):
        there = {name: (shape, kind) for name, shape, kind in io.whosmat(path)}
    for name in NAMES:
        if name not in there:
            raise UserError(f"{path}: wanted arrays W and b, found {', '.join(sorted(there)) or 'none'}")
        shape, kind = there[name]
        if kind not in NUMBERS:
            raise UserError(f"{path}: {name}: wanted an array of {' or '.join(NUMBERS)}, found {kind}")
        if 8 * math.prod(shape) > largest:
            raise UserError(f"{path}: {name}: wanted at most {largest:,} bytes, found an array {shape}")
    with reading(path):
        arrays = io.loadmat(path, variable_names=NAMES)
    W, b = (np.asarray(arrays[name]) for name in NAMES)
    if np.iscomplexobj(W) or np.iscomplexobj(b):
        raise UserError(f"{path}: wanted real numbers, found complex ones")
    if W.ndim == 2:  # MATLAB drops a last axis of length 1: one layer
        W = W[:, :, None]
    if W.ndim != 3 or b.ndim != 2:
        raise UserError(f"{path}: wanted W (n, n, layers) and b (n, layers), found W {W.shape} and b {b.shape}")
    return {"W": np.ascontiguousarray(W.transpose(2, 0, 1)), "b": np.ascontiguousarray(b.T)}


def _refuse_hdf5(path):
    """Refuse files of MATLAB's version 7.3, another format with the same suffix."""
    with reading(path), open(path, "rb") as file:
        if b"MATLAB 7.3" in file.read(128):
            raise UserError(f'{path}: wanted a MAT file of version 7, found 7.3; save it with save(..., "-v7")')
