"""All uses of Snakemake beyond its documented interface, in one place to check with each new release.

Tested with Snakemake 9.27.
"""

import contextlib
import json
import os
import socket
import time
from pathlib import Path

from stages.runtime.processes import beginning


class SnakemakeAdapter:
    """What the rules need from a running Snakemake; workflow: the object of that name in a Snakefile."""

    def __init__(self, workflow):
        self._workflow = workflow
        # Another workflow may import this one as a module, with a prefix for all paths, known while rules are read.
        self.prefix = workflow.modifier.path_modifier.prefix or ""

    @property
    def plans(self):
        """Whether this process plans the jobs. The process of a single job reads the rules too, but does not plan."""
        return self._workflow.is_main_process

    @property
    def runs(self):
        """Whether this process will also run what it plans: false in a dry run."""
        return self.plans and not self._workflow.output_settings.dryrun

    def has_record(self, path):
        """Tell whether Snakemake has a record of how a file was made, in any backend (--persistence-backend)."""
        from snakemake.io import IOFile

        return self._workflow.persistence.metadata(IOFile(str(path))) is not None

    def make_again(self, path):
        """Make Snakemake remake a file regardless of times and records; path: as in the rules, without a prefix."""
        self._workflow.dag.forcefiles.add(f"{self.prefix}{path}")

    def start_jobs_at_once(self):
        """Lift the limit on jobs per second, which is meant for clusters, if jobs run on this machine.

        Because of it Snakemake 9.27 looks for jobs to start every second, and once more per second for each finished
        job: in the end it does nothing else.
        """
        if self._workflow.local_exec:
            self._workflow.scheduler.job_rate_limiter = None

    def sign_lock(self):
        """Record beside Snakemake's lock who holds it, to distinguish a leftover lock from one in use."""
        locks = Path(self._workflow.persistence.path, "locks")
        if not any(locks.glob("*.lock")):  # --nolock, or records in a database
            return
        with contextlib.suppress(OSError):
            since, host = time.strftime("%Y-%m-%d %H:%M"), socket.gethostname()
            holder = {"pid": os.getpid(), "began": beginning(os.getpid()), "host": host, "since": since}
            (locks / "held_by.json").write_text(json.dumps(holder))

    def announce_costs(self, seconds_of):
        """Pass the expected time of each job to the display of the run; seconds_of(rule, wildcards)."""
        from snakemake.logging import logger

        dag = self._workflow.dag
        rules = {dag.jobid(job): (job.rule.name, job.wildcards_dict) for job in dag.needrun_jobs()}
        expected = {job: (rule, seconds_of(rule, wildcards)) for job, (rule, wildcards) in rules.items()}
        if total := sum(seconds for _, seconds in expected.values()):
            logger.info(f"about {total / 3600:.2g} core-hours of computing", extra={"expected_seconds": expected})
