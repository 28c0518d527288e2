"""Progress for log files: a plain line every few seconds, with the remaining time; no progress bar."""

import logging
import time

from stages.names.numbers import duration

log = logging.getLogger("stages")


class Progress:
    """Counts units of work and logs progress every few seconds."""

    def __init__(self, total, unit, every_seconds=10.0):
        self.total, self.unit, self.every = total, unit, every_seconds
        self.done = 0
        self.started = self.last_line = time.monotonic()
        self.done_before = 0  # by an earlier process: not counted in this one's speed

    def skip(self, done):
        """Count units that an earlier process completed."""
        self.done = self.done_before = done

    def advance(self, message="", units=1, force=False):
        """Count units; log a line if the last one is at least `every_seconds` old, if all is done or if forced."""
        self.done += units
        now = time.monotonic()
        if force or now - self.last_line >= self.every or self.done == self.total:
            self.last_line = now
            log.info("%s", self.line(now, message))

    def line(self, now, message):
        fresh, elapsed = self.done - self.done_before, max(now - self.started, 1e-9)
        left = (self.total - self.done) * elapsed / max(fresh, 1)
        text = f"{self.unit} {self.done}/{self.total}, {fresh / elapsed:.1f}/s, {duration(left)} left"
        return f"{text}, {message}" if message else text
