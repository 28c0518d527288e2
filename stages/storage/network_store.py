"""The format of a train store: the weights of one network and the history of its training.

    W, b                    (layer, out, in) and (layer, out); a convolution's W has the axes of its kernels
    readout                 (class, neuron), only if the class scores are not the first components of x(T)
    t, epoch                depth as time; numbers of the epochs
    train_accuracy, ...     one value per epoch (BY_EPOCH)
    loss, step_size, ...    one value per iteration

A kept network has rounded weights (`stages.storage.rounded_weights`), and its settings say how; an extract has no
weights, or rounded ones. This module reads all of them, as networks in the precision of their training.
"""

import re
from pathlib import Path

from stages.catalogues import ACTIVATIONS, LAYERS
from stages.model.build import affine_map, layer_kind
from stages.model.network import Network
from stages.model.readout import FIRST_COMPONENTS, Projection
from stages.runtime import arrays
from stages.runtime.errors import UserError
from stages.storage import rounded_weights, stores

BY_EPOCH = ("train_accuracy", "test_accuracy", "seconds")
COORDINATES = ("t", "epoch")
MEASURED = ("seconds",)
WEIGHTS = ("W", "b", *rounded_weights.NAMES, "readout")  # whichever of them a store has


def write_network(store, network, history, *, settings, digits, backend):
    """Write the train store of one network.

    history: {name: (dimensions, values, attributes)}, including BY_EPOCH; settings: of the training, with the run.
    """
    dimensions, shape = network.affine.stored
    W = arrays.to_host(network.W).reshape(network.depth, *shape)
    times = [layer * network.h for layer in range(network.depth)]
    epochs = len(history["test_accuracy"][1])
    stores.write(
        store,
        {
            "W": (("layer", *dimensions), W, {"long_name": "weights W(t_l)"}),
            "b": (("layer", "out"), arrays.to_host(network.b), {"long_name": "biases b(t_l)"}),
            **network.readout.stored("fixed read-out: class scores are its products with x(T)"),
            **history,
        },
        coordinates={
            "t": (("layer",), times, {"long_name": "depth, as time"}),
            "epoch": (("epoch",), list(range(1, epochs + 1))),
        },
        settings=settings,
        inputs={"digits": digits},
        backend=backend,
        measured=MEASURED,
    )


def read_network(store, trained, xp):
    """Return the network of a train store; it must have the settings `trained` and the run of its file name."""
    called = re.fullmatch(r"run(\d+)", Path(store).stem)
    run = {"run": int(called[1])} if called else {}  # refuses a copy of one run under the name of another
    return network_of(store, stores.check(store, expect=trained | run)[0], trained, xp)


def network_of(store, variables, trained, xp):
    """Return the network in the variables of a train store, in the precision of its training."""
    values = rounded_weights.expanded({name: variable.values for name, variable in variables.items()})
    if "W" not in values:
        raise UserError(
            f"{store} is an extract without weights: delete it with its manifest, and the workflow trains the network"
        )
    settings = trained["network"]
    W, b = (xp.asarray(values[name].astype(settings["precision"], copy=False)) for name in ("W", "b"))
    affine = affine_map(settings, LAYERS.find(layer_kind(settings)).pixels_of(settings, values))
    readout = Projection(xp.asarray(values["readout"])) if "readout" in values else FIRST_COMPONENTS
    W = W.reshape(*b.shape, -1)  # in the store, a convolution's kernels have separate axes
    σ, ink = ACTIVATIONS.find(trained["activation"]), settings.get("ink", 1.0)
    return Network(W, b, settings["interval"], σ, affine, readout, ink)


def digits_of(store):
    """Return the path of the digits that a network was trained with: the store in data/ that has their digest."""
    wanted, data = stores.read_manifest(store)["inputs"].get("digits"), Path(store).parents[2] / "data"
    places = sorted(data.glob("digits*.zarr"))
    for place in places:
        if stores.read_manifest(place)["digest"] == wanted:
            return place
    there = ", ".join(place.name for place in places) or "none"
    raise UserError(
        f"wanted the digits that {store} was trained with, found {there} in {data}, none of them with that digest; "
        "make them again (snakemake data), or name them with --digits"
    )
