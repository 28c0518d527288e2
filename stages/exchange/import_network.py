"""Import a network that was trained elsewhere: write the weights in a file as a train store of this project.

    python -m stages.exchange.import_network mine.npz --activation relu --interval 3.0 --out given/mine.zarr
    python -m stages.zoo digit.png --network given/mine.zarr

It must be a residual network of dense layers, x <- x + h activation(W x + b) with h = interval / layers, whose first
components are the class scores. The file is NPZ or safetensors and contains W (layer, out, in) and b (layer, out); a
safetensors file may contain the layers of a PyTorch state dict instead, <name>.0.weight, <name>.0.bias, ...; a MATLAB
file contains W (n, n, layer) and b (n, layer). Files of export_network include activation, interval, classes and
scores. With --scores own the class scores are additional components before the pixels, which start at zero. Pickled
objects are refused, never executed.

In the workflow, the network is a line under models.given in config.yaml. The rule then passes --settings and --digits,
and the store contains the network's accuracies too.
"""

import logging
import math
from numbers import Real
from pathlib import Path

import numpy as np

from stages.catalogues import ACTIVATIONS
from stages.data.array_files import sha256
from stages.exchange import network_files
from stages.model.build import trained_solver
from stages.model.classify import accuracy
from stages.runtime import arrays, program
from stages.runtime.errors import UserError
from stages.storage import stores
from stages.storage.network_store import MEASURED, network_of
from stages.storage.zarr_folder import Variable

log = logging.getLogger("stages")

LOSSES = {"ce": {"mu1": 0.0, "mu2": 1.0, "mu3": 0.0}, "l2": {"mu1": 1.0, "mu2": 0.0, "mu3": 0.0}}
SPLITS = ("train", "test")


def import_network(path, out, activation=None, interval=None, classes=None, loss="ce", scores=None):
    """Write the network in the file `path` as the train store `out`; return its settings."""
    W, b, about = network_files.read_weights(path)
    said = {"activation": activation, "interval": interval, "classes": classes, "scores": scores}
    said = {name: value for name, value in said.items() if value is not None}
    about = {"activation": None, "interval": None, "classes": 10, "scores": "pixels"} | about | said
    activation, interval, classes, scores = (about[name] for name in ("activation", "interval", "classes", "scores"))
    if activation is None or interval is None:
        raise UserError(f"{path} does not say activation and interval: say --activation and --interval")
    if activation not in ACTIVATIONS:
        raise UserError(f"--activation: wanted {ACTIVATIONS.known}; found {activation!r}")
    if not (isinstance(interval, Real) and math.isfinite(interval) and interval > 0):
        raise UserError(f"--interval: wanted a number above 0, found {interval}")
    if not (isinstance(classes, Real) and 2 <= classes <= W.shape[-1]):
        raise UserError(f"--classes: wanted 2 to {W.shape[-1]}, the neurons of a layer; found {classes}")
    if (ink := about.get("ink", 1)) not in (1, -1):
        raise UserError(f"{path}: wanted ink 1 or -1, found {ink!r}")
    _require_square(path, W.shape[-1], classes if scores == "own" else 0)
    own = {"scores": "own"} if scores == "own" else {}
    own |= {"ink": ink} if ink != 1 else {}
    network = {"depth": len(W), "interval": float(interval), "classes": int(classes), "components": "classes"}
    settings = {
        "network": network | own | {"precision": "float32"},
        "activation": activation,
        "loss": LOSSES[loss],
        "trainer": {"method": "given", "solver": "euler", "epochs": 0},
    }
    _write(out, path, W, b, settings, {}, inputs={})
    return settings


def _require_square(path, width, own_scores):
    pixels = width - own_scores
    if pixels < 1 or math.isqrt(pixels) ** 2 != pixels:
        beside = f" beside {own_scores} class scores of their own" if own_scores else ""
        advice = "" if own_scores else " (with class scores of their own: --scores own)"
        raise UserError(f"{path}: wanted as many neurons as a square image has pixels{beside}, found {pixels}{advice}")


def import_given(path, settings, digits, out, device="auto"):
    """Write the train store of a network of models.given, with its accuracies; settings: of its train store."""
    W, b, _ = network_files.read_weights(path)
    wanted, found = settings["file"]["sha256"], sha256(path)
    if wanted != found:
        raise UserError(f"{path} was changed after the workflow was planned; run the same command again")
    images = stores.read_arrays(digits)
    xp = arrays.choose(device)
    network = network_of(out, {"W": Variable((), W, {}), "b": Variable((), b, {})}, settings, xp)
    if images["test_image"].shape[1] != network.affine.inputs:
        raise UserError(
            f"{path}: wanted a network for {images['test_image'].shape[1]} numbers per image, as {digits} has; "
            f"found one for {network.affine.inputs}"
        )
    history = {"seconds": (("epoch",), [0.0], {"units": "s", "long_name": "training time, elsewhere: not known"})}
    for split in SPLITS:
        labels = xp.asarray(images[f"{split}_label"])
        solve, classes = trained_solver(settings), settings["network"]["classes"]
        right = float(accuracy(network, xp.asarray(images[f"{split}_image"]), labels, classes, solve))
        described = {"long_name": f"share of {split} images classified correctly"}
        history[f"{split}_accuracy"] = (("epoch",), [right], described)
        log.info("%s accuracy %.4f", split, right)
    about = {"inputs": {"digits": digits}, "backend": arrays.describe(xp), "measured": MEASURED}
    _write(out, path, W, b, settings | {"run": 0}, history, **about)


def _write(out, path, W, b, settings, history, **more):
    depth, interval = len(W), settings["network"]["interval"]
    coordinates = {"t": (("layer",), np.arange(depth) * interval / depth, {"long_name": "depth, as time"})}
    if history:
        coordinates["epoch"] = (("epoch",), [0])  # none was trained here
    stores.write(
        out,
        {
            "W": (("layer", "out", "in"), W, {"long_name": "weights W(t_l)"}),
            "b": (("layer", "out"), b, {"long_name": "biases b(t_l)"}),
            **history,
        },
        coordinates=coordinates,
        settings=settings,
        attributes={"imported_from": Path(path).name},
        **more,
    )
    log.info("%s: %d layers of %d neurons, step %g", out, depth, W.shape[-1], interval / depth)


def arguments(parser):
    parser.add_argument("file", type=Path, help=f"file with the weights: {', '.join(network_files.SUFFIXES)}")
    parser.add_argument("--out", required=True, type=Path, metavar="STORE", help="train store to write")
    parser.add_argument("--activation", help="relu, tanh, ... (default: what the file says)")
    parser.add_argument(
        "--interval", type=float, metavar="T", help="layers times the step (default: what the file says)"
    )
    parser.add_argument("--classes", type=int, help="default: what the file says, or 10")
    parser.add_argument("--loss", choices=LOSSES, default="ce", help="loss that its own attacks climb (default: ce)")
    parser.add_argument(
        "--scores", choices=("pixels", "own"), help="what the class scores are at t = 0 (default: what the file says)"
    )
    parser.add_argument(
        "--settings", type=program.settings_argument, metavar="JSON", help="all of the above, as the workflow has it"
    )
    parser.add_argument("--digits", metavar="STORE", help="with --settings: images to measure its accuracies with")
    program.add_device(parser)


def main(options):
    if options.settings and options.digits:
        import_given(options.file, options.settings, options.digits, options.out, options.device)
        return
    if options.settings or options.digits:
        raise UserError("wanted --settings and --digits together, as the workflow passes them, or neither")
    given = options.activation, options.interval, options.classes, options.loss, options.scores
    import_network(options.file, options.out, *given)


if __name__ == "__main__":
    program.run(__doc__, arguments, main, settings=False)
