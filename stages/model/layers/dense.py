"""Dense layers: every neuron depends on all others, W (out, in). A row of ones below x multiplies the biases.

The class scores are the first components of x(T). In the paper these are pixels at t = 0 (`scores: pixels`). With
`scores: own` they are additional components before the pixels that start at zero: an augmented state, as Dupont, Doucet
and Teh (2019) propose for neural ODEs. Then no pixel is a score, and no attacker can set one.
"""

from stages.model.products import gram_matrices, product
from stages.model.readout import FIRST_COMPONENTS
from stages.runtime.arrays import namespace
from stages.runtime.errors import UserError


class Dense:
    """The interface of stages.model.layers.base.Layer."""

    settings, options = {}, {}
    rowwise = True
    copies, slowness = 0, 1.0

    def __init__(self, width, scores=0):
        """width: number of neurons; scores: how many of them, the first ones, are scores and not pixels."""
        self.width, self.inputs, self.own_scores = width, width - scores, scores
        self.pixels = slice(scores, width)
        self.rows = width + 1
        self.shape = width, width
        self.stored = ("out", "in"), self.shape

    @classmethod
    def build(cls, network, pixels):
        scores = _own_scores(network)
        if network["classes"] > pixels + scores:
            raise UserError(
                f"config: network.classes: wanted at most {pixels}, the pixels of an image; found {network['classes']} "
                "(or set network.scores: own, which adds a component for each class)"
            )
        return cls(pixels + scores, scores)

    @classmethod
    def pixels_of(cls, network, arrays):
        return arrays["W"].shape[-1] - _own_scores(network)

    def read_out(self, network, seed, xp):
        return FIRST_COMPONENTS

    def value(self, Wb, x_one, out):
        """W x + b"""
        return product(Wb, x_one, out)

    def linear(self, Wb, ξ, out):
        """W ξ"""
        return product(Wb[..., :-1], ξ, out)

    def perturbed(self, Wb, ξ, ωβ, x_one, out, scratch):
        """W ξ + ω x + β"""
        product(ωβ, x_one, scratch)  # first, while ωβ, which a trainer has just updated, is in the cache
        product(Wb[..., :-1], ξ, out)
        out += scratch
        return out

    def transposed(self, Wb, g, out):
        """Wᵀ g"""
        return product(Wb[..., :-1].swapaxes(-1, -2), g, out)

    def gradient(self, g, x_one, G):
        """g [x; 1]ᵀ, for weights and biases in one product"""
        return product(g, x_one.swapaxes(-1, -2), G)

    def backward(self, Wb, g, x_one, G, out):
        """Wᵀ g first, since G may share its memory with Wb."""
        self.transposed(Wb, g, out)
        self.gradient(g, x_one, G)
        return out

    def gradient_products(self, g, x_one):
        """<g^c [x; 1]ᵀ, g^c' [x; 1]ᵀ> = <g^c, g^c'> (|x|² + 1)"""
        gram = gram_matrices(g)
        gram *= namespace(g).einsum("ns,ns->s", x_one, x_one)
        return gram

    def add_biases(self, Wb, out):
        """out + b"""
        out += Wb[..., -1:]
        return out


def _own_scores(network):
    return network["classes"] if network.get("scores", "pixels") == "own" else 0


LAYER = Dense
