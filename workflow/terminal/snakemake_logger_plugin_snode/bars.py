"""A bar for each rule and one for all, with the time left: for a person at a terminal."""

from rich.live import Live
from rich.progress_bar import ProgressBar
from rich.table import Table

from .progress import in_words

WIDTH = 40


class Bars:
    def __init__(self, console, progress):
        self.console, self.progress = console, progress
        self.live = Live(console=console, get_renderable=self.table, refresh_per_second=2)

    def begin(self):
        self.live.start()

    def finished(self, words, seconds):
        pass  # the next picture has it

    def end(self):
        self.live.stop()  # the last picture stays

    def table(self):
        progress, table = self.progress, Table.grid(padding=(0, 1))
        for justify in ("left", "left", "right", "left"):
            table.add_column(justify=justify)
        running, failed = list(progress.running.values()), list(progress.failed.values())
        for name, rule in sorted(progress.rules.items(), key=lambda item: item[1].first):  # in the order of the flow
            now, wrong = (sum(job.rule == name for job in jobs) for jobs in (running, failed))
            remarks = [f"{now} running"] * bool(now) + [f"{wrong} failed"] * bool(wrong)
            table.add_row(name, *self.bar(rule.done, rule.total), ", ".join(remarks), style="red" if wrong else None)
        left = progress.seconds_left() if progress.done < progress.total else 0.0
        about = f"about {in_words(left)} left" if left else ""
        table.add_row("all jobs", *self.bar(progress.done, progress.total), about, style="bold")
        return table

    def bar(self, done, total):
        return ProgressBar(total=total, completed=done, width=WIDTH, finished_style="green"), f"{done}/{total}"
