"""Which kernels NumPy's matrix products use, and whether the environment holds them to those of an older processor.

OpenBLAS, which comes with NumPy's packages, chooses its kernels by the processor. Some clusters and images set
OPENBLAS_CORETYPE, so that all their machines round alike. Where that leaves AVX-512 unused, a training takes 1.4 times
as long.
"""

import ctypes
import os
import subprocess
import sys

from numpy._core import _multiarray_umath

VARIABLE = "OPENBLAS_CORETYPE"


def kernels():
    """Return OpenBLAS's name for the kernels in use, such as SkylakeX; "" where NumPy has another library."""
    try:
        name = ctypes.CDLL(_multiarray_umath.__file__).scipy_openblas_get_corename64_
    except (OSError, AttributeError):
        return ""
    name.restype = ctypes.c_char_p
    return name().decode()


def held_back(environment=os.environ):
    """Return (kernels in use, those that OpenBLAS would choose) if the environment sets others, else None."""
    if not environment.get(VARIABLE):
        return None
    own = {name: value for name, value in environment.items() if name != VARIABLE}
    used, chosen = _kernels_with(environment), _kernels_with(own)
    return (used, chosen) if used and chosen and used != chosen else None


def _kernels_with(environment):
    """Return the kernels of a new process with this environment, since the choice is made once, on import."""
    command = [sys.executable, "-c", f"from {__name__} import kernels; print(kernels())"]
    return subprocess.run(command, env=environment, capture_output=True, text=True).stdout.strip()
