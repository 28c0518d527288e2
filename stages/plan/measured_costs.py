"""The measured times of finished jobs on this machine, from the benchmarks and logs beside the results."""

import contextlib
import csv
import re
from pathlib import Path

SAMPLED = 30.0  # seconds between Snakemake's samples of a job, at most: the time after the last sample is not measured
RESUMED = re.compile(r"going on from the checkpoint at batch (\d+) of (\d+)")


def measured_seconds(results, fits=lambda name: True):
    """Return {(folder, model, run): core seconds} of the jobs with a single run that ran here.

    A job without a log ran elsewhere: its store was restored. fits(name): whether a store is there and made with the
    settings that are wanted now; what another one took says nothing.
    """
    benchmarks, measured = Path(results, "benchmarks"), {}
    for path in sorted(benchmarks.rglob("run*.tsv")):
        *folder, model, name = (place := path.relative_to(benchmarks)).parts
        run = re.fullmatch(r"run(\d+)\.tsv", name)
        log = Path(results, "logs", place).with_suffix(".log")
        ours = run and folder and log.is_file() and fits(str(place.with_suffix("")))
        if ours and (seconds := _seconds(path)):
            measured["/".join(folder), model, int(run[1])] = seconds * _whole(log)
    return measured


def _seconds(path):
    """Return the CPU time of a job: wall-clock time if it was short, else the sampled CPU time."""
    with contextlib.suppress(OSError, KeyError, TypeError, ValueError, IndexError), open(path, newline="") as file:
        last = list(csv.DictReader(file, delimiter="\t"))[-1]
        clock = float(last["s"])
        with contextlib.suppress(ValueError):
            return min(clock, float(last["cpu_time"]) + SAMPLED)
        return clock
    return None


def _whole(log):
    """Return the factor by which a training without a resumed checkpoint would have taken longer."""
    with contextlib.suppress(OSError), open(log, errors="replace") as file:
        resumed = RESUMED.search(file.read(4096))
        if resumed and int(resumed[1]) < int(resumed[2]):
            return int(resumed[2]) / (int(resumed[2]) - int(resumed[1]))
    return 1.0
