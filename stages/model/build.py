"""From the settings of a network to its parts from the catalogues.

network.layer is absent, or "dense", for dense layers; otherwise it is a block with a `kind`, the name of a layer in
stages/model/layers, and that layer's settings.
"""

import functools

from stages.catalogues import LAYERS, SOLVERS


def layer_kind(network):
    """Return the name of the kind of layer; network: its settings."""
    layer = network.get("layer", "dense")
    return layer if isinstance(layer, str) else layer["kind"]


def affine_map(network, pixels):
    """Return the affine map of the layers for images of this many pixels, counting all channels."""
    return LAYERS.find(layer_kind(network)).build(network, pixels)


def trained_solver(trained):
    """Return the solver of a training as a function (network, x0) -> x(T); trained: settings of the training."""
    return solver_of(trained["trainer"]["solver"], trained)


def solver_of(name, settings):
    """Return the solver of this name, with its block of the settings, as a function (network, x0) -> x(T)."""
    return functools.partial(SOLVERS.find(name).final_state, **settings.get(name, {}))


def in_the_loss(settings, network):
    """Return {argument of Cost: number}: the components of x(T) that its norms and its softmax see.

    settings["components"]: `classes`, the class scores alone; `all`, all components; `norms`, all of them in the norms
    and the class scores in the softmax, as in the authors' prototype.
    """
    norms = settings["classes"] if settings["components"] == "classes" else network.width
    softmax = network.width if settings["components"] == "all" else settings["classes"]
    return {"components": norms} | ({"in_softmax": softmax} if softmax != norms else {})
