"""What the jobs cost: time and memory, from the benchmark files that Snakemake writes beside each."""

import contextlib
import csv

from stages.plan.stage_table import STAGES


def stage_costs(folder):
    """Return [(stage, jobs, longest seconds, total seconds, largest memory in MB)] in the order of the workflow.

    A value that Snakemake could not measure (a job too short to be looked at) is left out.
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
    """Return the hours that the jobs kept a core busy; of a job that was started again, the last start alone."""
    return sum(sum(_numbers(jobs, "cpu_time")) for jobs in read_benchmarks(folder).values()) / 3600


def read_benchmarks(folder):
    """Return {stage: a row a job}."""
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
