"""The neurons that take part in the linearised problems: σ'(a) is not zero for every sample of the batch.

A neuron that sleeps, whose σ'(a) is zero for all of them, has g = σ'(a) ⊙ λ = 0 and adds nothing to ξ: its row of W
adds nothing to Wᵀ g, its row of the gradient is zero and so is what it adds to inner products. In trained networks with
ReLU nine neurons of ten sleep in a layer, and images share them: to leave them out of the products changes no sum and
spares most of the time. The direct problem needs all neurons, to see who wakes up.
"""

import numpy as np

from stages.arrays import namespace

MOST = 0.7  # share of a layer: with more awake, to gather them costs as much as it spares


def may_sleep(network):
    """Tell whether neurons are to be looked for that sleep."""
    # A convolution's weights belong to all its neurons. A device would have to be waited for.
    return network.activation.sleeps and network.affine.rowwise and namespace(network.parameters) is np


def taking_part(awake, layer):
    """Yield the runs with the numbers of their neurons that take part in a layer; None: all of them.

    awake: (layer, ..., neuron), true where a neuron is awake. Each of several runs has its own: they come one by one.
    None where neurons are not looked for: all runs come at once.
    """
    if awake is None:
        yield (), None
        return
    runs = np.ndindex(awake.shape[1:-1]) if awake.ndim > 2 else [()]  # this is called five times a layer: be quick
    for run in runs:
        neurons = awake[layer, *run].nonzero()[0]
        yield run, (neurons if neurons.size <= MOST * awake.shape[-1] else None)


def those(array, neurons):
    """Return the rows of some neurons, or the array itself for all."""
    return array if neurons is None else array.take(neurons, axis=0)
