"""Train one model (paper, sections 4 and 5): digits in, weights, biases and history out.

One store per run. Several runs train in lockstep, with one batched product per layer, and each store is the same as if
the run had trained on its own; on a GPU up to rounding.
"""

import logging

from stages.plan.code_identity import code_identity, used_modules
from stages.runtime import arrays, program
from stages.runtime.errors import UserError
from stages.storage import stores
from stages.storage.network_store import write_network
from stages.train.checkpoint import Checkpoint
from stages.train.training import Training

log = logging.getLogger("stages")


def arguments(parser):
    parser.add_argument("--digits", required=True, metavar="STORE", help="data/digits.zarr")
    parser.add_argument("--runs", required=True, nargs="+", type=int, metavar="N", help="run numbers")
    parser.add_argument("--out", required=True, nargs="+", metavar="STORE", help="stores to write, one per run")
    parser.add_argument("--checkpoint-minutes", type=float, default=5.0, metavar="M", help="default: 5")
    program.add_device(parser)


def main(options):
    if len(options.runs) != len(options.out):
        raise UserError(f"wanted one --out per run, found {len(options.runs)} runs and {len(options.out)} stores")
    xp = arrays.choose(options.device)
    backend = arrays.describe(xp)
    digits = stores.read_arrays(options.digits)
    training = Training(options.settings, options.runs, digits, xp)
    checkpoint = Checkpoint(
        options.out[0],
        settings=options.settings,
        runs=options.runs,
        code=code_identity("stages.train.train_network", *used_modules(options.settings)),
        digits=stores.read_manifest(options.digits)["digest"],
        backend=backend,
    )
    log.info("training %s on %s, %d batches", ", ".join(options.out), backend, training.epochs * training.per_epoch)
    training.run(checkpoint, 60 * options.checkpoint_minutes)
    for index, network in enumerate(training.network.each()):
        history = {
            name: ((dimension,), training.of_runs(name)[index], {"long_name": meaning})
            for dimension, meanings in training.meanings.items()
            for name, meaning in meanings.items()
        }
        settings = options.settings | {"run": options.runs[index]}
        write_network(options.out[index], network, history, settings=settings, digits=options.digits, backend=backend)
    checkpoint.remove()


if __name__ == "__main__":
    program.run(__doc__, arguments, main)
