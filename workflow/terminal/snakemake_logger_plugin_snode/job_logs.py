"""The last log line of a running job."""

import os

BYTES = 2048  # of the end of a log


def last_line(path):
    """Return the last nonempty line of a job's log, or an empty string."""
    try:
        with open(path, "rb") as file:
            file.seek(max(0, os.fstat(file.fileno()).st_size - BYTES))
            lines = file.read().decode(errors="replace").splitlines()
    except (OSError, TypeError):
        return ""
    return next((line.strip() for line in reversed(lines) if line.strip()), "")
