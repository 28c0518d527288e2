"""Run the training stage's program with an epoch of a few batches, everything else as it is; print where its time
went and how much memory it took.

python tests/bench/short_epoch.py BATCHES <arguments of stages.train.train_network>
"""

import json
import runpy
import sys
import time
from pathlib import Path

SECONDS = {"iterations": 0.0, "batches": 0.0, "checkpoints": 0.0}


def timed(kind, method):
    def run(*arguments, **named):
        started = time.perf_counter()
        try:
            return method(*arguments, **named)
        finally:
            SECONDS[kind] += time.perf_counter() - started

    return run


def peak_megabytes():
    """The most that was resident. The usage that a parent is told of counts the parent's own memory at the start."""
    status = dict(line.split(":", 1) for line in Path("/proc/self/status").read_text().splitlines())
    return int(status["VmHWM"].split()[0]) / 1024


if __name__ == "__main__":
    batches = int(sys.argv.pop(1))

    from stages.train import batches as order
    from stages.train import checkpoint, training
    from stages.train.methods import ncg as conjugate_gradient

    order.batches_per_epoch = training.batches_per_epoch = lambda images, batch: batches
    trainer, whole = conjugate_gradient.ConjugateGradient, training.Training
    trainer.train_on_batch = timed("iterations", trainer.train_on_batch)
    whole._train_on_batch = timed("batches", whole._train_on_batch)
    checkpoint.Checkpoint.save = timed("checkpoints", checkpoint.Checkpoint.save)
    runpy.run_module("stages.train.train_network", run_name="__main__", alter_sys=True)
    print(json.dumps({**SECONDS, "peak_megabytes": peak_megabytes()}))
