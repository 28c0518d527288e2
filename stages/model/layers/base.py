"""The interface of a kind of layer: the affine map a = W x + b and the operations that the three problems need.

Solvers, trainers and attacks call these functions and do not depend on the shape of the weights. Arguments:

    Wb             the layer's weights and biases in one array, [W b] (..., out, in + 1)
    ωβ, G          a perturbation of them and a gradient, in the same shape
    x_one          the state as the map's input, (..., rows, sample); its first `width` rows are x
    ξ, g, out      states (..., neuron, sample)

A new kind is a file here with a class and `LAYER = <the class>`; in the configuration `network.layer` is a block
{kind: <file>, <its settings>}.
"""

from typing import Any, ClassVar, Protocol

Array = Any  # of NumPy or CuPy


class Layer(Protocol):
    settings: ClassVar[dict]  # {setting: JSON schema} of the block network.layer, without `kind`
    options: ClassVar[dict]  # the same for optional settings
    rowwise: bool  # each neuron has its own row of [W b]: Wᵀ g may be summed over a subset of neurons
    width: int  # neurons
    inputs: int  # pixels of an image, its channels included
    pixels: slice  # the neurons that the pixels enter; all others start at zero
    own_scores: int  # how many neurons, the first ones, are class scores and not pixels
    rows: int  # of x_one
    shape: tuple  # (out, in) of a layer's weights
    stored: tuple  # names of the dimensions of W in a store, and their sizes
    copies: int  # additional states that its products need in memory
    slowness: float  # time of a product, relative to a dense one of as many operations

    @classmethod
    def build(cls, network: dict, pixels: int) -> "Layer":
        """Return the map for images of this many pixels, or raise a UserError; network: the network's settings."""

    @classmethod
    def pixels_of(cls, network: dict, arrays: dict) -> int:
        """Return the number of pixels per image of the network in a train store; arrays: the store's variables."""

    def read_out(self, network: dict, seed: int, xp) -> Any:
        """Return the read-out of the class scores: stages.model.readout.FIRST_COMPONENTS, or a Projection."""

    def value(self, Wb: Array, x_one: Array, out: Array) -> Array:
        """W x + b"""

    def linear(self, Wb: Array, ξ: Array, out: Array) -> Array:
        """W ξ"""

    def perturbed(self, Wb: Array, ξ: Array, ωβ: Array, x_one: Array, out: Array, scratch: Array) -> Array:
        """W ξ + ω x + β"""

    def transposed(self, Wb: Array, g: Array, out: Array) -> Array:
        """Wᵀ g"""

    def gradient(self, g: Array, x_one: Array, G: Array) -> Array:
        """g [x; 1]ᵀ, the gradient of weights and biases"""

    def backward(self, Wb: Array, g: Array, x_one: Array, G: Array, out: Array) -> Array:
        """Fill G with the gradient and return Wᵀ g; G may share its memory with Wb."""

    def gradient_products(self, g: Array, x_one: Array) -> Array:
        """Return <g^c [x; 1]ᵀ, g^c' [x; 1]ᵀ> of each sample, (c, c', sample), for g (neuron, c, sample)."""

    def add_biases(self, Wb: Array, out: Array) -> Array:
        """out + b"""
