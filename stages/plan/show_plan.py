"""Show the cost of a run before it starts: jobs, core time, the longest job, memory, disk, and what is already done.

    python -m stages.plan.show_plan --preset paper --cores 16

Times are estimated from the sizes, corrected by measured times once jobs of a stage have run on this machine, in this
run or in one of another preset.
"""

from argparse import ArgumentTypeError
from pathlib import Path
from types import SimpleNamespace
from typing import NamedTuple

from stages import PROJECT, __version__
from stages.config import checks, configuration
from stages.names.numbers import duration
from stages.plan import exhibit, experiment, stage_table
from stages.plan.all_exhibits import FIGURES, TABLES, files_of
from stages.plan.costs import experiment_jobs
from stages.plan.costs_here import costs_here
from stages.plan.freshness import Freshness
from stages.plan.machine import Machine
from stages.runtime import blas_kernels, program

EXHIBIT_MB = {"figures": 0.3, "tables": 0.02, "claims": 0.05, "report": 3.0}
RAW_SIDE = 28  # pixels per side of MNIST's images, of one byte; resampled ones are compressed to as much
EVALUATION_MB = 0.3  # a store of an evaluation or attack: numbers per image, few images


class Job(NamedTuple):
    folder: str
    seconds: float
    memory: float  # MB
    disk: float  # MB
    state: str  # "left", "done", or "other": present, but with other settings
    version: str | None = None  # of the project, that made what is there


def arguments(parser):
    parser.add_argument("--preset", required=True, help="one of workflow/presets")
    parser.add_argument("--cores", type=_cores, default=1, help="jobs at a time")
    parser.add_argument("--configfile", type=Path, metavar="FILE", help="changes, as for snakemake --configfile")
    parser.add_argument("--directory", type=Path, default=Path(), metavar="FOLDER", help="where results lies")


def _cores(text):
    if not (text.isdecimal() and int(text)):
        raise ArgumentTypeError(f"wanted a whole number from 1 on, found {text!r}")
    return int(text)


def main(options):
    file = configuration.config_file(PROJECT, options.directory)
    config = configuration.load(PROJECT, options.preset, configuration.from_file(options.configfile), file)
    checks.check(config, PROJECT, file)
    results = options.directory / "results" / options.preset
    freshness = Freshness(config, results)
    costs = costs_here(config, freshness)
    print("\n".join(lines(config, jobs(config, freshness, costs), options.cores, results, costs.of_this_machine)))
    if kernels := blas_kernels.held_back():
        print(
            f"OpenBLAS computes as for {kernels[0]} processors, since {blas_kernels.VARIABLE} is set; without it, "
            f"as for {kernels[1]}: a run may be faster, and results differ in the last bits"
        )


def jobs(config, freshness, costs):
    machine, results = Machine(config), freshness.results
    memory = {"train": machine.training(1)["mem_mb"], "attack": machine.attacking()["mem_mb"]}
    evaluating = machine.evaluating(1)["mem_mb"]
    planned = []
    for name, store in stage_table.data_stores(config).items():
        disk = sum(experiment.images(config).values()) * store.settings.get("side", RAW_SIDE) ** 2 / 1e6
        planned.append(Job("data", costs.seconds("data"), 1000, disk, *_there(freshness, name)))
    for folder, model, run in experiment_jobs(config):
        stage = folder.split("/")[0]
        asked = memory.get(stage, evaluating)(SimpleNamespace(model=model), 1)
        disk = machine.sizes[model].weights_mb if stage == "train" else EVALUATION_MB
        there = _there(freshness, f"{folder}/{model}/run{run}")
        planned.append(Job(stage, costs.seconds(folder, model, run), asked, disk, *there))
    for folder, path in _exhibits(config, results):
        state = "done" if path.exists() else "left"
        planned.append(Job(folder, costs.seconds(folder), machine.figure_mb, EXHIBIT_MB[folder], state))
    return planned


def _exhibits(config, results):
    for name in exhibit.present(config, FIGURES | TABLES):
        yield "figures" if name in FIGURES else "tables", results / files_of(name)[0]
    yield "claims", results / "claims.csv"
    yield "report", results / "report.html"


def _there(freshness, name):
    """Return the state of a store, and the version that made it."""
    if (manifest := freshness.manifest(name)) is None:
        return "left", None
    return "done" if freshness.fits(name) else "other", manifest.get("versions", {}).get("snode", "unknown")


def lines(config, jobs, cores, results, of_this_machine):
    """Yield the lines of the table; of_this_machine: whether measurements on this machine correct the estimates."""
    left = [job for job in jobs if job.state != "done"]
    other = sum(job.state == "other" for job in jobs)
    yield f"{config['preset']}: {len(jobs)} jobs, {len(jobs) - len(left)} of them done in {results}"
    if other:
        yield f"{other} stores there were made with other settings and will be made again"
    yield from _of_other_versions(jobs)
    yield f"{'stage':12} {'jobs':>5} {'left':>5} {'core time':>12} {'longest job':>12} {'memory':>9} {'disk':>9}"
    for stage in dict.fromkeys(job.folder for job in jobs):
        yield _row(stage, [job for job in jobs if job.folder == stage])
    yield _row("all", jobs)
    if left:
        total, longest = sum(job.seconds for job in left), max(job.seconds for job in left)
        speed = "by what has run on this machine"
        if not of_this_machine:
            speed = "such as those of the published run: nothing that could correct the estimate has run here yet"
        total_time = duration(round(max(total / cores, longest)))
        yield f"about {total_time} on {cores} cores (a job takes one core), {speed}"


def _of_other_versions(jobs):
    """Yield a line for each version of the project that made stores here and is not this one."""
    versions = [job.version for job in jobs if job.version not in (None, __version__)]
    for version in sorted(set(versions)):
        yield (
            f"{versions.count(version)} stores there are of version {version}, this is {__version__}: "
            "those whose stage is computed otherwise since then will be made again"
        )


def _row(name, jobs):
    left = [job for job in jobs if job.state != "done"]
    seconds = [job.seconds for job in left] or [0.0]
    memory, disk = max(job.memory for job in jobs), sum(job.disk for job in jobs)
    times = f"{duration(round(sum(seconds))):>12} {duration(round(max(seconds))):>12}"
    return f"{name:12} {len(jobs):5} {len(left):5} {times} {memory:6.0f} MB {disk:6.0f} MB"


if __name__ == "__main__":
    program.run(__doc__, arguments, main, settings=False)
