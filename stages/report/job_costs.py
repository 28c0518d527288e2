"""The cost of the jobs, in time and memory, from Snakemake's benchmark files."""

import contextlib
import csv

from stages.plan.stage_table import STAGES


def stage_costs(folder):
    """Return [(stage, jobs, longest seconds, total seconds, largest memory in MB)] in the order of the workflow.

    Values that Snakemake could not measure (of very short jobs) are left out.
    """
    order = ("data", *STAGES, "tables", "figures", "report")
    stages = read_benchmarks(folder)
    rows = []
    for stage in sorted(stages, key=lambda name: (order.index(name) if name in order else len(order), name)):
        seconds, memory = (_numbers(stages[stage], column) for column in ("s", "max_rss"))
        if seconds:
            rows.append((stage, len(stages[stage]), max(seconds), sum(seconds), max(memory, default=None)))
    return rows


def core_hours(folder):
    """Return the core hours of the jobs; for a restarted job, only those of its last start."""
    return sum(sum(_numbers(jobs, "cpu_time")) for jobs in read_benchmarks(folder).values()) / 3600


def read_benchmarks(folder):
    """Return {stage: rows, one per job}."""
    stages = {}
    for path in sorted(folder.rglob("*.tsv")):
        stage = path.relative_to(folder).parts[0]
        with open(path, newline="") as file:
            stages.setdefault(stage, []).extend(csv.DictReader(file, delimiter="\t"))
    return stages


def _numbers(jobs, column):
    found = []
    for job in jobs:
        with contextlib.suppress(TypeError, ValueError):
            found.append(float(job.get(column)))
    return found
