"""The read-out: where in x(T) the class scores are. It is fixed: a network has no trained layer outside its ODE."""

import numpy as np

from stages.arrays import namespace, to_host


class FirstComponents:
    """Score number c is component c of x(T), as in the paper."""

    def scores(self, x, count):
        """Return the first `count` scores (..., score, sample) of states x (..., neuron, sample)."""
        return x[..., :count, :]

    def cotangent(self, u, width, dtype):
        """Return the cotangent (..., width, sample) of x(T) that a cotangent u (..., score, sample) of scores is."""
        λ = namespace(u).zeros((*u.shape[:-2], width, u.shape[-1]), dtype)
        λ[..., : u.shape[-2], :] = u
        return λ

    def stored(self, meaning):
        """Return the variables of a train store that say what the read-out is."""
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


def random_projection(generator, classes, width, scale=1.0):
    """Return R (class, neuron) of normal entries, on the host."""
    return generator.normal(0.0, scale / np.sqrt(width), (classes, width))
