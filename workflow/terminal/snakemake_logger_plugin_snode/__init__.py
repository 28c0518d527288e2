"""The display of a run (`logger: [snode]` in the profiles): progress bars at a terminal, one line per event elsewhere.

All other messages of Snakemake are in its own log under .snakemake/log. Dry runs use Snakemake's own display.
"""

import logging
import signal
import sys
import threading

from snakemake_interface_logger_plugins.base import LogHandlerBase
from snakemake_interface_logger_plugins.common import LogEvent

# Every Snakemake process imports its plugins, also that of a single job: the display is imported only when needed.

# Messages of Snakemake about itself that users do not need.
UNSAID = (
    "Assuming unrestricted shared filesystem",
    "Building DAG of jobs",
    "Execute ",
    "Provided ",
    "Rules claiming more threads",
    "Select jobs to execute",
    "Shutting down, this might take some time",
    "Singularity containers",
    "Using profile",
    "Using shell",
    "Elapsed time",
    "Removing output files of failed job",
    "RuleException:\nCalledProcessError",  # a job's whole command; its failure has been reported
)
# What follows when somebody has stopped the run, which knows it.
UNSAID_WHEN_STOPPED = ("WorkflowError:\nAt least one job did not complete", "At least one job did not complete")
# The last line in the log of a job that got the signal, too: in its work, or while it was still importing.
INTERRUPTED = ("error: interrupted", "KeyboardInterrupt")
STOPPED_AT_ONCE, STOPPED_GENTLY = "Terminating processes on user request", "Will exit after finishing currently running"
STYLES = {logging.WARNING: "yellow", logging.ERROR: "red", logging.CRITICAL: "red"}


class LogHandler(LogHandlerBase):
    writes_to_stream = True
    writes_to_file = False
    has_filter = False
    has_formatter = False
    needs_rulegraph = False

    def __post_init__(self):
        if self.common_settings.dryrun:
            from snakemake.logging import ColorizingTextHandler

            stream = sys.stdout if self.common_settings.stdout else sys.stderr
            self.plain = ColorizingTextHandler(nocolor=self.common_settings.nocolor, stream=stream)
            return
        from rich.console import Console

        from .bars import Bars
        from .lines import Lines
        from .progress import Progress

        self.plain = None
        self.console = Console(stderr=not self.common_settings.stdout, highlight=False, markup=False, soft_wrap=True)
        self.progress = Progress()
        self.shown = (Bars if self.console.is_terminal else Lines)(self.console, self.progress)
        stop_as_by_hand_when_the_terminal_is_lost()

    def emit(self, record):
        if self.plain:
            self.plain.formatter = self.formatter
            self.plain.emit(record)
            return
        try:
            self.show(record)
        except Exception:
            self.handleError(record)  # an error of the display must not end the run

    def show(self, record):
        match getattr(record, "event", None):
            case LogEvent.RESOURCES_INFO:
                self.progress.places = getattr(record, "cores", None) or self.progress.places
            case LogEvent.RUN_INFO:
                self.progress.plan(record.stats)
            case LogEvent.JOB_INFO:
                self.shown.begin()
                words = record.rule_msg or record.rule_name
                self.progress.start(record.jobid, record.rule_name, words, next(iter(record.log), None))
            case LogEvent.JOB_FINISHED:
                self.shown.finished(*self.progress.finish(record.job_id))
            case LogEvent.JOB_ERROR:
                self.failed(record)
            case LogEvent.GROUP_ERROR:
                self.console.print(self.format(record), style="red")
            case LogEvent.ERROR | None:
                self.remark(record)

    def failed(self, record):
        from snakemake.logging import show_logs

        from .job_logs import last_line

        if last_line(next(iter(record.log), None)).startswith(INTERRUPTED):
            self.progress.interrupt(record.jobid)
            return
        self.console.print(f"failed: {self.progress.fail(record.jobid)}", style="red")
        if record.rule_msg:  # a scheduler's reason, such as a job that somebody cancelled
            self.console.print(record.rule_msg, style="red")
        # One by one: show_logs stops at an empty log, and the reason may be in Slurm's, the last.
        for path in record.log:
            self.console.print("\n".join(show_logs([path])))

    def remark(self, record):
        if expected := getattr(record, "expected_seconds", None):  # from the Snakefile, before the first job
            self.progress.expect(expected)
            return
        words = (self.format(record) or "").strip()
        if words.startswith((STOPPED_AT_ONCE, STOPPED_GENTLY)):
            running = len(self.progress.running) if words.startswith(STOPPED_GENTLY) else 0
            self.console.print(self.progress.last_words(running), style="yellow")
            self.progress.stopped = True
        elif self.progress.stopped and words.startswith(UNSAID_WHEN_STOPPED):
            return
        elif words and words != "None" and not words.startswith(UNSAID):
            from .locks import explanation

            self.console.print(words + explanation(words), style=STYLES.get(record.levelno))

    def close(self):
        if not self.plain:
            self.shown.end()
        super().close()


def stop_as_by_hand_when_the_terminal_is_lost():
    """Make a lost connection act like Ctrl-C, so that no lock is left. Under `nohup` the run continues."""
    main = threading.current_thread() is threading.main_thread()
    if main and hasattr(signal, "SIGHUP") and signal.getsignal(signal.SIGHUP) is signal.SIG_DFL:
        signal.signal(signal.SIGHUP, signal.default_int_handler)
