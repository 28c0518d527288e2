"""A line a job that is done: for the logs of Slurm and continuous integration."""

import time

from .progress import in_words


class Lines:
    def __init__(self, console, progress):
        self.console, self.progress = console, progress

    def begin(self):
        counts = ", ".join(f"{rule.total} {name}" for name, rule in self.progress.rules.items())
        self.console.print(f"{self.progress.total} jobs: {counts}")

    def finished(self, words, seconds):
        if words is None:
            return
        left = self.progress.seconds_left()
        place = f"{self.progress.done}/{self.progress.total}"
        about = "" if left is None else f", about {in_words(left)} left"
        self.console.print(f"{time.strftime('%H:%M:%S')} {place} {words} ({in_words(seconds)}{about})")

    def end(self):
        pass
