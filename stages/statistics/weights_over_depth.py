"""How the weights W(t) of a trained network change over its depth (paper, Figure 6), from its store or an extract."""

import itertools

import numpy as np


def norms(dataset):
    """Return the Frobenius norm of W(t) at each layer."""
    if "weight_norm" in dataset:
        return dataset["weight_norm"].values
    return np.array([np.linalg.norm(weights.astype(np.float64)) for weights in dataset["W"].values])


def steps(dataset):
    """Return the Frobenius norm of the difference between W(t) at consecutive layers."""
    if "weight_step" in dataset:
        return dataset["weight_step"].values
    pairs = itertools.pairwise(dataset["W"].values)
    return np.array([np.linalg.norm((after - before).astype(np.float64)) for before, after in pairs])
