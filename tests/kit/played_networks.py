"""Train stores for the playground: networks of random weights that move the scores."""

import numpy as np

from kit.digits import train_settings
from stages.storage import stores


def write_network(folder, model, depth, smooth=False, **network):
    """Write a train store of a model, for images of 14 x 14; network: its settings other than the depth; return it.

    smooth: weights change by a hundredth from layer to layer.
    """
    settings = train_settings("ncg_l2_tanh", activation=model.split("_")[2])
    settings["network"] |= {"depth": depth, "precision": "float32"} | network
    generator, width = np.random.default_rng(depth), 196 + 10 * (network.get("scores") == "own")
    W, b = (generator.normal(0, 0.08, (depth, *shape)).astype("float32") for shape in ((width, width), (width,)))
    if smooth:
        W = W[:1] + W / 100
    variables = {"W": (("layer", "out", "in"), W), "b": (("layer", "out"), b)}
    store = folder / "train" / model / "run0.zarr"
    stores.write(store, variables, settings=settings | {"run": 0}, inputs={})
    return store
