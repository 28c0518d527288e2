"""From the settings of a network to its parts, which the catalogues have.

network.layer is absent, or "dense", for dense layers; otherwise a block whose `kind` names a layer of
stages/model/layers, with that layer's settings.
"""

import functools

from stages.catalogues import LAYERS, SOLVERS


def layer_kind(network):
    """Return the name of the kind of layer; network: its settings."""
    layer = network.get("layer", "dense")
    return layer if isinstance(layer, str) else layer["kind"]


def affine_map(network, pixels):
    """Return the affine map of the layers for images of so many pixels, their channels included."""
    return LAYERS.find(layer_kind(network)).build(network, pixels)


def trained_solver(trained):
    """Return the function (network, x0) -> x(T) that a network was trained with; trained: settings of the training."""
    name = trained["trainer"]["solver"]
    return functools.partial(SOLVERS.find(name).final_state, **trained.get(name, {}))


def components(settings, network):
    """Return how many components of x(T) the loss sees: those of the classes, or all."""
    return settings["classes"] if settings["components"] == "classes" else network.width
