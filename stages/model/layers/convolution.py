"""Convolutions as the affine map of a layer: x consists of channels of square images, padded with zeros.

    a_o(r, q) = Σ_i Σ_{d,e} K_oi(d, e) x_i(r + d, q + e) + b_o,     d, e = -⌊k/2⌋ .. ⌊k/2⌋

Written as one product between a stack of shifts along the columns and a sum of shifts along the rows of the images
(`stages.model.layers.shifted_copies`):

    a = fold([K b] [lift(x); 1])      lift(x)_{e,i}(r, q) = x_i(r, q + e),     fold(Y)_o(r, q) = Σ_d Y_{d,o}(r + d, q)
    Kᵀ g = liftᵀ(Kᵀ foldᵀ(g))         liftᵀ is a sum of shifts, foldᵀ a stack of them
    E'_K = foldᵀ(g) lift(x)ᵀ

with K as a matrix, its rows (d, o), its columns (e, i). This makes k copies of a state and adds k, where patches of
k x k pixels take k² copies. In a state (neuron, sample) neurons are ordered by image and then by row; samples come
last, so that a shift copies or adds long contiguous pieces of memory.

Kernels may move by cells of several pixels: then r and q count cells, and each pixel of a cell is a separate channel.
This is the same mathematics on another view of the state. With cells of 2 x 2, 28 x 28 pixels cost as much as 14 x 14
do pixel by pixel with as many channels.
"""

import functools
import math

from stages.model.layers.shifted_copies import ShiftedCopies
from stages.model.readout import Projection, signed_means
from stages.runtime.arrays import namespace
from stages.runtime.errors import UserError
from stages.runtime.schemas import whole
from stages.runtime.seeds import generator

SHAPES = 4  # batch shapes for which memory is kept: a trainer uses one, an attack one each for solves and pull-backs


class Convolution:
    """The interface of stages.model.layers.base.Layer. A layer's W is (out, (row, column, in)), its b (out,)."""

    settings = {
        "channels": whole("Channels of the state, the images' own among them.", least=1, most=65536),
        "kernel": whole("Cells along a side of a kernel; odd.", least=3, most=255),
    }
    options = {
        "cell": whole("Pixels along a side of a cell, by which kernels move; 1 if it is not said.", least=1, most=16),
        "inputs": whole(
            "Channels of the images, one after another in an image's pixels; 1 if it is not said.", least=1, most=16
        ),
    }
    rowwise = False  # neurons share the kernels
    slowness = 4.0  # shifted copies take time in addition to the product

    def __init__(self, channels, kernel, side, inputs=1, cell=1):
        """kernel: k, in cells; side: of the images, in pixels; inputs: number of channels of the input images.

        channels: per cell; those of the input images come first.
        """
        if side % cell:
            raise UserError(f"config: network.layer.cell: wanted a divisor of {side}, the images' side; found {cell}")
        cells = side // cell
        if not (3 <= kernel <= cells and kernel % 2):
            raise UserError(
                f"config: network.layer.kernel: wanted an odd number from 3 to {cells}, the cells along a side of the "
                f"images; found {kernel}"
            )
        if channels < inputs * cell**2 or channels % cell**2:
            multiple = f" and a multiple of {cell**2}, the pixels of a cell" if cell > 1 else ""
            raise UserError(
                f"config: network.layer.channels: wanted at least the images' own {inputs * cell**2}{multiple}, "
                f"found {channels}"
            )
        self.channels, self.kernel, self.side, self.cell, self.cells = channels, kernel, side, cell, cells
        self.images = channels // cell**2  # of side x side pixels in a state
        self.width, self.inputs = self.images * side**2, inputs * side**2
        self.rows = self.width  # the row of ones is appended to the lifted state
        self.shape = channels, kernel**2 * channels
        self.stored = ("out", "row", "column", "in"), (channels, kernel, kernel, channels)
        self.pixels, self.own_scores = slice(0, self.inputs), 0
        self.copies = 6 * kernel
        self._memory_for = functools.lru_cache(SHAPES)(functools.partial(ShiftedCopies, self))

    @classmethod
    def build(cls, network, pixels):
        layer = network["layer"]
        if network["components"] != "classes":
            raise UserError(
                "config: network.components: a convolutional network is read out through its class scores alone; "
                f"wanted classes, found {network['components']!r}"
            )
        if network.get("scores", "pixels") != "pixels":
            raise UserError(
                "config: network.scores: a convolutional network has a read-out of its own, so none of its pixels is a "
                f"score; leave it out, found {network['scores']!r}"
            )
        inputs = layer.get("inputs", 1)
        side = math.isqrt(pixels // inputs)
        if inputs * side**2 != pixels:
            raise UserError(
                f"a convolution wants square images of {inputs} channels, found images of {pixels} pixels; "
                "for colours set network.layer.inputs to the images' channels"
            )
        return cls(layer["channels"], layer["kernel"], side, inputs, layer.get("cell", 1))

    @classmethod
    def pixels_of(cls, network, arrays):
        layer = network["layer"]
        images = layer["channels"] // layer.get("cell", 1) ** 2
        return arrays["readout"].shape[-1] // images * layer.get("inputs", 1)

    def read_out(self, network, seed, xp):
        """A fixed projection, the same for all runs of an experiment, which then differ only in their training."""
        R = signed_means(generator(seed, "readout"), network["classes"], self.images, self.side**2)
        return Projection(xp.asarray(R.astype(network["precision"])))

    def value(self, Wb, x_one, out):
        """K x + b"""
        memory = self._memory(out)
        return memory.fold(memory.affine_matrix(Wb), memory.lift_with_ones(x_one), out)

    def linear(self, Wb, ξ, out):
        """K ξ"""
        memory = self._memory(out)
        return memory.fold(memory.matrix(Wb), memory.lift(ξ), out)

    def perturbed(self, Wb, ξ, ωβ, x_one, out, scratch):
        """K ξ + ω x + β, as one product: [K ω β] [lift(ξ); lift(x); 1]"""
        memory = self._memory(out)
        memory.affine_matrix(ωβ), memory.matrix(Wb)
        memory.lift(ξ), memory.lift_with_ones(x_one)
        return memory.fold(memory.matrices, memory.lifted, out)

    def transposed(self, Wb, g, out):
        """Kᵀ g"""
        memory = self._memory(out)
        return memory.unlift(memory.matrix(Wb), memory.spread(g), out)

    def gradient(self, g, x_one, G):
        """foldᵀ(g) [lift(x); 1]ᵀ; the gradient of the biases is in the rows of d = 0."""
        memory = self._memory(g)
        return memory.multiply_out(memory.spread(g), memory.lift_with_ones(x_one), G)

    def backward(self, Wb, g, x_one, G, out):
        """Both use the same foldᵀ(g)."""
        memory = self._memory(g)
        spread = memory.spread(g)
        memory.multiply_out(spread, memory.lift_with_ones(x_one), G)
        return memory.unlift(memory.matrix(Wb), spread, out)

    def gradient_products(self, g, x_one):
        """Return the inner products (c, c', sample) of each sample's gradients for g (neuron, c, sample)."""
        xp, (_, cotangents, samples) = namespace(g), g.shape
        flat = g.reshape(self.width, cotangents * samples)
        spread, lifted = self._memory(flat).spread(flat), self._memory(x_one).lift_with_ones(x_one)
        # Samples first, for one product per sample.
        spread = spread.reshape(len(spread), -1, cotangents, samples).transpose(3, 2, 0, 1)
        G = xp.matmul(spread, lifted.reshape(len(lifted), -1, samples).transpose(2, 1, 0)[:, None])
        of_rows = G.reshape(samples, cotangents, self.kernel, self.channels, -1)
        of_rows[:, :, : self.kernel // 2, :, -1] = 0  # biases only have the shift d = 0
        of_rows[:, :, self.kernel // 2 + 1 :, :, -1] = 0
        G = G.reshape(samples, cotangents, -1)
        return xp.matmul(G, G.swapaxes(-1, -2)).transpose(1, 2, 0)

    def add_biases(self, Wb, out):
        """out + b"""
        by_cell = self.by_cell(out)
        by_cell += Wb[..., -1].reshape(*Wb.shape[:-2], self.images, self.cell, self.cell, 1, 1, 1)
        return out

    def by_cell(self, states):
        """States (..., neuron, sample) as a view (..., image, row in the cell, column in it, row, column, sample)."""
        *leading, _, samples = states.shape
        split = states.reshape(*leading, self.images, self.cells, self.cell, self.cells, self.cell, samples)
        # From image, row, row in the cell, column, column in the cell, sample.
        return split.swapaxes(-5, -4).swapaxes(-3, -2).swapaxes(-4, -3)

    def rows_first(self, W):
        """W (..., out, (row, column, in)) as a view (..., row, out, (column, in))."""
        return W.reshape(*W.shape[:-1], self.kernel, -1).swapaxes(-3, -2)

    def _memory(self, state):
        return self._memory_for(namespace(state), state.shape, state.dtype)


LAYER = Convolution
