"""Stage programs in processes of their own that begin at once: to be killed at any moment, again and again.

They are forked from a server that has everything imported, so that a moment falls into the program's work and not into
its imports. A moment is a time, or a number: the process kills itself before its n-th change to the file system.
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
    """Start `python -m module arguments` in `folder`; what it says goes to the file `output`.

    die_at: the number of the change to the file system before which the process kills itself.
    """
    words = [str(word) for word in arguments]
    process = _context.Process(target=_run, args=(module, words, str(folder), str(output), die_at))
    process.start()
    return process


def run(module, *arguments, **options):
    """Run it to the end; return (exit status, what it said)."""
    process = start(module, *arguments, **options)
    process.join()
    return process.exitcode, Path(options["output"]).read_text()


def changes(module, *arguments, folder, output):
    """Run it to the end; return how many changes to the file system it made."""
    status, said = run(module, *arguments, folder=folder, output=output, die_at=0)
    assert status == 0, said
    return int(said.rpartition("changes: ")[2])


def _run(module, arguments, folder, output, die_at):
    file = os.open(output, os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
    os.dup2(file, 1)
    os.dup2(file, 2)
    os.chdir(folder)
    sys.argv = [module, *arguments]
    sys.modules.pop(module, None)  # runpy warns of a module that is there already
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
