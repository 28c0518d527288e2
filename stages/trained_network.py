"""The network in a train store, on the chosen device."""

import re
from pathlib import Path

from stages import program, stores
from stages.errors import UserError
from stages.model.activations import ACTIVATIONS
from stages.model.layers import affine_map
from stages.model.network import Network
from stages.model.readout import FIRST_COMPONENTS, Projection


def read_network(store, trained, xp):
    """Return the network of a train store that was made with the settings `trained`, as the run that it is called."""
    called = re.fullmatch(r"run(\d+)", Path(store).stem)
    run = {"run": int(called[1])} if called else {}  # a run copied over another is not a second run
    arrays = stores.read_arrays(store, expect=trained | run)
    if "W" not in arrays:
        raise UserError(
            f"{store} is an extract without weights: delete it with its manifest, and the workflow trains the network"
        )
    # In the precision of its training, whatever it is kept in: published networks are rounded to float16.
    W, b = (xp.asarray(arrays[name].astype(trained["network"]["precision"], copy=False)) for name in ("W", "b"))
    settings, pixels, readout = trained["network"], W.shape[-1], FIRST_COMPONENTS
    if "readout" in arrays:
        layer, neurons = settings["layer"], arrays["readout"].shape[-1]
        images = layer["channels"] // layer.get("cell", 1) ** 2
        pixels = neurons // images * layer.get("inputs", 1)
        readout = Projection(xp.asarray(arrays["readout"]))
    affine = affine_map(settings, pixels)
    W = W.reshape(*b.shape, -1)  # a convolution's kernels have axes of their own in the store
    return Network(W, b, settings["interval"], ACTIVATIONS[trained["activation"]], affine, readout)


def add_inputs(parser):
    """Add the options that every program on a trained network has."""
    parser.add_argument("--digits", required=True, metavar="STORE", help="data/digits.zarr")
    parser.add_argument("--network", required=True, metavar="STORE", help="train/<model>/run<r>.zarr")
    parser.add_argument("--out", required=True, metavar="STORE", help="store to write")
    program.add_device(parser)
