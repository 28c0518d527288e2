"""The smallest complete workflow, in a separate folder: to be started, killed and checked for what it left behind."""

import contextlib
import hashlib
import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
import yaml

from kit import forked_snakemake
from kit.project_copy import ROOT, digests
from stages.config import configuration

RESULTS = Path("results/paper")  # the preset that overrides nothing: only config.yaml counts
OVERRIDES = {
    "preset": "paper",
    "data": {"origin": "sample", "train": 60, "test": 40, "side": 5},
    "network": {"depth": 3},
    "training": {"runs": 1, "batch": 20, "iterations": 2},
    "trainers": {name: {"epochs": 1} for name in ("sgd", "ncg")},
    "models": {
        "table1": ["ncg_ce_tanh"],
        "table2": {"trainers": ["sgd", "ncg"], "losses": ["ce"], "activations": ["tanh"]},
    },
    "noise": {"std": [0.0, 0.2]},
    "sensitivity": {"images": 20},
    "attack": {"trainers": ["sgd", "ncg"], "images": 6, "radii": {"first": 0.5, "last": 1.0, "step": 0.5}},
    "figures": {"dpi": 50},
    "execution": {"checkpoint_minutes": 0.0},  # a checkpoint after every batch: more writes to interrupt
}
ATTACKS = ("pgd-0.06", "cw")
SECONDS = 900  # longer than any run on a busy machine
FAULTS = int(os.environ.get("SNODE_FAULTS", "8"))


def share(part):
    """Return numbers for one kind of fault, a share of FAULTS: at least one."""
    return range(max(1, round(part * FAULTS)))


def sampled(numbers):
    """Return the same as parameters of a test; `make test` runs the first one."""
    first, *others = numbers
    return [pytest.param(first, marks=pytest.mark.sample), *others]


def smallest():
    """Return the smallest configuration that has every stage."""
    config = yaml.safe_load((ROOT / "config.yaml").read_text())
    configuration.merge(config, OVERRIDES)
    config["attack"]["attacks"] = {name: config["attack"]["attacks"][name] for name in ATTACKS}
    return config


def prepare(folder):
    """Set up `folder` for running the workflow."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "config.yaml").write_text(yaml.safe_dump(smallest()))
    return folder


def copy(source, folder):
    """Copy such a folder with all of Snakemake's records and all modification times."""
    subprocess.run(["cp", "-a", str(source), str(folder)], check=True)
    return folder


# --- running ----------------------------------------------------------------------------------------------------------


def command(folder, *arguments):
    """Return the command that a user would type in this folder."""
    options = ["--profile", str(ROOT / "workflow/profiles/default"), "--snakefile", str(ROOT / "Snakefile")]
    return [sys.executable, "-m", "snakemake", *options, "--cores", "2", "--directory", str(folder), *arguments]


def start(folder, *arguments):
    """Start the workflow as the leader of a new session; its output goes to <folder>.output."""
    with open(f"{folder}.output", "w") as output:
        return subprocess.Popen(
            command(folder, *arguments),
            cwd=ROOT,
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )


def finish(process, folder):
    """Wait for a started workflow; return (exit status, output)."""
    try:
        status = process.wait(timeout=SECONDS)
    finally:
        kill(process)
    return status, Path(f"{folder}.output").read_text(errors="replace")


def run(folder, *arguments):
    """Run the workflow to its end, in a process with snakemake already imported; return (exit status, output)."""
    done = forked_snakemake.run(*command(folder, *arguments)[3:], folder=ROOT)
    return done.returncode, done.stdout + done.stderr


def session(process):
    """Return the ids of all processes of the session that `process` leads, with their command lines."""
    members = {}
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                fields = (entry / "stat").read_text().rpartition(")")[2].split()
                words = (entry / "cmdline").read_bytes().split(b"\0")
            except OSError:  # it has just ended
                continue
            if int(fields[3]) == process.pid and fields[0] != "Z":
                members[int(entry.name)] = b" ".join(words).decode(errors="replace")
    return members


def kill(process, sign=signal.SIGKILL):
    """Send a signal to everything that a workflow started, itself included."""
    for pid in session(process):
        with contextlib.suppress(ProcessLookupError):
            os.kill(pid, sign)
    if sign == signal.SIGKILL:
        process.wait()


def stage_programs(process):
    """Return the ids of the stage programs that a workflow is running."""
    return [pid for pid, words in session(process).items() if re.match(r"\S*python\S* -m stages\.", words)]


def wait_for(condition, process, seconds=SECONDS):
    """Return condition() as soon as it is true; None if the workflow ended before."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if found := condition():
            return found
        if process.poll() is not None:
            return None
        time.sleep(0.002)
    raise TimeoutError("neither the moment nor the end of the workflow came")


# --- what a run left behind -------------------------------------------------------------------------------------------


def shown(folder):
    """Return {file: digest} of the figures, tables and verdicts, whose bytes repeat."""
    places = [folder / RESULTS / part for part in ("figures", "tables")]
    files = [path for place in places if place.is_dir() for path in place.iterdir()]
    files += list((folder / RESULTS).glob("claims*"))
    return {str(path.relative_to(folder)): hashlib.sha256(path.read_bytes()).hexdigest() for path in sorted(files)}


def left_behind(folder):
    """Return temporary files and checkpoints, which writers should have removed."""
    hidden = (path for path in (folder / "results").rglob(".*") if path.name != ".snakemake_timestamp")
    return sorted(str(path.relative_to(folder)) for path in hidden)


def verify(folder):
    """Run what `make verify` runs; return (exit status, output)."""
    words = [sys.executable, "-m", "stages.storage.verify", str(folder / "results")]
    found = subprocess.run(words, cwd=ROOT, capture_output=True, text=True, timeout=SECONDS)
    return found.returncode, found.stdout + found.stderr


def vouched_damage(folder):
    """Return the messages of verify about stores that do not fit their manifest: unfinished ones must have none."""
    return [line for line in verify(folder)[1].splitlines() if "damaged" in line]


# --- continuing after a fault -----------------------------------------------------------------------------------------


def go_on(folder, undisturbed, *targets):
    """Repeat the command, after what its message advises, until the results are as if nothing had happened."""
    status, said = run(folder, *targets)
    if "It can be removed with the --unlock argument" in said:
        assert run(folder, "--unlock")[0] == 0
        status, said = run(folder, *targets)
    assert status == 0, said
    assert_undisturbed(folder, undisturbed)
    return said


def assert_undisturbed(folder, undisturbed):
    """Assert that all stores, figures, tables and verdicts exist with the same content, and nothing else."""
    assert digests(folder) == digests(undisturbed)
    assert shown(folder) == shown(undisturbed)
    assert left_behind(folder) == []
    status, said = verify(folder)
    assert status == 0, said
