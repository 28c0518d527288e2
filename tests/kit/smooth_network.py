"""Networks of any depth whose weights are smooth functions of time, for adaptive solvers."""

import numpy as np

from kit.example_network import example
from stages.model.network import Network


def smooth_network(depth, activation="tanh", width=5, interval=1.5):
    """Sample weights that are smooth functions of time at the nodes of a network of any depth."""
    rng = np.random.default_rng(11)
    t = np.arange(depth) * interval / depth
    A, B, a, b = rng.normal(0, 0.7, (2, width, width)), *rng.normal(0, 0.7, (3, width))
    W = A[0] * np.cos(t)[:, None, None] + A[1] * np.sin(2 * t)[:, None, None]
    return Network(W, B * np.sin(t)[:, None] + a * t[:, None] + b, interval, example(activation).network.activation)


def batch(width=5, samples=4):
    rng = np.random.default_rng(12)
    return rng.random((width, samples)), rng.normal(0, 1, (width, samples))


def between(values, h, t):
    """An independent piecewise linear interpolation."""
    nodes = h * np.arange(len(values))
    flat = np.array([np.interp(t, nodes, column) for column in values.reshape(len(values), -1).T])
    return flat.reshape(values.shape[1:])


def refined(network, factor):
    """Return the network with `factor` times the depth and the same weights as functions of time."""
    h, times = network.h, np.arange(network.depth * factor) * network.h / factor
    W = np.array([between(np.array(network.W), h, t) for t in times])
    b = np.array([between(np.array(network.b), h, t) for t in times])
    return Network(W, b, network.interval, network.activation)
