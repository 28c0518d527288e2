"""The store: a trained network of the paper's size written and read, against its digest and a plain file of its bytes.

A store is never written or read without its digest, so the two together are what there is to reach.
"""

import hashlib
import os
import shutil
import tempfile
from pathlib import Path

import numpy as np
import subjects
from findings import compared_with_a_floor
from timing import interleaved

from stages.storage import stores

TITLE = "The store"
GOAL_READ = 1.2


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
    share = 1e3 * np.median(seconds["digest"])
    for verb, goal in (("write", None), ("read", GOAL_READ)):
        floor = [file + digest for file, digest in zip(seconds[f"{verb} file"], seconds["digest"], strict=True)]
        note = f"{megabytes / np.median(seconds[verb]):.0f} MB/s; the digest takes {share:.0f} ms"
        yield compared_with_a_floor(
            f"{verb} {megabytes:.0f} MB", seconds[verb], floor, goal, against="a plain file and the digest", note=note
        )
