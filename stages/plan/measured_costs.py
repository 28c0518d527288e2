"""What finished jobs took on this machine, from the benchmarks and logs that the workflow writes beside the results."""

import contextlib
import csv
import re
from pathlib import Path

SAMPLED = 30.0  # seconds at most between two looks of Snakemake at a job: of what came after the last it knows nothing
RESUMED = re.compile(r"going on from the checkpoint at batch (\d+) of (\d+)")


def measured_seconds(results):
    """Return {(folder, model, run): seconds of a core} of the jobs of one run each that ran here.

    A job without a log ran elsewhere: its store was restored.
    """
    benchmarks, found = Path(results, "benchmarks"), {}
    for path in sorted(benchmarks.rglob("run*.tsv")):
        *folder, model, name = (place := path.relative_to(benchmarks)).parts
        run = re.fullmatch(r"run(\d+)\.tsv", name)
        log = Path(results, "logs", place).with_suffix(".log")
        if run and folder and log.is_file() and (seconds := _seconds(path)):
            found["/".join(folder), model, int(run[1])] = seconds * _whole(log)
    return found


def _seconds(path):
    """Return the processor time of a job: by the clock where it was short, else what was sampled of it."""
    with contextlib.suppress(OSError, KeyError, TypeError, ValueError, IndexError), open(path, newline="") as file:
        last = list(csv.DictReader(file, delimiter="\t"))[-1]
        clock = float(last["s"])
        with contextlib.suppress(ValueError):
            return min(clock, float(last["cpu_time"]) + SAMPLED)
        return clock
    return None


def _whole(log):
    """Return how many times as long a training would have taken had it not gone on from a checkpoint."""
    with contextlib.suppress(OSError), open(log, errors="replace") as file:
        resumed = RESUMED.search(file.read(4096))
        if resumed and int(resumed[1]) < int(resumed[2]):
            return int(resumed[2]) / (int(resumed[2]) - int(resumed[1]))
    return 1.0
