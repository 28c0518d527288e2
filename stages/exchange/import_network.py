"""Import a network that was trained elsewhere: write the weights in a file as a train store of this project.

    python -m stages.exchange.import_network mine.npz --activation relu --interval 3.0 --out given/mine.zarr
    python -m stages.zoo digit.png --network given/mine.zarr

It must be a residual network of dense layers, x <- x + h activation(W x + b) with h = interval / layers, whose first
components are the class scores. The file is NPZ or safetensors and contains W (layer, out, in) and b (layer, out); a
safetensors file may contain the layers of a PyTorch state dict instead, <name>.0.weight, <name>.0.bias, ... Files of
export_network include activation, interval, classes and scores. With --scores own the class scores are additional
components before the pixels, which start at zero. Pickled objects are refused, never executed.
"""

import json
import logging
import math
import re
from pathlib import Path

import numpy as np

from stages.catalogues import ACTIVATIONS
from stages.data.npz_files import open_npz
from stages.exchange import safetensors_files
from stages.runtime import program
from stages.runtime.errors import UserError
from stages.storage import stores

log = logging.getLogger("stages")

LOSSES = {"ce": {"mu1": 0.0, "mu2": 1.0, "mu3": 0.0}, "l2": {"mu1": 1.0, "mu2": 0.0, "mu3": 0.0}}
KINDS = {"W": "weight", "b": "bias"}  # in a PyTorch state dict
LAYER = re.compile(r"(?P<name>.*\.)?(?P<number>\d+)\.(?P<kind>weight|bias)")


def import_network(path, out, activation=None, interval=None, classes=None, loss="ce", scores=None):
    """Write the network in the file `path` as the train store `out`; return its settings."""
    tensors, about = read_file(Path(path))
    W, b = weights_of(path, tensors)
    activation, interval = activation or about.get("activation"), interval or about.get("interval")
    classes, scores = classes or about.get("classes", 10), scores or about.get("scores", "pixels")
    if activation is None or interval is None:
        raise UserError(f"{path} does not say activation and interval: say --activation and --interval")
    if activation not in ACTIVATIONS:
        raise UserError(f"--activation: wanted {ACTIVATIONS.known}; found {activation!r}")
    if not (math.isfinite(interval) and interval > 0):
        raise UserError(f"--interval: wanted a number above 0, found {interval}")
    width = W.shape[-1]
    if not 2 <= classes <= width:
        raise UserError(f"--classes: wanted 2 to {width}, the neurons of a layer; found {classes}")
    _require_square(path, width, classes if scores == "own" else 0)
    network = {"depth": len(W), "interval": float(interval), "classes": int(classes), "components": "classes"}
    network |= {"scores": "own"} if scores == "own" else {}
    settings = {
        "network": network | {"precision": "float32"},
        "activation": activation,
        "loss": LOSSES[loss],
        "trainer": {"method": "given", "solver": "euler", "epochs": 0},
    }
    times = np.arange(len(W)) * interval / len(W)
    stores.write(
        out,
        {"W": (("layer", "out", "in"), W), "b": (("layer", "out"), b)},
        coordinates={"t": (("layer",), times, {"long_name": "depth, as time"})},
        settings=settings,
        inputs={},
        attributes={"imported_from": Path(path).name},
    )
    log.info("%s: %d layers of %d neurons, step %g", out, len(W), width, interval / len(W))
    return settings


def read_file(path):
    """Return ({name: array}, the file's own description of the network)."""
    if not path.is_file():
        raise UserError(f"wanted an NPZ or safetensors file, found no file {path}")
    if path.suffix == ".safetensors":
        tensors, metadata = safetensors_files.read(path)
        try:
            about = json.loads(metadata.get("network", "{}"))
        except (ValueError, TypeError, AttributeError):
            about = {}
        return tensors, about if isinstance(about, dict) else {}
    if path.suffix == ".npz":
        return {name: open_npz(path, [name]).values for name in ("W", "b")}, {}
    raise UserError(f"{path}: wanted a file that ends in .npz or .safetensors (PyTorch: safetensors.torch.save_file)")


def weights_of(path, tensors):
    """Return W (layer, out, in) and b (layer, out) in float32, after checking that they form one network."""
    if not {"W", "b"} <= set(tensors):
        tensors = _stacked(path, tensors)
    W, b = (np.asarray(tensors[name], np.float32) for name in ("W", "b"))
    if W.ndim != 3 or 0 in W.shape or W.shape[1] != W.shape[2] or b.shape != W.shape[:2]:
        raise UserError(
            f"{path}: wanted W (layer, n, n) and b (layer, n), layers of as many neurons; found W {W.shape} "
            f"and b {b.shape}"
        )
    if not (np.isfinite(W).all() and np.isfinite(b).all()):
        raise UserError(f"{path}: wanted finite weights, found nan or infinity")
    return W, b


def _require_square(path, width, own_scores):
    pixels = width - own_scores
    if pixels < 1 or math.isqrt(pixels) ** 2 != pixels:
        beside = f" beside {own_scores} class scores of their own" if own_scores else ""
        advice = "" if own_scores else " (with class scores of their own: --scores own)"
        raise UserError(f"{path}: wanted as many neurons as a square image has pixels{beside}, found {pixels}{advice}")


def _stacked(path, tensors):
    """Return {"W": ..., "b": ...} of the numbered layers of a state dict."""
    layers = {}
    for name, values in tensors.items():
        if found := LAYER.fullmatch(name):
            layers.setdefault(found["name"], {})[int(found["number"]), found["kind"]] = values
    if len(layers) != 1:
        there = ", ".join(sorted(tensors)[:6]) or "nothing"
        raise UserError(
            f"{path}: wanted W and b, or one list of layers <name>.0.weight, <name>.0.bias, ...; found {there}"
        )
    (entries,) = layers.values()
    numbers = sorted({number for number, _ in entries})
    for number in numbers:
        for kind in ("weight", "bias"):
            if (number, kind) not in entries:
                raise UserError(f"{path}: layer {number} has no {kind}")
    if numbers != list(range(numbers[0], numbers[0] + len(numbers))):
        raise UserError(f"{path}: wanted layers without a gap, found numbers {', '.join(map(str, numbers))}")
    shapes = {entries[number, "weight"].shape for number in numbers} | {entries[numbers[0], "bias"].shape * 2}
    if len(shapes) > 1 or len({entries[number, "bias"].shape for number in numbers}) > 1:
        raise UserError(f"{path}: wanted layers of one shape, found {', '.join(map(str, sorted(shapes)))}")
    return {name: np.stack([entries[number, kind] for number in numbers]) for name, kind in KINDS.items()}


def arguments(parser):
    parser.add_argument("file", type=Path, help="NPZ or safetensors file with the weights")
    parser.add_argument("--out", required=True, type=Path, metavar="STORE", help="train store to write")
    parser.add_argument("--activation", help="relu, tanh, ... (default: what the file says)")
    parser.add_argument(
        "--interval", type=float, metavar="T", help="layers times the step (default: what the file says)"
    )
    parser.add_argument("--classes", type=int, help="default: what the file says, or 10")
    parser.add_argument(
        "--scores", choices=("pixels", "own"), help="what the class scores are at t = 0 (default: what the file says)"
    )
    parser.add_argument("--loss", choices=LOSSES, default="ce", help="loss that its own attacks climb (default: ce)")


def main(options):
    given = options.activation, options.interval, options.classes, options.loss, options.scores
    import_network(options.file, options.out, *given)


if __name__ == "__main__":
    program.run(__doc__, arguments, main, settings=False)
