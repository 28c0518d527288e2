"""Time and memory a stage, from the benchmark files that Snakemake writes beside each job."""

import csv

from stages.plan.stage_table import STAGES


def stage_costs(folder):
    """Return [(stage, jobs, longest seconds, total seconds, largest memory in MB)] in the order of the workflow.

    A value that Snakemake could not measure (a job too short to be looked at) is left out.
    """
    order = ("data", *STAGES, "tables", "figures", "report")
    stages = {}
    for path in sorted(folder.rglob("*.tsv")):
        stage = path.relative_to(folder).parts[0]
        with open(path, newline="") as file:
            stages.setdefault(stage, []).extend(csv.DictReader(file, delimiter="\t"))
    rows = []
    for stage in sorted(stages, key=lambda name: (order.index(name) if name in order else len(order), name)):
        seconds = [value for value in (_number(job.get("s")) for job in stages[stage]) if value is not None]
        memory = [value for value in (_number(job.get("max_rss")) for job in stages[stage]) if value is not None]
        if seconds:
            rows.append((stage, len(stages[stage]), max(seconds), sum(seconds), max(memory, default=None)))
    return rows


def _number(text):
    try:
        return float(text)
    except (TypeError, ValueError):
        return None


def duration(seconds):
    """Write 3725 seconds as 1 h 02 min."""
    if seconds < 60:
        return f"{seconds:.1f} s"
    minutes = round(seconds / 60)
    return f"{minutes} min" if minutes < 60 else f"{minutes // 60} h {minutes % 60:02d} min"
