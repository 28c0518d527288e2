"""The store: a trained network of the paper's size written and read, against the same bytes in one plain file."""

import hashlib
import os
import shutil
import tempfile
from pathlib import Path

import numpy as np
import subjects
from findings import compared_with_a_floor
from timing import interleaved

from stages import stores

TITLE = "The store"


def run(repetitions):
    W, b = subjects.trained_parameters("relu", "ce")
    variables = {"W": (("layer", "out", "in"), W), "b": (("layer", "out"), b)}
    content = np.concatenate([W.ravel(), b.ravel()])
    megabytes = content.nbytes / 1e6
    results = subjects.ROOT / "results"  # the disk that counts
    results.mkdir(exist_ok=True)
    folder = Path(tempfile.mkdtemp(prefix="bench-", dir=results))
    try:
        store, file = folder / "network.zarr", folder / "network.bin"

        def write_file():
            with open(file, "wb") as out:
                content.tofile(out)
                out.flush()
                os.fsync(out.fileno())

        seconds = interleaved(
            {
                "write": lambda: stores.write(store, variables, settings={}, inputs={}),
                "write file": write_file,
                "read": lambda: stores.read_arrays(store),
                "read file": lambda: np.fromfile(file, content.dtype),
                "digest": lambda: hashlib.sha256(content).digest(),
            },
            repetitions,
        )
    finally:
        shutil.rmtree(folder)
    share = np.median(seconds["digest"])
    for verb in ("write", "read"):
        rates = [megabytes / np.median(seconds[name]) for name in (verb, f"{verb} file")]
        note = f"{rates[0]:.0f} against {rates[1]:.0f} MB/s; the digest takes {1e3 * share:.0f} ms"
        yield compared_with_a_floor(
            f"{verb} {megabytes:.0f} MB", seconds[verb], seconds[f"{verb} file"], against="a plain file", note=note
        )
