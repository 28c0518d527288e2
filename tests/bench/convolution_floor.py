"""The floor of a convolutional network: the bare products of an NCG iteration and one bare extraction for each.

On arrays of the right shapes that lie ready, with one bare call of the activation a layer, nothing else: no biases, no
sums, no derivatives. Two ways, of which the faster one in a run is the floor:

    patches    k² copies of a state, products (out, k² in) x (k² in, pixel x sample)
    stacks     k copies of a state, products (k out, k in) x (k in, pixel x sample), as the layers do it but
               without the sums of shifts that make the result of it
"""

import numpy as np
from floor import ACTIVATIONS

WAYS = ("patches", "stacks")


class ConvolutionFloor:
    def __init__(self, way, channels, kernel, side, depth, samples, activation, dtype="float32"):
        rng = np.random.default_rng(0)
        rows = kernel if way == "stacks" else 1  # of shifts in the product's result
        copies = kernel if way == "stacks" else kernel**2
        self.kernel, self.side, self.rows, self.activation = kernel, side, rows, ACTIVATIONS[activation]
        long = side**2 * samples
        state = (channels, side, side, samples)
        self.x = rng.random((depth, *state)).astype(dtype)
        self.padded = np.zeros((channels, side + kernel - 1, side + kernel - 1, samples), dtype)
        self.copied = np.zeros((copies, *state), dtype)
        self.K, self.direction, self.gradient = (
            rng.normal(0, 0.01, (depth, rows * channels, copies * channels)).astype(dtype) for _ in range(3)
        )
        self.g = rng.random((rows * channels, long)).astype(dtype)
        self.out = np.empty((rows * channels, long), dtype)
        self.state = rng.random(state).astype(dtype)

    def extract(self, x):
        """Return the copies (copy x channel, pixel x sample): zero padding once, then shifted blocks."""
        kernel, side, half = self.kernel, self.side, self.kernel // 2
        if self.rows == 1:
            self.padded[:, half : half + side, half : half + side] = x
            for number in range(kernel**2):
                row, column = divmod(number, kernel)
                self.copied[number] = self.padded[:, row : row + side, column : column + side]
        else:
            for number in range(kernel):
                shift = number - half
                here = slice(max(0, -shift), side - max(0, shift))
                there = slice(max(0, shift), side - max(0, -shift))
                self.copied[number, :, :, here] = x[:, :, there]
        return self.copied.reshape(-1, self.out.shape[-1])

    def iteration(self):
        """Five products and five extractions a layer."""
        for K, x in zip(self.K, self.x, strict=True):
            np.matmul(K, self.extract(x), out=self.out)
            self.activation(self.state)
        for K, x, G in zip(self.K[::-1], self.x[::-1], self.gradient[::-1], strict=True):
            np.matmul(self.g, self.extract(x).T, out=G)
            np.matmul(K, self.extract(self.state), out=self.out)
        for K, x, d in zip(self.K, self.x, self.direction, strict=True):
            np.matmul(K, self.extract(self.state), out=self.out)
            np.matmul(d, self.extract(x), out=self.out)
