"""Whether a process is still running, also if it was killed and nobody has collected it yet."""

import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

from stages.runtime.processes import beginning, is_running

pytestmark = pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="wants Linux's /proc")


def test_this_process_is_running():
    assert is_running(os.getpid())
    assert is_running(os.getpid(), beginning(os.getpid()))


def test_a_later_process_with_the_same_id_is_another_one():
    assert not is_running(os.getpid(), beginning(os.getpid()) - 1)


def test_a_process_that_has_ended_is_not_running_even_before_its_parent_collects_it():
    process = subprocess.Popen([sys.executable, "-c", ""])
    while (state := Path(f"/proc/{process.pid}/stat").read_text().rpartition(")")[2].split()[0]) != "Z":
        time.sleep(0.01)
    os.kill(process.pid, 0)  # the process table still has it
    assert state == "Z"
    assert not is_running(process.pid)
    process.wait()
    assert not is_running(process.pid)


@pytest.mark.parametrize("pid", [2**22 + 1, 10**20])
def test_a_number_that_no_process_can_have_is_not_running(pid):
    assert not is_running(pid)
