"""Who holds Snakemake's lock: a running workflow, or one that was killed."""

import json
import os
import re
import socket
from pathlib import Path

# Snakemake's message, which ends with the folder.
FOLDER = re.compile(r"LockException.*following directory:\n(?P<folder>[^\n]+)", re.DOTALL)
HELD_BY = ".snakemake/locks/held_by.json"  # written by the workflow beside the lock, removed with it


def explanation(words):
    """Return what to do about a lock if Snakemake's message is about one, else an empty string."""
    match = FOLDER.search(words)
    if not match:
        return ""
    folder = Path(match["folder"].strip())
    remove = f"`make unlock` removes it (or snakemake --unlock, in {folder}); then the same command goes on"
    try:
        holder = json.loads((folder / HELD_BY).read_text())
        pid, host, since = holder["pid"], holder["host"], holder["since"]
    except (OSError, ValueError, KeyError, TypeError):
        return f"\nIf no other run is at work in this folder, the lock is left over from one that was killed: {remove}."
    if host != socket.gethostname():
        return f"\nThe lock is held by process {pid} on {host} since {since}. If that run has ended: {remove}."
    if is_running(pid, holder.get("began")):
        return f"\nAnother run is at work in this folder: process {pid}, since {since}. Wait for its end, or stop it."
    return f"\nNo process holds this lock: the run that began {since} was killed before it could release it: {remove}."


def is_running(pid, began):
    """Tell whether the process that wrote this is still running, and not another one with the same id."""
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except OSError:
        return True  # a process of another user
    return began is None or began == beginning(pid)


def beginning(pid):
    """Return the start time of a process, in the kernel's units, or None if it is not available."""
    try:
        return int(Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[19])
    except (OSError, ValueError, IndexError):
        return None
