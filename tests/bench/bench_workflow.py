"""The workflow: wall time of the presets, core time stage by stage and beside them, planning, reruns, start-up."""

import csv
import json
import os
import resource
import subprocess
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

import timing
from findings import plain
from kit.project_copy import copy_project
from subjects import ROOT

from stages.config import configuration
from stages.plan import stage_table

TITLE = "The workflow"
GOAL_OUTSIDE, GOAL_RERUN, GOAL_START = 10.0, 10.0, 0.5
# Seconds of a core at the paper's scale: a dry run, a run when all is done, a job's own Snakemake on a cluster.
GOAL_PLAN, GOAL_NOTHING, GOAL_JOB = 5.0, 4.0, 2.0
A_JOB = ["--target-jobs", "attack_network:attack=cw,model=ncg_ce_relu,run=0", "--allowed-rules", "attack_network"]
QUICK = 15 * 60  # seconds that the quick preset may take


def run(repetitions, seconds_left=QUICK):
    started = time.time()
    yield start_up()
    yield from planning()
    for preset in ("smoke", "quick"):
        if preset == "quick" and time.time() - started > seconds_left - QUICK:
            print("the quick preset is not timed: there is no time left, or nobody asked for it")
            break
        with tempfile.TemporaryDirectory() as folder:
            project = copy_project(Path(folder) / "project")
            cores = len(timing.all_cores)
            wall = snakemake(project, preset)
            stages = stage_seconds(project / "results" / preset / "benchmarks")
            work = sum(stages.values())
            outside = 100 * (1 - work / (cores * wall))
            yield plain(f"{preset} preset on {cores} cores", [wall], "s")
            for stage, seconds in sorted(stages.items(), key=lambda item: -item[1]):
                yield plain(f"{preset}: {stage}", [100 * seconds / work], "%", note=f"{seconds:.0f} s on one core")
            goal = GOAL_OUTSIDE if preset == "quick" else None
            yield plain(f"{preset}: core time outside the stages' programs", [outside], "%", at_most=goal)
            reruns = [snakemake(project, preset) for _ in range(3)]
            yield plain(f"{preset}: rerun of nothing", reruns, "s", at_most=GOAL_RERUN)


def snakemake(project, preset):
    """Run the workflow on all cores; return its wall time."""
    command = [sys.executable, "-m", "snakemake", "--profile", "workflow/profiles/default", "--quiet", "all"]
    command += ["--cores", str(len(timing.all_cores)), "--config", f"preset={preset}"]
    started = time.perf_counter()
    with timing.all_cores_for_children():
        result = subprocess.run(command, cwd=project, env=with_display(), capture_output=True, text=True, check=False)
    if result.returncode:
        raise SystemExit(f"the workflow failed:\n{result.stdout}{result.stderr}")
    return time.perf_counter() - started


def with_display():
    """Return an environment in which Snakemake finds the display that the profiles name: it is not installed here."""
    return os.environ | {"PYTHONPATH": str(ROOT / "workflow/terminal")}


def planning():
    """Time, in seconds of a core, a dry run of the whole paper preset, and what a job of it does before it begins."""
    dry_run = [sys.executable, "-m", "snakemake", "-n", "--cores", "1", "--config", "preset=paper"]
    with tempfile.TemporaryDirectory() as folder:
        project = copy_project(Path(folder) / "project")
        for digits in ("digits.json", "digits.zarr/.snakemake_timestamp", "raw.json", "raw/.snakemake_timestamp"):
            path = project / "results/paper/data" / digits
            path.parent.mkdir(parents=True, exist_ok=True)
            path.touch()
        whole = [core_seconds([*dry_run, "--profile", "workflow/profiles/default"], project) for _ in range(3)]
        yield plain("paper: dry run of all jobs, core time", whole, "s", at_most=GOAL_PLAN)
        network = project / "results/paper/train/ncg_ce_relu/run0.zarr"
        network.mkdir(parents=True)
        network.with_suffix(".json").touch()
        job = [core_seconds([*dry_run, *A_JOB, "--mode", "remote"], project) for _ in range(3)]
        yield plain("paper: a job's own Snakemake before it begins, core time", job, "s", at_most=GOAL_JOB)
        run = [word for word in dry_run if word != "-n"] + ["--profile", "workflow/profiles/default"]
        as_if_finished(project, "paper")
        core_seconds([*run, "--touch"], project)  # Snakemake's own records
        nothing = [core_seconds(run, project) for _ in range(3)]
        yield plain("paper: rerun of nothing, core time", nothing, "s", at_most=GOAL_NOTHING)


def as_if_finished(project, preset):
    """Put an empty file, or a manifest without content, where a finished run has its results."""
    config = configuration.load(project, preset)
    results = project / "results" / preset
    for store in stage_table.stores(config):
        path = results / store.name
        (path if store.name == "data/raw" else path.with_suffix(".zarr")).mkdir(parents=True, exist_ok=True)
        manifest = {"settings": store.settings, "digest": "", "inputs": dict.fromkeys(store.inputs, "")}
        path.with_suffix(".json").write_text(json.dumps(manifest | {"measured": []}))
    summary = [sys.executable, "-m", "snakemake", "--summary", "--cores", "1", "--config", f"preset={preset}"]
    listed = subprocess.run(summary, cwd=project, capture_output=True, text=True, check=True).stdout
    for line in listed.splitlines()[1:]:
        path = project / line.split("\t")[0]
        if not path.exists():
            path.parent.mkdir(parents=True, exist_ok=True)
            path.touch()


def core_seconds(command, project):
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    result = subprocess.run(command, cwd=project, env=with_display(), capture_output=True, text=True, check=False)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    if result.returncode:
        raise SystemExit(f"a dry run failed:\n{result.stdout}{result.stderr}")
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def stage_seconds(benchmarks):
    """Return {stage: sum of its jobs' wall times}, from the files that Snakemake writes beside each job."""
    stages = Counter()
    for path in benchmarks.rglob("*.tsv"):
        with open(path, newline="") as file:
            stage = path.relative_to(benchmarks).parts[0]
            stages[stage] += sum(float(job["s"]) for job in csv.DictReader(file, delimiter="\t"))
    return stages


def start_up():
    """Time --help of every stage program; report the slowest."""
    files = [path for path in sorted(ROOT.glob("stages/**/*.py")) if "program.run(" in path.read_text()]
    modules = [".".join(path.relative_to(ROOT).with_suffix("").parts) for path in files if path.name != "program.py"]

    def help_of(module):
        environment = os.environ | {"PYTHONPATH": str(ROOT)}
        subprocess.run([sys.executable, "-m", module, "--help"], check=True, capture_output=True, env=environment)

    seconds = {module: [] for module in modules}
    for turn in range(4):
        for module in modules:
            started = time.perf_counter()
            help_of(module)
            if turn:
                seconds[module].append(time.perf_counter() - started)
    slowest = max(modules, key=lambda module: timing.spread(seconds[module]).median)
    subject = f"--help of the slowest of {len(modules)} programs"
    return plain(subject, seconds[slowest], "s", at_most=GOAL_START, note=slowest)
