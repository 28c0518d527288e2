"""The rows of P = dx(T)/dx(0) that belong to classes, one matrix per sample.

The paper pushes the N x N identity forwards through the sensitivity problem and keeps a few rows of the result. Pulling
the classes' unit cotangents backwards gives the same rows: for 10 classes and 196 pixels, with a twentieth of the
products and memory for 10 rows instead of 196.
"""

from stages.model.adjoint import pull_back
from stages.model.direct import leave
from stages.runtime.arrays import namespace


def class_rows(network, slopes, classes, after_layer=None):
    """Return P's rows (..., pixel, class, sample) from the slopes h σ'(a_l), (layer, ..., neuron, sample), of a solve.

    after_layer(l, h g_l): as for `pull_back`.
    """
    return pull_back_scores(network, slopes, unit_cotangents(network, classes, slopes.shape[-1]), after_layer)


def pull_back_scores(network, slopes, cotangents, after_layer=None):
    """Pull cotangents (..., class, cotangent, sample) of the scores back to the images, (..., pixel, ...)."""
    return leave(network, pull_back(network, slopes, state_cotangents(network, cotangents), after_layer))


def unit_cotangents(network, classes, samples):
    """Return the cotangents that become P's rows: of one class's score each, (..., class, class, sample)."""
    xp = namespace(network.parameters)
    units = xp.zeros((*network.leading, classes, classes, samples), network.dtype)
    units[..., xp.arange(classes), xp.arange(classes), :] = 1
    return units


def state_cotangents(network, cotangents):
    """Turn cotangents (..., class, cotangent, sample) of the scores into those of x(T), (..., neuron, ...)."""
    *leading, classes, count, samples = cotangents.shape
    flat = cotangents.reshape(*leading, classes, count * samples)
    states = network.readout.cotangent(flat, network.width, network.dtype)
    return states.reshape(*leading, network.width, count, samples)
