"""Kernels that run once per layer. Launches are prepared in advance: each then costs the host one microsecond, where
CuPy's own launch, which checks its arguments every time, costs five. CUDA allows only Latin letters.

Each kernel works entry by entry on three arrays (..., neuron, sample), and receives Euler's step h.
"""

import functools

import cupy
import numpy as np
from cupy_backends.cuda.api import driver

KERNELS = {  # names of the three arrays, and the operation on each entry
    # g = slope ⊙ λ
    "weigh": ("slope, back, g", "g = slope * back;"),
    # ξ <- ξ + slope ⊙ rate
    "carry": ("slope, rate, xi", "xi += slope * rate;"),
    # y holds a = W x + b and becomes x + h σ(a); slope becomes h σ'(a); {0}, {1}: the activation's two CUDA formulas
    "advance": ("x, y, slope", "const T a = y; const T s = {0}; slope = {1}; y = x + h * s;"),
}

THREADS = 128
CODE = """
typedef %(type)s T;
// Entries along x, runs along y, whose matrices lie `step`s apart.
extern "C" __global__ void snode_%(name)s_%(type)s(T* first, T* second, T* third, const T h, const long long entries,
                                         const long long step1, const long long step2, const long long step3) {
    const long long i = blockIdx.x * (long long)blockDim.x + threadIdx.x, run = blockIdx.y;
    if (i >= entries) return;
    T &%(a)s = first[run * step1 + i], &%(b)s = second[run * step2 + i], &%(c)s = third[run * step3 + i];
    %(body)s
}
"""


@functools.cache
def compiled(name, dtype, formulas=()):
    """Return the kernel of KERNELS for a type ("float32", "float64"); formulas: those of an activation."""
    arrays, body = KERNELS[name]
    body = body.format(*formulas) if formulas else body
    kind = {"float32": "float", "float64": "double"}[dtype]
    words = dict(zip("abc", arrays.split(", "), strict=True), name=name, body=body, type=kind)
    return cupy.RawKernel(CODE % words, f"snode_{name}_{kind}").kernel


class Launch:
    """A kernel on three CuPy arrays (..., neuron, sample) whose memory does not move; each matrix is contiguous."""

    def __init__(self, name, *arrays, h=0.0, formulas=()):
        first, *others = arrays
        if any(X.shape != first.shape or X.dtype != first.dtype for X in others):
            raise ValueError(f"wanted arrays of one shape and type, found {[(X.shape, X.dtype.name) for X in arrays]}")
        entries, runs = int(np.prod(first.shape[-2:])), int(np.prod(first.shape[:-2]))
        self.kernel, self.arrays, self.call = compiled(name, first.dtype.name, formulas), arrays, None  # kept alive
        if not first.size:
            return
        addresses = [np.array(X.data.ptr) for X in arrays]
        numbers = np.array(h, first.dtype), *(np.array(n, np.int64) for n in (entries, *map(_step, arrays)))
        self.arguments = *addresses, *numbers
        self.pointers = np.array([argument.ctypes.data for argument in self.arguments], np.uintp)
        grid = -(-entries // THREADS), runs, 1
        stream = cupy.cuda.get_current_stream().ptr
        self.call = self.kernel.ptr, *grid, THREADS, 1, 1, 0, stream, self.pointers.ctypes.data, 0

    def __call__(self):
        if self.call is not None:
            driver.launchKernel(*self.call)


def _step(X):
    """Return the stride between the matrices of a stack, in entries."""
    if X.ndim > 3 or not X[(0,) * (X.ndim - 2)].flags.c_contiguous:
        raise ValueError(f"wanted contiguous matrices, at most one stack of them; found strides {X.strides}")
    return X.strides[0] // X.itemsize if X.ndim == 3 else 0
