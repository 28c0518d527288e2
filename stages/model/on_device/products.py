"""Products of stacks of matrices by cuBLAS, without copies: C <- A B, or C <- C + A B.

CuPy's matmul first copies what is not contiguous: W = [W b][..., :-1], a transpose of a stack, a strided result. cuBLAS
needs no copies: it takes a flag for a transpose, and the strides between rows (197 for W) and between matrices. A
Product computes its arguments once; a call then costs the host a third of a microsecond, where matmul costs 17.
"""

import itertools

import numpy as np
from cupy.cuda import device
from cupy_backends.cuda.libs import cublas

# Never CUBLAS_COMPUTE_32F_FAST_TF32, whatever CUPY_TF32 says: ten bits are too few for conjugate gradients.
TYPES = {"float32": (0, cublas.CUBLAS_COMPUTE_32F), "float64": (1, cublas.CUBLAS_COMPUTE_64F)}  # 0, 1: CUDA_R_32F, _64F


class Product:
    """C <- A B (or C + A B) for A (..., m, k), B (..., k, n), C (..., m, n): CuPy arrays whose memory does not move.

    Rows of C must be contiguous; A and B may be transposed. The axes before the last two form one stack: equal in all
    three, or absent in A or B.
    """

    def __init__(self, A, B, C, *, add=False):
        (m, k), (kb, n) = A.shape[-2:], B.shape[-2:]
        if kb != k or C.shape[-2:] != (m, n) or not (A.dtype == B.dtype == C.dtype):
            raise ValueError(
                f"wanted A (m, k), B (k, n) and C (m, n) of one type, found {A.shape}, {B.shape}, {C.shape} "
                f"of {A.dtype}, {B.dtype}, {C.dtype}"
            )
        self.arrays, self.call = (A, B, C), None  # keeps them alive: the call holds only addresses
        if not C.size:
            return
        self.factors = np.array([1, 1 if add else 0], C.dtype)
        alpha, beta = (self.factors.ctypes.data + i * self.factors.itemsize for i in range(2))
        kind, compute = TYPES[C.dtype.name]
        stack = C.shape[:-2]
        (transpose_a, lead_a, step_a), (transpose_b, lead_b, step_b) = (_layout(X, stack) for X in (A, B))
        transpose_c, lead_c, step_c = _layout(C, stack)
        if transpose_c:
            raise ValueError(f"wanted contiguous rows of C, found strides {C.strides}")
        # cuBLAS is column-major, so it computes Cᵀ = Bᵀ Aᵀ.
        self.call = (
            *(device.get_cublas_handle(), transpose_b, transpose_a, n, m, k, alpha),
            *(B.data.ptr, kind, lead_b, step_b, A.data.ptr, kind, lead_a, step_a, beta),
            *(C.data.ptr, kind, lead_c, step_c, int(np.prod(stack)), compute, cublas.CUBLAS_GEMM_DEFAULT),
        )

    def __call__(self):
        if self.call is not None:
            cublas.gemmStridedBatchedEx(*self.call)
        return self.arrays[-1]


def _layout(X, stack):
    """Return (transposed?, stride between rows or columns, stride between matrices), strides in entries."""
    *steps, across, along = (stride // X.itemsize for stride in X.strides)
    rows, columns = X.shape[-2:]
    if along == 1 or columns == 1:
        transposed, lead = 0, max(across if rows > 1 else 0, columns, 1)
    elif across == 1 or rows == 1:
        transposed, lead = 1, max(along, rows, 1)
    else:
        raise ValueError(f"wanted contiguous rows or columns, found strides {X.strides} of shape {X.shape}")
    if X.ndim == 2:
        return transposed, lead, 0
    if X.shape[:-2] != stack:
        raise ValueError(f"wanted a stack of {stack} matrices, or none, found {X.shape[:-2]}")
    axes = [(length, step) for length, step in zip(stack, steps, strict=True) if length > 1]
    for (_, outer), (length, inner) in itertools.pairwise(axes):
        if outer != length * inner:
            raise ValueError(f"wanted matrices at equal distances, found strides {X.strides} of shape {X.shape}")
    return transposed, lead, axes[-1][1] if axes else 0
