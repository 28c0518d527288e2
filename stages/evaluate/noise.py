"""Gaussian noise on images: the same draws for every model and backend."""

import numpy as np

from stages.runtime.seeds import generator


def noisy_images(images, std, seed, draw, clip):
    """Return images (sample, pixel) plus noise of standard deviation `std`, drawn on the host.

    Each strength has its own random stream, so that adding one to the list changes no other.
    """
    if std == 0:
        return images
    noise = generator(seed, "noise", draw, repr(float(std))).standard_normal(images.shape, dtype=np.float32)
    noise *= np.float32(std)
    noise += images
    return noise.clip(0, 1, out=noise) if clip else noise
