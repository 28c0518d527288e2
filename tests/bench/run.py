"""Measure everything, on one core: python tests/bench/run.py [item ...] writes results/bench/bench.json and bench.md.

If nothing was left out, it also writes tests/bench/README.md.

Times are medians of interleaved repetitions with half the distance between the quartiles. A ratio is the median of the
repetitions' ratios. Every contender is checked to compute the same before it is timed. The rows that miss their goal
are printed once more at the end.
"""

import argparse
import importlib
import os
import platform
import sys
import time
from pathlib import Path

import timing

ROOT = Path(__file__).resolve().parents[2]
ITEMS = (
    "ncg",
    "convolution",
    "device",
    "rmsprop",
    "robust",
    "ode45",
    "attacks",
    "evaluation",
    "uncertainty",
    "growth",
    "training_stage",
    "store",
    "playground",
    "workflow",  # the last: it times the quick preset only if there is time for that
)
MINUTES = 30  # for everything


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument(
        "items", nargs="*", metavar="item", help=f"what to measure, of: {', '.join(ITEMS)} (default: all)"
    )
    parser.add_argument("--repetitions", type=int, default=7, metavar="N", help="default: 7")
    parser.add_argument("--clock", choices=timing.CLOCKS, default="wall", help="cpu: on a machine that others use too")
    parser.add_argument("--without-quick", action="store_true", help="do not time the quick preset (it takes minutes)")
    parser.add_argument("--out", type=Path, default=ROOT / "results" / "bench", metavar="FOLDER")
    options = parser.parse_args()
    if unknown := set(options.items) - set(ITEMS):
        parser.error(f"wanted items of {', '.join(ITEMS)}, found {', '.join(sorted(unknown))}")
    return options


def main():
    options = arguments()
    timing.use_one_core()
    timing.use_clock(options.clock)
    sys.path[:0] = [str(ROOT), str(ROOT / "tests")]
    import findings

    found, started = {}, time.time()
    for name in options.items or ITEMS:
        item = importlib.import_module(f"bench_{name}")
        left = 0 if options.without_quick else 60 * MINUTES - (time.time() - started)
        extra = {"seconds_left": left} if name == "workflow" else {}
        print(f"\n{item.TITLE}\n{findings.HEADER}", end="", flush=True)
        found[item.TITLE] = []
        for finding in item.run(options.repetitions, **extra):
            found[item.TITLE].append(finding)
            print(findings.line(finding), flush=True)
    about = describe(options, time.time() - started)
    options.out.mkdir(parents=True, exist_ok=True)
    (options.out / "bench.json").write_text(findings.as_json(found, about))
    (options.out / "bench.md").write_text(findings.markdown(found, about))
    if set(found) == {importlib.import_module(f"bench_{name}").TITLE for name in ITEMS}:
        import document

        document.write(options.out / "bench.json")
    print(f"\nMissed goals\n{findings.HEADER}{findings.missed(found)}")
    print(f"\nwritten to {options.out / 'bench.md'} and bench.json in {time.time() - started:.0f} s")


def describe(options, seconds):
    """Say when, on what kind of machine and with which versions."""
    from importlib.metadata import distributions

    from stages.runtime.blas_kernels import kernels

    versions = {found.name: found.version for found in distributions()}
    compared = (name for name in ("numpy", "jax", "torch", "torchdiffeq") if name in versions)
    packages = ", ".join(f"{name} {versions[name]}" for name in compared)
    blas = f", OpenBLAS with kernels for {name}" if (name := kernels()) else ""
    load = ", ".join(f"{value:.1f}" for value in os.getloadavg())
    return (
        f"{time.strftime('%Y-%m-%d')}, {processor()}, one core, Python {platform.python_version()}, {packages}{blas}; "
        f"{options.clock} time, {options.repetitions} repetitions, {seconds:.0f} s in all; load at the end {load}"
    )


def processor():
    """Name the processor and its widest instructions, as Linux knows them."""
    try:
        lines = Path("/proc/cpuinfo").read_text().splitlines()
    except OSError:
        return platform.processor() or platform.machine()
    fields = {key.strip(): value.strip() for key, _, value in (line.partition(":") for line in lines)}
    wide = next((name for name in ("avx512f", "avx2", "avx") if name in fields.get("flags", "").split()), "")
    cache = fields.get("cache size", "")
    return f"{fields.get('model name', platform.machine())} ({wide}, {os.cpu_count()} cores, {cache} cache)"


if __name__ == "__main__":
    main()
