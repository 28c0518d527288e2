"""What `make reproduce` shows of a run (`snakemake --logger snode`): bars at a terminal, a line a job elsewhere.

Whatever Snakemake says besides is in its own log under .snakemake/log, and on the screen with plain `snakemake`.
"""

import logging

from rich.console import Console
from snakemake.logging import show_logs
from snakemake_interface_logger_plugins.base import LogHandlerBase
from snakemake_interface_logger_plugins.common import LogEvent

from .bars import Bars
from .lines import Lines
from .progress import Progress

# Snakemake's remarks on itself, which nobody waits for.
UNSAID = (
    "Assuming unrestricted shared filesystem",
    "Building DAG of jobs",
    "Execute ",
    "Provided ",
    "Rules claiming more threads",
    "Select jobs to execute",
    "Singularity containers",
    "Using profile",
    "Using shell",
    "Elapsed time",
    "Removing output files of failed job",
    "RuleException:\nCalledProcessError",  # a job's whole command: that it failed has been said
)
STYLES = {logging.WARNING: "yellow", logging.ERROR: "red", logging.CRITICAL: "red"}


class LogHandler(LogHandlerBase):
    writes_to_stream = True
    writes_to_file = False
    has_filter = False
    has_formatter = False
    needs_rulegraph = False

    def __post_init__(self):
        self.console = Console(stderr=not self.common_settings.stdout, highlight=False, markup=False, soft_wrap=True)
        self.progress = Progress()
        self.shown = (Bars if self.console.is_terminal else Lines)(self.console, self.progress)

    def emit(self, record):
        try:
            match getattr(record, "event", None):
                case LogEvent.RUN_INFO:
                    self.progress.plan(record.stats)
                    self.shown.begin()
                case LogEvent.JOB_INFO:
                    self.progress.start(record.jobid, record.rule_name, record.rule_msg or record.rule_name)
                case LogEvent.JOB_FINISHED:
                    self.shown.finished(*self.progress.finish(record.job_id))
                case LogEvent.JOB_ERROR:
                    self.console.print(f"failed: {self.progress.fail(record.jobid)}", style="red")
                    self.console.print("\n".join(show_logs(record.log)))
                case LogEvent.GROUP_ERROR:
                    self.console.print(self.format(record), style="red")
                case LogEvent.ERROR | None:
                    self.remark(record)
        except Exception:
            self.handleError(record)  # a display that fails must not end the run

    def remark(self, record):
        words = (self.format(record) or "").strip()
        if words and words != "None" and not words.startswith(UNSAID):
            self.console.print(words, style=STYLES.get(record.levelno))

    def close(self):
        self.shown.end()
        super().close()
