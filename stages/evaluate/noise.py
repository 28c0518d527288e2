"""Gaussian noise on images, or on weights and biases: the same draws for every model of a shape and every backend.

Each strength has its own random stream, so that adding one to the list changes no other.
"""

from stages.runtime.arrays import namespace
from stages.runtime.seeds import gaussian


def noisy_images(images, std, seed, draw, clip):
    """Return images (sample, pixel) on the host plus noise of standard deviation `std`."""
    if std == 0:
        return images
    noise = gaussian(images.shape, std, seed, "noise", draw, repr(float(std)))
    noise += images
    return noise.clip(0, 1, out=noise) if clip else noise


def noisy_network(network, std, seed, draw):
    """Return the network with noise of standard deviation `std` on every weight and bias."""
    if std == 0:
        return network
    noise = gaussian(network.parameters.shape, std, seed, "weight noise", draw, repr(float(std)))
    return network.like(network.parameters + namespace(network.parameters).asarray(noise))
