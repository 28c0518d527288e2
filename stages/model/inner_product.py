"""Sums of products over all weights, accurate in float32.

A float32 dot product over the 5.8 million weights of the paper's network is off by up to 4e-4, enough to spoil the
conjugacy coefficient. So each layer is summed by itself, while it is in the cache, and the layers' sums are added in
float64.
"""

from stages.arrays import namespace

LETTERS = {1: "...i,...i->...", 2: "...ij,...ij->..."}


def sum_of_products(a, b, axes):
    """Return Σ a b over the last `axes` axes, as float64 with the leading axes left."""
    return namespace(a).einsum(LETTERS[axes], a, b).astype("float64")


def inner_product(network, a, b):
    """Return <a, b> in L²(0, T) for pairs of arrays (.W, .b) on the nodes: h Σ_l <a_l, b_l>."""
    total = 0.0
    for layer in range(network.depth):
        total = total + sum_of_products(a.W[layer], b.W[layer], 2) + sum_of_products(a.b[layer], b.b[layer], 1)
    return network.h * total
