"""Whether a process is still running: for temporary files and locks, which say who made them."""

import os
from pathlib import Path


def is_running(pid, began=None):
    """Tell whether process `pid` may be at work; began: its `beginning`, to tell it from a later one with the same id.

    A killed process whose parent is gone stays in the process table until the machine's first process collects it. In a
    container that can take seconds, or forever: such a process has ended.
    """
    state, now = _status(pid)
    if state in ("Z", "X") or (began is not None and now is not None and now != began):
        return False
    try:
        os.kill(pid, 0)
    except (ProcessLookupError, OverflowError):
        return False
    except OSError:  # a process of another user
        return True
    return True


def beginning(pid):
    """Return the start time of a process, in the kernel's units, or None if it is not available."""
    return _status(pid)[1]


def _status(pid):
    """Return (state, start time) of a process, each None where there is no /proc."""
    try:
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
        return fields[0], int(fields[19])
    except (OSError, ValueError, IndexError):
        return None, None
