"""The training stage at the paper's scale: what it costs beside its iterations, and its memory."""

import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np
import subjects
from findings import plain

from stages.config import configuration
from stages.plan import stage_settings
from stages.storage import stores

TITLE = "The training stage at the paper's scale"
GOAL_OVERHEAD, GOAL_MEMORY = 5.0, 600.0
TRAIN, TEST = 60000, 10000
BATCHES = 10  # of the epoch's 600; the accuracies after the epoch are measured on all images
MODEL = "ncg_ce_relu"


def run(repetitions):
    with tempfile.TemporaryDirectory() as folder:
        digits = Path(folder) / "digits.zarr"
        write_digits(digits)
        settings = stage_settings.train_settings(configuration.load(subjects.ROOT, "paper"), MODEL)
        configuration.merge(settings, {"trainer": {"epochs": 1}})
        overheads, peaks = [], []
        for number in range(max(2, repetitions // 4)):
            overhead, memory = train(digits, Path(folder) / f"run{number}.zarr", settings)
            overheads.append(overhead)
            peaks.append(memory)
    note = f"from {BATCHES} batches; start-up, data, history, checkpoints, accuracy on all images, writing"
    yield plain("time of an epoch beside its iterations", overheads, "%", at_most=GOAL_OVERHEAD, note=note)
    yield plain("peak memory of the process", peaks, "MB", at_most=GOAL_MEMORY)


def write_digits(path):
    """Write as many digits as the paper's, by repeating those that are shipped."""
    variables = {}
    for split, name, count in (("train", "train", TRAIN), ("test", "t10k", TEST)):
        images, labels = subjects.digits(name)
        repeats = -(-count // len(labels))
        variables[f"{split}_image"] = ((split, "pixel"), np.tile(images, (repeats, 1))[:count])
        variables[f"{split}_label"] = ((split,), np.tile(labels, repeats)[:count])
    stores.write(path, variables, settings={}, inputs={})


def train(digits, out, settings):
    """Return (overhead of a whole epoch in percent of its iterations, peak memory in MB)."""
    command = [sys.executable, Path(__file__).with_name("short_epoch.py"), str(BATCHES)]
    command += ["--settings", json.dumps(settings), "--digits", digits, "--runs", "0", "--out", out, "--device", "cpu"]
    # A checkpoint after every batch; an epoch of some minutes has one or two, counted as two.
    command += ["--checkpoint-minutes", "0"]
    started = time.perf_counter()
    environment = os.environ | {"PYTHONPATH": str(subjects.ROOT)}
    ended = subprocess.run(list(map(str, command)), capture_output=True, text=True, check=False, env=environment)
    total = time.perf_counter() - started
    if ended.returncode:
        raise SystemExit(f"the training stage failed:\n{ended.stderr}")
    found = json.loads(ended.stdout.splitlines()[-1])
    scale = TRAIN // settings["batch"] / BATCHES
    once = total - found["batches"] - found["checkpoints"]
    beside = once + scale * (found["batches"] - found["iterations"]) + 2 * found["checkpoints"] / BATCHES
    return 100 * beside / (scale * found["iterations"]), found["peak_megabytes"]
