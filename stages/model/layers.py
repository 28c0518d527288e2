"""From the settings of a network to the affine map of its layers and to its read-out.

network.layer is absent, or "dense", for dense layers. Otherwise it says

    kind: convolution       the only other one
    channels, kernel        of the state; cells along a side of a kernel
    cell                    pixels along a side of a cell, by which kernels move; 1 if not said
    inputs                  channels of the images, 1 if not said; they lie one after another in an image's pixels
"""

import math

from stages.errors import UserError
from stages.model.affine_map import Dense
from stages.model.convolution import Convolution
from stages.model.readout import FIRST_COMPONENTS, Projection, signed_means
from stages.seeds import generator


def affine_map(network, pixels):
    """Return the affine map for images of so many pixels, their channels included; network: its settings."""
    layer = network.get("layer", "dense")
    if layer == "dense":
        if network["classes"] > pixels:
            raise UserError(
                f"config: network.classes: wanted at most {pixels}, the pixels of an image; found {network['classes']}"
            )
        return Dense(pixels)
    if layer["kind"] != "convolution":
        raise UserError(f"config: network.layer.kind: wanted convolution, found {layer['kind']!r}; or layer: dense")
    if network["components"] != "classes":
        raise UserError(
            "config: network.components: a convolutional network is read out through its class scores alone; "
            f"wanted classes, found {network['components']!r}"
        )
    inputs = layer.get("inputs", 1)
    side = math.isqrt(pixels // inputs)
    if inputs * side**2 != pixels:
        raise UserError(
            f"a convolution wants square images of {inputs} channels, found images of {pixels} pixels; "
            "for colours set network.layer.inputs to the images' channels"
        )
    return Convolution(layer["channels"], layer["kernel"], side, inputs, layer.get("cell", 1))


def components(settings, network):
    """Return how many components of x(T) the loss sees: those of the classes, or all."""
    return settings["classes"] if settings["components"] == "classes" else network.width


def read_out(network, affine, seed, xp):
    """Return the read-out: the first components of a dense network, a fixed projection of a convolutional one.

    The same for all runs of an experiment: what differs between them is the training.
    """
    if network.get("layer", "dense") == "dense":
        return FIRST_COMPONENTS
    R = signed_means(generator(seed, "readout"), network["classes"], affine.images, affine.side**2)
    return Projection(xp.asarray(R.astype(network["precision"])))
