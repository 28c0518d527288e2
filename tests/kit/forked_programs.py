"""Stage programs in separate processes that start at once, to be killed at many different moments.

They are forked from a server that has imported everything, so that they are killed during their work and not during
imports. A moment is a time, or a number n: the process kills itself before its n-th change to the file system.
"""

import itertools
import multiprocessing
import os
import runpy
import signal
import sys
from pathlib import Path

IMPORTED = [
    "zarr",
    "zarr.codecs",
    "stages.data.fetch_digits",
    "stages.data.downsample_digits",
    "stages.train.train_network",
    "stages.evaluate.evaluate_noise",
    "stages.evaluate.estimate_sensitivity",
    "stages.evaluate.swap_solvers",
    "stages.attack.attack_network",
    "stages.attack.methods.pgd",
    "stages.attack.methods.cw",
]
CHANGES = {"os.mkdir", "os.rename", "os.remove", "os.rmdir", "os.truncate", "shutil.rmtree"}
_context = multiprocessing.get_context("forkserver")
_context.set_forkserver_preload(IMPORTED)


def start(module, *arguments, folder, output, die_at=None):
    """Start `python -m module arguments` in `folder`; its messages go to the file `output`.

    die_at: the number of the change to the file system before which the process kills itself.
    """
    words = [str(word) for word in arguments]
    process = _context.Process(target=_run, args=(module, words, str(folder), str(output), die_at))
    process.start()
    return process


def run(module, *arguments, **options):
    """Run it to the end; return (exit status, messages)."""
    process = start(module, *arguments, **options)
    process.join()
    return process.exitcode, Path(options["output"]).read_text()


def changes(module, *arguments, folder, output):
    """Run it to the end; return the number of its changes to the file system."""
    status, said = run(module, *arguments, folder=folder, output=output, die_at=0)
    assert status == 0, said
    return int(said.rpartition("changes: ")[2])


def _run(module, arguments, folder, output, die_at):
    file = os.open(output, os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
    os.dup2(file, 1)
    os.dup2(file, 2)
    os.chdir(folder)
    sys.argv = [module, *arguments]
    sys.modules.pop(module, None)  # runpy warns about a module that is already imported
    if die_at is not None:
        made = itertools.count(1)

        def count(event, details):
            writes = event == "open" and isinstance(details[2], int) and details[2] & (os.O_WRONLY | os.O_RDWR)
            if (writes or event in CHANGES) and next(made) == die_at:
                os.kill(os.getpid(), signal.SIGKILL)

        sys.addaudithook(count)
    runpy.run_module(module, run_name="__main__", alter_sys=True)
    if die_at is not None:
        print("changes:", next(made) - 1, flush=True)
