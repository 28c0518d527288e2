"""Who holds Snakemake's lock: a running workflow, or one that was killed."""

import json
import re
import socket
from pathlib import Path

from stages.runtime.processes import is_running

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
