"""Export a trained network as an NPZ, safetensors or ONNX file, by the suffix of the file name.

    python -m stages.exchange.export_network ncg_ce_relu --out ncg_ce_relu.safetensors
    python -m stages.exchange.export_network results/quick/train/ncg_ce_tanh/run0.zarr --out mine.npz

NPZ and safetensors files contain W (layer, out, in), b (layer, out) and `network`, a JSON text with interval T,
activation, classes and the side of the images. The network computes x <- x + T / layers * activation(W x + b) layer by
layer, from an image with pixels from 0 to 1; the first components of x are the class scores. With `scores: own` in
`network`, x starts with one zero per class before the pixels; with `ink`, the pixels are multiplied by that number.
torch_network.py beside this file is the same as a PyTorch module.
"""

import json
import logging
from pathlib import Path

import numpy as np

from stages.exchange import onnx_files, safetensors_files
from stages.names.model_name import model_of
from stages.runtime import program
from stages.runtime.errors import UserError
from stages.storage import stores
from stages.storage.whole_files import replacing_file
from stages.zoo import load

log = logging.getLogger("stages")


def export(net, out):
    """Write a LoadedNetwork as the file `out`."""
    out, tensors, about = Path(out), tensors_of(net), described(net)
    if out.suffix not in WRITERS:
        raise UserError(f"--out: wanted a file that ends in {', '.join(WRITERS)}, found {out}")
    WRITERS[out.suffix](out, tensors, about)
    log.info("%s: %.1f MB", out, out.stat().st_size / 1e6)


def tensors_of(net):
    """Return {name: array} of the network in float32."""
    if net.network.affine.shape != (net.network.width, net.network.width):
        raise UserError("wanted a network of dense layers to export, found another kind (a convolution)")
    return {"W": np.asarray(net.network.W, np.float32), "b": np.asarray(net.network.b, np.float32)}


def described(net):
    """Return what describes a network besides its weights."""
    own = {"scores": "own"} if net.network.affine.own_scores else {}
    own |= {"ink": net.network.ink} if net.network.ink != 1 else {}
    return own | {
        "name": model_of(net.store),
        "interval": net.trained["network"]["interval"],
        "activation": net.trained["activation"],
        "classes": net.classes,
        "side": net.side,
        "loss": net.trained["loss"],
        "digest": stores.read_manifest(net.store)["digest"],
        "rounded": net.trained.get("rounded", ""),
    }


def _write_npz(out, tensors, about):
    with replacing_file(out) as file:
        np.savez(file, **tensors, network=np.array(json.dumps(about)))


def _write_safetensors(out, tensors, about):
    safetensors_files.write(out, tensors, {"network": json.dumps(about)})


WRITERS = {".npz": _write_npz, ".safetensors": _write_safetensors, ".onnx": onnx_files.write}


def arguments(parser):
    parser.add_argument("network", help="name of a network that comes with the project, or a train store")
    parser.add_argument("--out", required=True, type=Path, help=f"file to write: {', '.join(WRITERS)}")


def main(options):
    export(load(options.network, "cpu"), options.out)


if __name__ == "__main__":
    program.run(__doc__, arguments, main, settings=False)
