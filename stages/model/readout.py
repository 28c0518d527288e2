"""The read-out: how the class scores follow from x(T). It is fixed: a network has no trained layer outside its ODE.

A dense network's scores are its first components. A convolution treats all pixels alike, so only the read-out can
distinguish positions: a score is the mean over all pixels and channels with fixed random signs. Shifted copies of such
a pattern are uncorrelated, so each entry of a kernel should change the scores differently; shifted copies of a mean or
of a smooth pattern are nearly equal.

Measured (8 channels of 14 x 14, 3 x 3, 10 layers, l2, ReLU, 240 iterations of NCG, one run each). Rows of R of length
0.2: random signs 87 %, normal numbers in one channel per class 83 %, smooth random patterns 61 %. Normal numbers, rows
of length 0.03, 0.1, 0.3, 1, 3, 10: 75, 84, 85, 81, 47, 20 %. Tried at one length only, which may explain part of the
difference: one neuron per class (1) 61 %, sums over disjoint sets of neurons (1) 8 %, the mean of a channel (0.07)
31 %. With tanh and length 0.2: normal numbers 88 %, sums over disjoint sets 77 %. A few points may be chance.
"""

import numpy as np

from stages.runtime.arrays import namespace, to_host

# Rows of R have length SCALE / side, 0.29 at 14 x 14, in the flat part of the curve above. A change of x as large as
# the image then raises a score by about 1, the size of a target.
SCALE = 4.0


class FirstComponents:
    """Score number c is component c of x(T), as in the paper."""

    def scores(self, x, count):
        """Return the first `count` scores (..., score, sample) of states x (..., neuron, sample)."""
        return x[..., :count, :]

    def cotangent(self, u, width, dtype):
        """Return the cotangent (..., width, sample) of x(T) for a cotangent u (..., score, sample) of the scores."""
        λ = namespace(u).zeros((*u.shape[:-2], width, u.shape[-1]), dtype)
        λ[..., : u.shape[-2], :] = u
        return λ

    def stored(self, meaning):
        """Return the variables of a train store that describe the read-out."""
        return {}


FIRST_COMPONENTS = FirstComponents()


class Projection:
    """Scores R x(T), with a fixed matrix R (score, neuron)."""

    def __init__(self, R):
        self.R = R

    def scores(self, x, count):
        return namespace(x).matmul(self.R[:count], x)

    def cotangent(self, u, width, dtype):
        return namespace(u).matmul(self.R[: u.shape[-2]].swapaxes(0, 1), u.astype(dtype))

    def stored(self, meaning):
        return {"readout": (("class", "neuron"), to_host(self.R), {"long_name": meaning})}


def signed_means(generator, classes, images, pixels):
    """Return R (class, neuron) of random signs, scaled to a mean over the pixels of a state's images; a host array."""
    signs = generator.choice([-1.0, 1.0], (classes, images * pixels))
    return SCALE / (np.sqrt(images) * pixels) * signs
