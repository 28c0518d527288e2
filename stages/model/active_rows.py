"""The neurons that take part in the linearised problems: σ'(a) is not zero for every sample of the batch.

An inactive neuron, whose σ'(a) is zero for all of them, has g = σ'(a) ⊙ λ = 0 and adds nothing to ξ: its row of W adds
nothing to Wᵀ g, its row of the gradient is zero and so is what it adds to inner products. In trained networks with ReLU
nine neurons of ten are inactive in a layer, and images share them: to leave them out of the products changes no sum and
saves most of the time. The direct problem needs all neurons, to see which become active.

Below, `rows` are the numbers of the active neurons, or None for all of them.
"""

import numpy as np

from stages.runtime.arrays import namespace

MOST = 0.7  # share of a layer: with more of them active, gathering their rows costs as much as it saves


def looks_for_inactive(network):
    """Tell whether inactive neurons are looked for."""
    # A convolution's weights belong to all its neurons. A device would have to be waited for.
    return network.activation.flat and network.affine.rowwise and namespace(network.parameters) is np


def active_rows(active, layer):
    """Yield (run, rows) of a layer.

    active: (layer, ..., neuron), true where a neuron is active; each of several runs has its own, so they come one by
    one. None where inactive neurons are not looked for: all runs come at once.
    """
    if active is None:
        yield (), None
        return
    runs = np.ndindex(active.shape[1:-1]) if active.ndim > 2 else [()]  # this is called five times per layer: be quick
    for run in runs:
        rows = active[layer, *run].nonzero()[0]
        yield run, (rows if rows.size <= MOST * active.shape[-1] else None)


def rows_of(array, rows):
    """Return a copy of some rows, or the array itself for all."""
    return array if rows is None else array.take(rows, axis=0)


def room_for(rows, memory):
    """Return as much of `memory` as that many rows need."""
    return memory if rows is None else memory[: rows.size]


def add_to_rows(array, rows, values):
    """Add values, one row each, to some rows of the array or to all."""
    if rows is None:
        array += values
    else:
        array[rows] += values
