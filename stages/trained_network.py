"""The network in a train store, on the chosen device."""

import re
from pathlib import Path

from stages import stores
from stages.model.activations import ACTIVATIONS
from stages.model.network import Network


def read_network(store, trained, xp):
    """Return the network of a train store that was made with the settings `trained`, as the run that it is called."""
    called = re.fullmatch(r"run(\d+)", Path(store).stem)
    run = {"run": int(called[1])} if called else {}  # a run copied over another is not a second run
    arrays = stores.read_arrays(store, expect=trained | run)
    # In the precision of its training, whatever it is kept in: published networks are rounded to float16.
    W, b = (xp.asarray(arrays[name].astype(trained["network"]["precision"], copy=False)) for name in ("W", "b"))
    return Network(W, b, trained["network"]["interval"], ACTIVATIONS[trained["activation"]])


def add_inputs(parser):
    """Add the options that every program on a trained network has."""
    parser.add_argument("--digits", required=True, metavar="STORE", help="data/digits.zarr")
    parser.add_argument("--network", required=True, metavar="STORE", help="train/<model>/run<r>.zarr")
    parser.add_argument("--out", required=True, metavar="STORE", help="store to write")
