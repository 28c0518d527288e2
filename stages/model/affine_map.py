"""The affine map of a layer, a = W x + b, with all that the three problems ask of it.

Solvers, trainers and attacks call these functions and never look at the weights' shape, so a network may have other
layers than dense ones: `stages.model.convolution.Convolution` has the same functions. They take

    Wb             the layer's weights and biases in one array, [W b] (..., out, in + 1)
    ωβ, G          a perturbation of them and a gradient, in the same shape
    x_one          a state as the map takes it, (..., rows, sample): [x; 1]; its first `width` rows are x
    ξ, g, out      states (..., neuron, sample)
"""

from stages.arrays import namespace
from stages.model.gram_matrices import gram_matrices
from stages.model.product import product


class Dense:
    """Every neuron sees all others: W (out, in). The row of ones below x picks up the biases."""

    rowwise = True  # a neuron has a row of [W b] to itself: Wᵀ g may be summed over some neurons alone

    def __init__(self, width):
        self.width = self.inputs = width
        self.rows = width + 1  # of a state as the map takes it
        self.shape = width, width  # of a layer's weights
        self.stored = ("out", "in"), self.shape  # their dimensions in a store

    def value(self, Wb, x_one, out):
        """W x + b"""
        return product(Wb, x_one, out)

    def linear(self, Wb, ξ, out):
        """W ξ"""
        return product(Wb[..., :-1], ξ, out)

    def perturbed(self, Wb, ξ, ωβ, x_one, out, scratch):
        """W ξ + ω x + β"""
        product(ωβ, x_one, scratch)  # first: a trainer has just turned ωβ, it is in the cache
        product(Wb[..., :-1], ξ, out)
        out += scratch
        return out

    def transposed(self, Wb, g, out):
        """Wᵀ g"""
        return product(Wb[..., :-1].swapaxes(-1, -2), g, out)

    def gradient(self, g, x_one, G):
        """g [x; 1]ᵀ: of weights and biases at once"""
        return product(g, x_one.swapaxes(-1, -2), G)

    def backward(self, Wb, g, x_one, G, out):
        """Both: fill G with the gradient and return Wᵀ g."""
        self.gradient(g, x_one, G)
        return self.transposed(Wb, g, out)

    def gradient_products(self, g, x_one):
        """Return <g^c [x; 1]ᵀ, g^c' [x; 1]ᵀ> of each sample, (c, c', sample), for g (neuron, c, sample)."""
        gram = gram_matrices(g)
        gram *= namespace(g).einsum("ns,ns->s", x_one, x_one)
        return gram

    def add_biases(self, Wb, out):
        """out + b"""
        out += Wb[..., -1:]
        return out
