"""Train one model (paper, sections 4 and 5): digits in, weights, biases and history out.

One store a run. With several runs they train in lockstep, as one batched product a layer, and each store is the one
that the run would have made alone; on a GPU up to rounding.
"""

import logging

from stages import arrays, program, stores
from stages.errors import UserError
from stages.plan.code_identity import code_identity
from stages.train.checkpoint import Checkpoint
from stages.train.robust import PER_BATCH
from stages.train.training import PER_EPOCH, PER_ITERATION, Training

log = logging.getLogger("stages")


def arguments(parser):
    parser.add_argument("--digits", required=True, metavar="STORE", help="data/digits.zarr")
    parser.add_argument("--runs", required=True, nargs="+", type=int, metavar="N", help="run numbers")
    parser.add_argument("--out", required=True, nargs="+", metavar="STORE", help="stores to write, one a run")
    parser.add_argument("--checkpoint-minutes", type=float, default=5.0, metavar="M", help="default: 5")
    program.add_device(parser)


def main(options):
    if len(options.runs) != len(options.out):
        raise UserError(f"wanted one --out a run, found {len(options.runs)} runs and {len(options.out)} stores")
    xp = arrays.choose(options.device)
    backend = arrays.describe(xp)
    digits = stores.read_arrays(options.digits)
    training = Training(options.settings, options.runs, digits, xp)
    checkpoint = Checkpoint(
        options.out[0],
        settings=options.settings,
        runs=options.runs,
        code=code_identity("stages.train.train_network"),
        digits=stores.read_manifest(options.digits)["digest"],
        backend=backend,
    )
    log.info("training %s on %s, %d batches", ", ".join(options.out), backend, training.epochs * training.per_epoch)
    training.run(checkpoint, 60 * options.checkpoint_minutes)
    for index, (run, out) in enumerate(zip(options.runs, options.out, strict=True)):
        write(out, run, index, training, options, backend)
    checkpoint.remove()


def write(out, run, index, training, options, backend):
    """Write the store of one run."""
    several = bool(training.network.leading)
    network = training.network.run(index) if several else training.network

    def columns(dimension, meanings):
        for name in (name for name in meanings if name in training.history):
            values = [value[index] if several else value for value in training.history[name]]
            yield name, ((dimension,), values, {"long_name": meanings[name]})

    times = [layer * network.h for layer in range(network.depth)]
    dimensions, shape = network.affine.stored
    W = arrays.to_host(network.W).reshape(network.depth, *shape)
    stores.write(
        out,
        {
            "W": (("layer", *dimensions), W, {"long_name": "weights W(t_l)"}),
            "b": (("layer", "out"), arrays.to_host(network.b), {"long_name": "biases b(t_l)"}),
            **network.readout.stored("fixed read-out: class scores are its products with x(T)"),
            **dict(columns("iteration", PER_ITERATION)),
            **dict(columns("epoch", PER_EPOCH)),
            **dict(columns("batch", PER_BATCH)),
        },
        coordinates={
            "t": (("layer",), times, {"long_name": "depth, as time"}),
            "epoch": (("epoch",), list(range(1, training.epochs + 1))),
        },
        settings={**options.settings, "run": run},
        inputs={"digits": options.digits},
        backend=backend,
        measured=("seconds",),
    )


if __name__ == "__main__":
    program.run(__doc__, arguments, main)
