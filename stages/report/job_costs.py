"""The cost of an experiment's jobs, in time and memory, from Snakemake's benchmark files.

Jobs of runs or models that the experiment does not have are left out: a folder of results may hold more.
"""

import contextlib
import csv

from stages.plan.stage_table import STAGES, folder_models, stores


def stage_costs(results, config):
    """Return [(stage, jobs, longest seconds, total seconds, largest memory in MB)] in the order of the workflow.

    Values that Snakemake could not measure (of very short jobs) are left out.
    """
    order = ("data", *STAGES, "tables", "figures", "report")
    stages = read_benchmarks(results, config)
    rows = []
    for stage in sorted(stages, key=lambda name: (order.index(name) if name in order else len(order), name)):
        seconds, memory = (_numbers(stages[stage], column) for column in ("s", "max_rss"))
        if seconds:
            rows.append((stage, len(stages[stage]), max(seconds), sum(seconds), max(memory, default=None)))
    return rows


def core_hours(results, config):
    """Return the core hours of the jobs; for a restarted job, only those of its last start."""
    return sum(sum(_numbers(jobs, "cpu_time")) for jobs in read_benchmarks(results, config).values()) / 3600


def read_benchmarks(results, config):
    """Return {stage: rows, one per job}."""
    folder, stages = results / "benchmarks", {}
    known = {store.name for store in stores(config)}
    known |= {f"train/{model}/lockstep" for model in folder_models(config)["train"]}  # one job for all runs of a model
    for path in sorted(folder.rglob("*.tsv")):
        name = path.relative_to(folder).with_suffix("").as_posix()
        stage = name.partition("/")[0]
        if stage in STAGES and name not in known:
            continue
        with open(path, newline="") as file:
            stages.setdefault(stage, []).extend(csv.DictReader(file, delimiter="\t"))
    return stages


def _numbers(jobs, column):
    found = []
    for job in jobs:
        with contextlib.suppress(TypeError, ValueError):
            found.append(float(job.get(column)))
    return found
