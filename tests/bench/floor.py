"""The floor: what no implementation on this BLAS can do without.

The bare matrix products of an algorithm and one bare call of the activation a layer, on arrays of the right shapes that
lie ready, nothing else: no biases, no sums, no derivatives of the activation. Three layouts: samples as columns, as
rows, or as columns with the weights transposed in memory; the fastest one of the run is the floor.
"""

import numpy as np

ACTIVATIONS = {"relu": lambda a: a.clip(0, np.inf, out=a), "tanh": lambda a: np.tanh(a, out=a)}
LAYOUTS = ("columns", "rows", "transposed")


class Floor:
    def __init__(self, layout, width, depth, samples, activation, runs=None, dtype="float32"):
        rng = np.random.default_rng(0)
        leading = () if runs is None else (runs,)
        self.columns, self.transposed = layout != "rows", layout == "transposed"
        self.activation = ACTIVATIONS[activation]
        state = (*leading, *((width, samples) if self.columns else (samples, width)))
        self.W, self.direction, self.gradient = (
            rng.normal(0, 0.01, (depth, *leading, width, width)).astype(dtype) for _ in range(3)
        )
        self.x = rng.random((depth, *state)).astype(dtype)
        self.g, self.out, self.other = rng.random((3, *state)).astype(dtype)

    def apply(self, W, x, out):
        """W x"""
        if self.transposed:
            W = W.swapaxes(-1, -2)
        np.matmul(W, x, out=out) if self.columns else np.matmul(x, W.swapaxes(-1, -2), out=out)

    def apply_transposed(self, W, x, out):
        """Wᵀ x"""
        self.apply(W.swapaxes(-1, -2), x, out)

    def outer(self, g, x, out):
        """g xᵀ, or its transpose"""
        if self.transposed:
            g, x = x, g
        a, b = (g, x.swapaxes(-1, -2)) if self.columns else (g.swapaxes(-1, -2), x)
        np.matmul(a, b, out=out)

    def direct(self):
        """One product and one activation a layer."""
        for W, x in zip(self.W, self.x, strict=True):
            self.apply(W, x, self.out)
            self.activation(self.out)

    def inference(self):
        """The same on one state, which stays in the cache."""
        for W in self.W:
            self.apply(W, self.g, self.out)
            self.activation(self.out)

    def adjoint(self):
        """Two products a layer."""
        for W, x, G in zip(self.W[::-1], self.x[::-1], self.gradient[::-1], strict=True):
            self.outer(self.g, x, G)
            self.apply_transposed(W, self.g, self.out)

    def pull_back(self):
        """One product a layer."""
        for W in self.W[::-1]:
            self.apply_transposed(W, self.g, self.out)

    def sensitivity(self):
        """Two products a layer."""
        for W, x, d in zip(self.W, self.x, self.direction, strict=True):
            self.apply(W, self.g, self.out)
            self.apply(d, x, self.other)

    def iteration(self):
        """The five products a layer of an NCG iteration."""
        self.direct()
        self.adjoint()
        self.sensitivity()
