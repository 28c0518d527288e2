"""Active neurons: those with σ'(a) ≠ 0 for at least one sample of the batch. Linearised problems need only these.

An inactive neuron, with σ'(a) = 0 for all samples, has g = σ'(a) ⊙ λ = 0 and adds nothing to ξ, to Wᵀ g or to inner
products, and its row of the gradient is zero. In trained ReLU networks nine neurons of ten in a layer are inactive, the
same ones for most images: leaving them out of the products changes no sum and saves most of the time. The direct
problem needs all neurons, to determine which become active.

Below, `rows` are the indices of the active neurons, or None for all neurons.
"""

import numpy as np

from stages.runtime.arrays import namespace

MOST = 0.7  # share of active neurons in a layer above which gathering their rows costs as much as it saves


def looks_for_inactive(network):
    """Tell whether the network's inactive neurons are determined and left out."""
    # The neurons of a convolution share its weights. On a GPU, the host would have to wait for the result.
    return network.activation.flat and network.affine.rowwise and namespace(network.parameters) is np


def active_rows(active, layer):
    """Yield (run, rows) of a layer.

    active: (layer, ..., neuron), true for active neurons; they differ between runs, so that runs are yielded one by
    one. None if inactive neurons are not determined: then all runs are yielded at once.
    """
    if active is None:
        yield (), None
        return
    runs = np.ndindex(active.shape[1:-1]) if active.ndim > 2 else [()]  # called five times per layer, so kept fast
    for run in runs:
        rows = active[layer, *run].nonzero()[0]
        yield run, (rows if rows.size <= MOST * active.shape[-1] else None)


def rows_of(array, rows):
    """Return a copy of some rows, or the array itself for all."""
    return array if rows is None else array.take(rows, axis=0)


def room_for(rows, memory):
    """Return the part of `memory` that this many rows need."""
    return memory if rows is None else memory[: rows.size]


def add_to_rows(array, rows, values):
    """Add rows of values to the given rows of the array, or to all."""
    if rows is None:
        array += values
    else:
        array[rows] += values
