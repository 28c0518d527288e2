"""One core, contenders in turn, medians with their spread.

Contenders are timed in turn, repetition by repetition, so that a machine that slows down slows all of them. A ratio is
the median of the repetitions' ratios, each of two times taken seconds apart.
"""

import contextlib
import gc
import os
import statistics
import time
from dataclasses import dataclass

all_cores = os.sched_getaffinity(0) if hasattr(os, "sched_getaffinity") else set(range(os.cpu_count()))
CLOCKS = {"wall": time.perf_counter, "cpu": time.process_time}
clock = CLOCKS["wall"]


def use_one_core():
    """Keep this process, its threads and its children on one core. Call it before NumPy is imported."""
    for variable in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
        os.environ[variable] = "1"
    os.environ["XLA_FLAGS"] = "--xla_cpu_multi_thread_eigen=false"
    os.environ["JAX_PLATFORMS"] = "cpu"
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {max(all_cores)})


@contextlib.contextmanager
def all_cores_for_children():
    """Let processes that are started in here use all cores."""
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, all_cores)
    yield
    use_one_core()


def use_clock(name):
    """Choose wall time, or CPU time where others use the machine too."""
    global clock
    clock = CLOCKS[name]


@dataclass
class Spread:
    """A median with the quartiles around it."""

    median: float
    low: float
    high: float


def spread(values):
    if len(values) == 1:
        return Spread(values[0], values[0], values[0])
    low, median, high = statistics.quantiles(values, n=4, method="inclusive")
    return Spread(median, low, high)


def interleaved(contenders, repetitions, prepare=None, warm_up=True):
    """Return {name: seconds of each repetition} for contenders {name: function}, after one round to warm up.

    prepare(name), if given, is called before each turn and not timed.
    """
    seconds = {name: [] for name in contenders}
    gc.collect()
    gc.disable()
    try:
        for repetition in range(-1 if warm_up else 0, repetitions):
            for name, run in contenders.items():
                if prepare is not None:
                    prepare(name)
                started = clock()
                run()
                elapsed = clock() - started
                if repetition >= 0:
                    seconds[name].append(elapsed)
    finally:
        gc.enable()
    return seconds


def ratios(a, b):
    return [one / other for one, other in zip(a, b, strict=True)]


def fastest(seconds, names):
    """Return the name of the contender that can be the fastest, by its best repetition.

    What disturbs a machine only ever lengthens times. The smallest of three medians would rather be the luckiest one.
    """
    return min(names, key=lambda name: min(seconds[name]))
