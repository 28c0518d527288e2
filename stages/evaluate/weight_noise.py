"""Gaussian noise on weights and biases: the same draws for every model of the same shape and every backend."""

import numpy as np

from stages.model.network import Parameters
from stages.runtime.arrays import namespace
from stages.runtime.seeds import generator


def noisy_network(network, std, seed, draw):
    """Return the network with noise of standard deviation `std` on every weight and bias, drawn on the host.

    Each strength has its own random stream, so that adding one to the list changes no other.
    """
    if std == 0:
        return network
    normal = generator(seed, "weight noise", draw, repr(float(std))).standard_normal
    noise = normal(network.parameters.shape, dtype=np.float32)
    noise *= np.float32(std)
    noisy = Parameters(network.parameters + namespace(network.parameters).asarray(noise))
    return network.like(noisy.W, noisy.b)
