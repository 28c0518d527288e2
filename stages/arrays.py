"""NumPy or CuPy: chosen once a process, and the only place where arrays move between host and device.

The mathematics asks `namespace(x)` for the functions that fit its arrays, so one source serves both.
"""

import os
import sys
import tempfile

import numpy as np

from stages.errors import UserError


def choose(device):
    """Return numpy or cupy for `device`: "cpu", "gpu" (an error where there is none) or "auto"."""
    if device == "cpu":
        return np
    try:
        cupy = _cupy_with_a_gpu()
    except UserError:
        if device == "auto":
            return np
        raise
    return cupy


def _cupy_with_a_gpu():
    """Import CuPy and make sure that it can compute, or say why not."""
    # Compiled kernels are kept for all jobs of a machine; a container's home may be the working directory.
    os.environ.setdefault("CUPY_CACHE_DIR", os.path.join(tempfile.gettempdir(), "snode-cupy-kernels"))
    change = "use --device cpu (config: execution.device: cpu), or run where there is a GPU"
    try:
        import cupy
    except ImportError as problem:
        raise UserError(
            f"a GPU was asked for, but CuPy is not installed ({problem}); install envs/gpu.txt, or {change}"
        ) from None
    try:
        found = cupy.cuda.runtime.getDeviceCount()
    except cupy.cuda.runtime.CUDARuntimeError as problem:
        raise UserError(f"a GPU was asked for, but CUDA finds none ({problem}); {change}") from None
    if not found:
        raise UserError(f"a GPU was asked for, but this machine shows none; {change}")
    return cupy


def namespace(array):
    """Return the module whose functions take this array: numpy, cupy, or a stand-in with their interface."""
    if isinstance(array, (np.ndarray, np.generic)):
        return np
    return sys.modules[type(array).__module__.partition(".")[0]]


def to_host(array):
    """Return a NumPy array of the same values."""
    return array if isinstance(array, (np.ndarray, np.generic)) else namespace(array).asnumpy(array)


def describe(xp):
    """Name the backend, as it is recorded in every store."""
    if xp is np:
        return "numpy"
    properties = xp.cuda.runtime.getDeviceProperties(xp.cuda.Device().id)
    return f"cupy on {properties['name'].decode()}"
