"""Trained networks to work with, with NumPy arrays as input and output.

    from stages.zoo import load

    net = load("ncg_ce_relu")                        # a network that comes with the project: names() lists them
    net = load("results/quick/train/ncg_ce_tanh/run0.zarr")      # or the store of any training
    net.classify(images)                             # (sample,) classes; `LoadedNetwork` has all that it can do

Images are 28 x 28, or of the network's own size (14 x 14 at the paper's scale): bytes from 0 to 255, or numbers from 0
to 1; one image or many. `net.taken` describes how the last ones were prepared. Invalid input raises a `UserError`. With
device="gpu" the same calls compute on a GPU.
"""

from stages.runtime.errors import UserError
from stages.zoo.loaded_network import LoadedNetwork, load, names

__all__ = ["LoadedNetwork", "UserError", "load", "names"]
