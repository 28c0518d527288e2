"""NumPy or CuPy: chosen once per process, and the only place where arrays move between host and device.

Numerical code gets its array functions from `namespace(x)`, so that one source serves both.
"""

import atexit
import contextlib
import os
import shutil
import stat
import sys
import tempfile

import numpy as np

from stages.runtime.errors import UserError


def choose(device):
    """Return numpy or cupy for `device`: "cpu", "gpu" (an error where there is none) or "auto"."""
    if device == "cpu":
        return np
    try:
        return _cupy_with_a_gpu()
    except UserError:
        if device == "auto":
            return np
        raise


def _cupy_with_a_gpu():
    """Import CuPy and check that it can compute; raise a UserError that says why not."""
    os.environ.setdefault("CUPY_CACHE_DIR", kernel_cache())
    # TF32 has ten bits, too few for conjugate gradients, and results must not depend on the user's environment.
    os.environ["CUPY_TF32"] = os.environ["NVIDIA_TF32_OVERRIDE"] = "0"
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
    try:  # a driver alone is not enough: a product needs cuBLAS, a sum the kernel compiler and its headers
        ones = cupy.ones((2, 2), "float32")
        computed = float((ones @ ones).sum())
    except Exception as problem:  # missing or incompatible libraries raise many types
        reason = f"{type(problem).__name__}: {problem}".splitlines()[0]
        raise UserError(
            f"a GPU was found, but it cannot compute a product ({reason}); install envs/gpu.txt, which has the CUDA "
            f"libraries, or {change}"
        ) from None
    if computed != 8:
        raise UserError(f"a GPU was found, but it computes wrongly: wanted 8, found {computed}; {change}")
    return cupy


def kernel_cache():
    """Return a directory for compiled kernels that only the user can write, since its content is executed.

    It is in the user's cache, shared by all jobs. In a container the home may be missing, read-only or the working
    directory, which should stay clean: then the system's temporary directory, or a new one if another user owns that.
    """
    home, name = os.path.expanduser("~"), f"snode-cupy-kernels-{os.getuid()}"
    places = [os.path.join(tempfile.gettempdir(), name)]
    if os.path.isabs(home) and os.path.realpath(home) != os.path.realpath(os.curdir):
        places.insert(0, os.path.join(os.environ.get("XDG_CACHE_HOME") or os.path.join(home, ".cache"), name))
    for place in places:
        try:
            os.makedirs(os.path.dirname(place), mode=0o700, exist_ok=True)
            with contextlib.suppress(FileExistsError):
                os.mkdir(place, mode=0o700)
            known = os.lstat(place)
            private = stat.S_ISDIR(known.st_mode) and known.st_uid == os.getuid() and not known.st_mode & 0o077
            if private and os.access(place, os.W_OK | os.X_OK):
                return place
        except OSError:
            continue
    fresh = tempfile.mkdtemp(prefix=f"{name}-")
    atexit.register(shutil.rmtree, fresh, ignore_errors=True)
    return fresh


def namespace(array):
    """Return the module whose functions take this array: numpy, cupy, or a substitute with their interface."""
    if isinstance(array, (np.ndarray, np.generic)):
        return np
    return sys.modules[type(array).__module__.partition(".")[0]]


def to_host(array):
    """Return a NumPy array of the same values."""
    if isinstance(array, (np.ndarray, np.generic)):
        return array
    found = namespace(array).asnumpy(array)
    # CuPy's argmax returns C's `long long`: the size of int64, but another type to Zarr.
    return found.view(found.dtype.str)


def describe(xp):
    """Return the name of the backend, as recorded in every store."""
    if xp is np:
        return "numpy"
    properties = xp.cuda.runtime.getDeviceProperties(xp.cuda.Device().id)
    return f"cupy on {properties['name'].decode()}, TF32 off"
