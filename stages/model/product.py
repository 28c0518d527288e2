"""Products of matrices, or of stacks of them, into a given array, without copies on CPU or GPU."""

from stages.runtime.arrays import namespace


def product(A, B, out):
    """Fill `out` with A B, for A (..., m, k), B (..., k, n) and out (..., m, n); return it."""
    xp = namespace(out)
    if xp.__name__ == "cupy":  # its matmul copies W = [W b][..., :-1], and a result that is part of another array
        from stages.model.on_device.products import product as product_on_device

        return product_on_device(A, B, out)
    return xp.matmul(A, B, out=out)
