"""One line per finished job, for the logs of Slurm and continuous integration."""

import time

from .progress import in_words


class Lines:
    def __init__(self, console, progress):
        self.console, self.progress = console, progress
        self.begun = False

    def begin(self):
        """Announce the work when the first job starts: expected times are known by then."""
        if not self.begun:
            self.begun = True
            counts = ", ".join(f"{rule.total} {name}" for name, rule in self.progress.rules.items())
            self.console.print(f"{self.progress.total} jobs: {counts}{self.about('; ')}")

    def finished(self, words, seconds):
        if words is not None:
            place = f"{self.progress.done}/{self.progress.total}"
            self.console.print(f"{time.strftime('%H:%M:%S')} {place} {words} ({in_words(seconds)}{self.about(', ')})")

    def about(self, mark):
        left = self.progress.seconds_left()
        return "" if left is None else f"{mark}about {in_words(left)} left"

    def end(self):
        pass
