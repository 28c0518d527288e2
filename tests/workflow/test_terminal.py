"""What a person sees of a run: bars at a terminal, a line a job elsewhere, the log of what failed, the time left."""

import os
import pty
import re
import subprocess
import sys
import termios

import pytest
from project_copy import ROOT
from snakemake_logger_plugin_snode.progress import Progress, in_words
from snakemake_project import tiny_project

PLUGIN = {"PYTHONPATH": str(ROOT / "workflow/terminal")}
SHOW = ["--logger", "snode"]
NO_FILES = "data={origin: files, files: {train_images: a, train_labels: b, test_images: c, test_labels: d}}"


@pytest.fixture(scope="module")
def project(tmp_path_factory):
    return tiny_project(tmp_path_factory.mktemp("terminal"))


def at_a_terminal(*words, folder):
    """Run snakemake with a terminal of 40 lines of 100 characters as its stderr; return what was written there."""
    ours, theirs = pty.openpty()
    termios.tcsetwinsize(theirs, (40, 100))
    environment = {**os.environ, **PLUGIN, "TERM": "xterm-256color"}
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


def test_make_reproduce_asks_for_it():
    said = subprocess.run(
        ["make", "--dry-run", "reproduce"], cwd=ROOT, capture_output=True, text=True, check=True
    ).stdout
    assert re.search(r"PYTHONPATH=\"workflow/terminal:.* --logger snode --cores \d+ --config preset=quick", said)


def test_elsewhere_a_job_is_a_line(project):
    done = project.snakemake("data", *SHOW, environment=PLUGIN)
    assert done.returncode == 0, done.stderr
    first, *jobs = [
        line for line in done.stderr.splitlines() if "Using profile" not in line and "Complete log" not in line
    ]
    assert first.startswith("3 jobs: ")
    assert set(first[8:].split(", ")) == {"1 fetch_digits", "1 downsample_digits", "1 data"}
    assert [re.sub(r"^\d\d:\d\d:\d\d | \(\d+ s.*", "", line) for line in jobs] == [
        "1/3 fetch_digits",
        "2/3 downsample_digits: digits",
        "3/3 data: all there",
    ]


def test_a_failed_job_shows_its_log_and_not_its_command(project):
    done = project.snakemake("data", *SHOW, config=[NO_FILES], environment=PLUGIN)
    log = (project.folder / "results/smoke/logs/data/fetch_digits.log").read_text()
    assert done.returncode != 0
    assert "failed: fetch_digits\n" in done.stderr
    assert log.strip() in done.stderr
    assert "--settings" not in done.stderr
    assert "Traceback" not in done.stderr


def test_at_a_terminal_there_are_bars_that_stay(project):
    words = ["--profile", "workflow/profiles/default", "--cores", "2", *SHOW, "--forceall", "data"]
    said = at_a_terminal(*words, "--configfile", "tiny.yaml", "--config", "preset=smoke", folder=project.folder)
    lines = [line.rstrip() for line in said.splitlines() if line.strip()]
    last = [re.sub(r"\s*[━╸╺]+\s*", " ", line) for line in lines if "━" in line][-4:]
    assert last == ["fetch_digits 1/1", "downsample_digits 1/1", "data 1/1", "all jobs 3/3"]
    assert max(len(line) for line in lines if "━" in line) <= 100
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


@pytest.mark.parametrize(("seconds", "words"), [(4.4, "4 s"), (89, "89 s"), (150, "2 min"), (5400, "1 h 30 min")])
def test_durations_in_words(seconds, words):
    assert in_words(seconds) == words
