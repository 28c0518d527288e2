"""Display at a terminal: a bar per rule, one for all with the remaining time, and the last log line of running jobs."""

from rich.live import Live
from rich.progress_bar import ProgressBar
from rich.table import Table
from rich.text import Text

from .job_logs import last_line
from .progress import in_words

WIDTH = 40
JOBS = 6  # running jobs that are shown with the last line of their log


class Bars:
    def __init__(self, console, progress):
        self.console, self.progress = console, progress
        self.live = Live(console=console, get_renderable=self.table, refresh_per_second=2)

    def begin(self):
        if not self.live.is_started:
            self.live.start()

    def finished(self, words, seconds):
        pass  # shown at the next refresh

    def end(self):
        self.live.stop()  # the last state stays on the screen

    def table(self):
        progress, table = self.progress, Table.grid(padding=(0, 1))
        for justify in ("left", "left", "right", "left"):
            table.add_column(justify=justify)
        running, failed = list(progress.running.values()), list(progress.failed.values())
        for name, rule in sorted(progress.rules.items(), key=lambda item: item[1].first):  # in workflow order
            now, wrong = (sum(job.rule == name for job in jobs) for jobs in (running, failed))
            remarks = [f"{now} running"] * bool(now) + [f"{wrong} failed"] * bool(wrong)
            table.add_row(name, *self.bar(rule.done, rule.total), ", ".join(remarks), style="red" if wrong else None)
        left = progress.seconds_left() if progress.done < progress.total and not progress.stopped else 0.0
        about = f"about {in_words(left)} left" if left else ""
        table.add_row("all jobs", *self.bar(progress.done, progress.total), about, style="bold")
        whole = Table.grid()
        whole.add_row(table)
        for job in running[:JOBS]:
            if line := last_line(job.log):
                whole.add_row(Text(f"{job.words}: {line}", style="dim", no_wrap=True, overflow="ellipsis"))
        return whole

    def bar(self, done, total):
        return ProgressBar(total=total, completed=done, width=WIDTH, finished_style="green"), f"{done}/{total}"
