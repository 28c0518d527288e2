"""The neurons that take part in the adjoint problem: σ'(a) is not zero for every sample of the batch.

A neuron that sleeps, whose σ'(a) is zero for all of them, has g = σ'(a) ⊙ λ = 0: its row of W adds nothing to Wᵀ g and
nothing to inner products of g. In trained networks with ReLU nine neurons of ten sleep in a layer, and images share
them: to leave them out of the products changes no sum and spares most of the time.
"""

import numpy as np

from stages.arrays import namespace

MOST = 0.9  # share of a layer: with more awake, to gather them costs as much as it spares


def may_sleep(network, slopes):
    """Tell whether neurons are to be looked for that sleep."""
    # A convolution's weights belong to all its neurons. A device would have to be waited for.
    return network.activation.sleeps and network.affine.rowwise and namespace(slopes) is np


def awake(slopes):
    """Return of each layer the numbers of the neurons that are awake in slopes σ'(a), (layer, neuron, sample).

    None: so many that all may take part.
    """
    layers = (layer.nonzero()[0] for layer in slopes.any(axis=-1))
    return [neurons if neurons.size <= MOST * slopes.shape[1] else None for neurons in layers]
