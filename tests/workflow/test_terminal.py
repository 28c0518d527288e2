"""What a person sees of a run: bars at a terminal, lines elsewhere, the log of what failed, the time left, a lock."""

import io
import json
import os
import pty
import re
import socket
import subprocess
import sys
import termios
from types import SimpleNamespace

import pytest
import yaml
from kit.project_copy import ROOT
from kit.snakemake_project import tiny_project
from rich.console import Console
from snakemake_logger_plugin_snode import LogHandler, locks
from snakemake_logger_plugin_snode.bars import Bars
from snakemake_logger_plugin_snode.job_logs import last_line, seconds_left_in
from snakemake_logger_plugin_snode.progress import Progress, in_words

from stages.names.numbers import duration
from stages.runtime.processes import beginning

NO_FILES = "data={origin: files, files: {train_images: a, train_labels: b, test_images: c, test_labels: d}}"


@pytest.fixture(scope="module")
def project(tmp_path_factory):
    return tiny_project(tmp_path_factory.mktemp("terminal"))


def at_a_terminal(*words, folder):
    """Run snakemake with a terminal of 40 lines of 100 characters as its stderr; return what was written there."""
    ours, theirs = pty.openpty()
    termios.tcsetwinsize(theirs, (40, 100))
    environment = {**os.environ, "TERM": "xterm-256color"}
    command = [sys.executable, "-m", "snakemake", *words]
    with subprocess.Popen(command, cwd=folder, env=environment, stdout=subprocess.DEVNULL, stderr=theirs):
        os.close(theirs)
        said = b""
        while True:
            try:
                said += os.read(ours, 65536)
            except OSError:  # how Linux ends a terminal that nobody writes to
                break
    os.close(ours)
    return re.sub(r"\x1b\[[0-9;?]*[a-zA-Z]", "", said.decode())


@pytest.mark.parametrize("profile", ["default", "gpu", "slurm"])
def test_every_profile_asks_for_it(profile):
    assert yaml.safe_load((ROOT / f"workflow/profiles/{profile}/config.yaml").read_text())["logger"] == ["snode"]


def made(*words):
    """Return what make would run."""
    return subprocess.run(["make", "--dry-run", *words], cwd=ROOT, capture_output=True, text=True, check=True).stdout


def test_the_cores_of_a_clusters_profile_are_its_own():
    assert re.search(r"--profile workflow/profiles/default --cores \d+ --config preset=quick", made("reproduce"))
    on_slurm = made("reproduce", "PROFILE=workflow/profiles/slurm", "CORES=7")
    assert "--profile workflow/profiles/slurm  --config preset=quick" in on_slurm
    assert "--cores" not in on_slurm
    assert re.search(r"--unlock --config preset=paper", made("unlock", "PRESET=paper"))


def test_elsewhere_a_job_is_a_line(project):
    done = project.snakemake("data")
    assert done.returncode == 0, done.stderr
    first, *jobs = [
        line for line in done.stderr.splitlines() if "Using profile" not in line and "Complete log" not in line
    ]
    assert first.startswith("3 jobs: ")
    assert re.fullmatch(r".*; about \d s left", first)
    assert set(first[8:].partition(";")[0].split(", ")) == {"1 fetch_digits", "1 downsample_digits", "1 data"}
    assert [re.sub(r"^\d\d:\d\d:\d\d | \(\d+ s.*", "", line) for line in jobs] == [
        "1/3 fetch_digits",
        "2/3 downsample_digits: digits",
        "3/3 data: all there",
    ]


def test_a_failed_job_shows_its_log_and_not_its_command(project):
    done = project.snakemake("data", config=[NO_FILES])
    log = (project.folder / "results/smoke/logs/data/fetch_digits.log").read_text()
    assert done.returncode != 0
    assert "failed: fetch_digits\n" in done.stderr
    assert log.strip() in done.stderr
    assert "--settings" not in done.stderr
    assert "Traceback" not in done.stderr


def test_a_schedulers_reason_is_shown_with_the_failed_job():
    handler = LogHandler.__new__(LogHandler)
    handler.console, handler.progress = Console(file=io.StringIO()), Progress()
    for job, reason in enumerate([None, "SLURM-job '1' failed, SLURM status is: 'CANCELLED'."]):
        handler.progress.start(job, "train_network", f"job {job}", None)
        handler.failed(SimpleNamespace(jobid=job, log=[], rule_msg=reason))
    shown = handler.console.file.getvalue()
    assert "failed: job 1\nSLURM-job '1' failed, SLURM status is: 'CANCELLED'." in shown
    assert "None" not in shown


def test_an_empty_log_does_not_hide_the_schedulers(tmp_path):
    handler = LogHandler.__new__(LogHandler)
    handler.console, handler.progress = Console(file=io.StringIO(), soft_wrap=True), Progress()
    logs = [tmp_path / name for name in ("missing.log", "job.log", "slurm.log")]
    logs[1].write_text("")
    logs[2].write_text("exceeded memory limit\n")
    handler.progress.start(0, "train_network", "job 0", None)
    handler.failed(SimpleNamespace(jobid=0, log=list(map(str, logs)), rule_msg=None))
    shown = handler.console.file.getvalue()
    assert all(str(path) in shown for path in logs)
    assert "exceeded memory limit" in shown


@pytest.mark.parametrize("last", ["error: interrupted; what was finished before is untouched", "KeyboardInterrupt"])
def test_a_job_that_was_stopped_with_the_run_has_not_failed(tmp_path, last):
    """In its work, or earlier, while it still imports its libraries."""
    handler = LogHandler.__new__(LogHandler)
    handler.console, handler.progress = Console(file=io.StringIO()), Progress()
    log = tmp_path / "job.log"
    log.write_text(f"Traceback (most recent call last):\n{last}\n")
    handler.progress.start(0, "train_network", "job 0", str(log))
    handler.failed(SimpleNamespace(jobid=0, log=[str(log)], rule_msg=None))
    assert handler.console.file.getvalue() == ""
    assert handler.progress.running == handler.progress.failed == {}


def test_at_a_terminal_there_are_bars_that_stay(project):
    words = ["--profile", "workflow/profiles/default", "--cores", "2", "--forceall", "data"]
    said = at_a_terminal(*words, "--configfile", "tiny.yaml", "--config", "preset=smoke", folder=project.folder)
    lines = [line.rstrip() for line in said.splitlines() if line.strip()]
    last = [re.sub(r"\s*[━╸╺]+\s*", " ", line) for line in lines if "━" in line][-4:]
    assert last == ["fetch_digits 1/1", "downsample_digits 1/1", "data 1/1", "all jobs 3/3"]
    assert [line for line in lines if "━" in line and len(line) > 100] == []
    assert "Select jobs" not in said


def test_the_time_left_counts_each_rule_at_its_own_pace():
    now = [0.0]
    progress = Progress(clock=lambda: now[0])
    progress.plan({"all": 1, "train": 4, "attack": 10, "total": 15})
    assert progress.seconds_left() is None
    for job in (1, 2):  # two at a time: 20 s each
        progress.start(job, "train", f"train {job}")
    now[0] = 20.0
    assert progress.finish(1) == ("train 1", 20.0)
    assert progress.finish(2) == ("train 2", 20.0)
    assert progress.seconds_left() == pytest.approx((2 * 20 + 10 * 20) / 2)  # an attack as long as what is known
    progress.start(3, "attack", "attack 3")
    now[0] = 22.0
    progress.finish(3)
    at_a_time = 42 / 22
    assert progress.seconds_left() == pytest.approx((2 * 20 + 9 * 2) / at_a_time)
    progress.start(4, "train", "train 4")
    assert progress.fail(4) == "train 4"
    assert progress.seconds_left() == pytest.approx((1 * 20 + 9 * 2) / at_a_time)  # it will not be tried again
    progress.start(4, "train", "train 4")  # but it is
    assert progress.seconds_left() == pytest.approx((2 * 20 + 9 * 2) / at_a_time)


def test_the_time_left_is_known_from_the_first_second_where_costs_are_expected():
    now = [0.0]
    progress = Progress(clock=lambda: now[0])
    progress.plan({"train": 2, "attack": 2, "total": 4})
    progress.expect({1: ("train", 100.0), 2: ("train", 300.0), 3: ("attack", 10.0), 4: ("attack", 10.0)})
    assert progress.seconds_left() == pytest.approx(420)
    progress.places = 2
    assert progress.seconds_left() == pytest.approx(420 / 2)
    for job in (1, 2):
        progress.start(job, "train", f"train {job}")
    assert progress.seconds_left() == pytest.approx(420 / 2)  # two at a time
    now[0] = 200.0
    progress.finish(1)  # twice as long as expected: so will the other training, and somewhat so the attacks
    assert progress.seconds_left() == pytest.approx((400 + 20 * (260 / 160)) / 2, rel=0.02)
    progress.start(3, "attack", "attack 3")
    progress.fail(3)
    assert progress.seconds_left() == pytest.approx((400 + 10 * (260 / 160)) / 2, rel=0.02)  # not tried again


def test_jobs_of_a_second_do_not_change_what_is_expected_of_hours():
    now = [0.0]
    progress = Progress(clock=lambda: now[0])
    progress.plan({"data": 1, "train": 1, "total": 2})
    progress.expect({1: ("data", 2.0), 2: ("train", 3600.0)})
    progress.start(1, "data", "data")
    now[0] = 0.2  # ten times as fast as expected
    progress.finish(1)
    assert progress.seconds_left() == pytest.approx(3600, rel=0.05)


def test_a_dry_run_is_shown_as_snakemake_shows_it(project):
    done = project.snakemake("-n", "--forceall", "data")
    assert done.returncode == 0, done.stderr
    assert re.search(r"^Job \d+: downsample_digits: digits$", done.stdout + done.stderr, re.M)
    assert "This was a dry-run" in done.stdout + done.stderr


def test_the_last_line_of_a_log_is_found(tmp_path):
    log = tmp_path / "log"
    assert last_line(log) == last_line(None) == ""
    log.write_text("")
    assert last_line(log) == ""
    log.write_bytes(b"x" * 5000 + b"\n12:00:00 epoch 3 of 10, 97.3 %\xff\n\n  \n")
    assert last_line(log) == "12:00:00 epoch 3 of 10, 97.3 %\ufffd"


def test_running_jobs_are_shown_with_what_they_said_last(tmp_path):
    (tmp_path / "log").write_text("12:00:00 epoch 3 of 10, 97.3 %, 41 min left\n")
    console = Console(width=100, record=True, file=io.StringIO(), force_terminal=True)
    progress = Progress()
    progress.plan({"train_network": 2})
    progress.start(1, "train_network", "train_network: ncg_ce_relu, run 0", tmp_path / "log")
    console.print(Bars(console, progress).table())
    said = console.export_text()
    assert "1 running" in said
    assert "train_network: ncg_ce_relu, run 0: 12:00:00 epoch 3 of 10, 97.3 %, 41 min left" in said


def test_what_a_running_job_says_is_left_counts_more_than_what_was_expected(tmp_path):
    now = [0.0]
    progress = Progress(clock=lambda: now[0])
    progress.plan({"train": 2, "total": 2})
    progress.expect({1: ("train", 10.0), 2: ("train", 10.0)})
    progress.start(1, "train", "train 1", tmp_path / "log")
    now[0] = 60.0
    assert progress.seconds_left() == pytest.approx(10)  # nobody knows better than that it should be done
    (tmp_path / "log").write_text("12:00:00 epoch 3 of 10, 97.3 %, 41 min left\n")
    assert progress.seconds_left() == pytest.approx(41 * 60 + 10)


@pytest.mark.parametrize("seconds", [0.0, 1e-5, 0.31, 7.0, 45.0, 75.0, 41 * 60.0, 2647.0, 4440.0, 90061.0])
def test_the_time_that_a_job_says_is_left_is_read(seconds):
    line = f"12:00:00 batch 552/20000, 60.0/s, {duration(seconds)} left, epoch 3/10, cost 1.5"
    assert seconds_left_in(line) == pytest.approx(seconds, abs=max(0.05, seconds / 2 if seconds < 120 else 60))
    assert seconds_left_in("12:00:00 loading what is left over") is None


LOCKED = "LockException:\nError: ... in the following directory:\n{folder}\nIf you are sure ..."


HOLDERS = {
    "this process": ({}, "Another run is at work .* process {pid}"),
    "another one with its number": (
        {"began": 1},
        "No process holds this lock: the run that began 2026-01-01 12:00 was",
    ),
    "one that is gone": ({"pid": 2**22 + 1}, "No process holds this lock.*`make unlock` removes it"),
    "one elsewhere": ({"host": "login2"}, "held by process {pid} on login2 since 2026-01-01 12:00. If that run has"),
    "nobody knows": (None, "left over from one that was killed: `make unlock` removes it"),
}


@pytest.mark.parametrize(("holder", "words"), HOLDERS.values(), ids=HOLDERS)
def test_a_lock_is_explained(tmp_path, holder, words):
    pid = os.getpid()
    if holder is not None:
        (tmp_path / locks.HELD_BY).parent.mkdir(parents=True)
        known = {"pid": pid, "began": beginning(pid), "host": socket.gethostname(), "since": "2026-01-01 12:00"}
        (tmp_path / locks.HELD_BY).write_text(json.dumps(known | holder))
    assert re.search(words.format(pid=pid), locks.explanation(LOCKED.format(folder=tmp_path)))
    assert locks.explanation("any other error") == ""


@pytest.mark.parametrize(("seconds", "words"), [(4.4, "4 s"), (89, "89 s"), (150, "2 min"), (5400, "1 h 30 min")])
def test_durations_in_words(seconds, words):
    assert in_words(seconds) == words
