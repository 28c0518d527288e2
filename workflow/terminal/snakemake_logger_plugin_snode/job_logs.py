"""The last log line of a running job, and the time left that it states."""

import os
import re

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


# As the programs write it (stages/runtime/progress.py): "44 min 07 s left", "1 h 14 min left", "0.3 s left".
LEFT = re.compile(r"(?:(\d+) h )?(?:(\d+) min )?(?:([\d.]+(?:e-\d+)?) s )?left\b")


def seconds_left_in(line):
    """Return the seconds that a line of a job's log says are left; None where it does not say."""
    found = next((found for found in LEFT.finditer(line) if any(found.groups())), None)
    if found is None:
        return None
    hours, minutes, seconds = (float(number or 0) for number in found.groups())
    return 3600 * hours + 60 * minutes + seconds
