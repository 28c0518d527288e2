"""The progress of a run: finished and running jobs of each rule, and an estimate of the remaining time."""

import math
import time
from dataclasses import dataclass

from .job_logs import last_line, seconds_left_in

# Weights of the expected times, in seconds, in the ratio of measured to expected: over all rules, and within one rule.
TRUSTED, SOME = 60.0, 5.0
LOGS = 20  # with more running jobs, as on a cluster, their logs are not read


@dataclass
class Rule:
    total: int
    done: int = 0
    seconds: float = 0.0  # of its finished jobs
    expected: float = 0.0  # seconds of its finished jobs
    first: float = math.inf  # start of its first job


@dataclass
class Job:
    rule: str
    words: str
    began: float
    log: str | None = None


class Progress:
    def __init__(self, clock=time.monotonic):
        self.clock = clock
        self.rules, self.running, self.failed = {}, {}, {}
        self.expected = {}  # {job: seconds} of unfinished jobs
        self.places = 1  # jobs that may run at once, as far as known
        self.stopped = False  # by hand or by a signal
        self.began = clock()

    def plan(self, counts):
        """Set the numbers of jobs that Snakemake announces: {rule: jobs, ..., "total": all}."""
        self.rules = {name: Rule(count) for name, count in counts.items() if name not in ("all", "total")}
        self.began = self.clock()

    def expect(self, seconds):
        """Set the expected time of each job: {job: (rule, seconds)}."""
        self.expected = dict(seconds)

    def start(self, job, rule, words, log=None):
        self.running[job] = Job(rule, words, self.clock(), log)
        if rule in self.rules:
            self.rules[rule].first = min(self.rules[rule].first, self.clock())
        self.failed.pop(job, None)  # it is tried again

    def finish(self, job):
        """Return the finished job's description and its seconds."""
        ended = self.running.pop(job, None)
        _, expected = self.expected.pop(job, (None, 0.0))
        if ended is None or ended.rule not in self.rules:
            return None, 0.0
        seconds = self.clock() - ended.began
        rule = self.rules[ended.rule]
        rule.done += 1
        rule.seconds += seconds
        rule.expected += expected
        return ended.words, seconds

    def interrupt(self, job):
        """Take a job for one that is to be done: the run was stopped."""
        self.running.pop(job, None)

    def fail(self, job):
        """Return the failed job's description."""
        ended = self.running.pop(job, None)
        if ended is None:
            return f"job {job}"
        self.failed[job] = ended
        return ended.words

    @property
    def done(self):
        return sum(rule.done for rule in self.rules.values())

    @property
    def total(self):
        return sum(rule.total for rule in self.rules.values())

    def seconds_left(self):
        """Return an estimate, or None if there are no expected times and no finished jobs.

        The remaining jobs of a rule take their expected time, scaled by the ratio of measured to expected time of its
        finished jobs; without expected times, the mean time of its finished jobs, or of all finished jobs if it has
        none. The number of jobs at a time is as before, or the largest allowed one at the start.
        """
        now, spent = self.clock(), sum(rule.seconds for rule in self.rules.values())
        if not self.expected and (not self.done or now <= self.began or not spent):
            return None
        left = self._left_of_expected(now) if self.expected else self._left_at_their_own_pace(now, spent)
        busy = spent + sum(now - job.began for job in list(self.running.values()))
        at_a_time = (
            max(busy / (now - self.began), 1.0)
            if self.done and now > self.began
            else max(len(self.running), min(self.places, self.total), 1)
        )
        return max(left, 0.0) / at_a_time

    def _left_of_expected(self, now):
        took = sum(rule.seconds for rule in self.rules.values() if rule.expected)
        expected = sum(rule.expected for rule in self.rules.values())
        overall = (took + TRUSTED) / (expected + TRUSTED)
        left = 0.0
        for job, (name, seconds) in list(self.expected.items()):
            rule = self.rules.get(name, Rule(0))
            pace = (rule.seconds + SOME * overall) / (rule.expected + SOME) if rule.expected else overall
            running = self.running.get(job)
            if running and (said := self._said_by(running)) is not None:
                left += said
            elif running:
                left += max(pace * seconds - (now - running.began), 0.0)
            elif job not in self.failed:
                left += pace * seconds
        return left

    def _said_by(self, job):
        """Return the seconds that a running job says it needs, which knows best; None where it does not say."""
        return seconds_left_in(last_line(job.log)) if len(self.running) <= LOGS else None

    def _left_at_their_own_pace(self, now, spent):
        usual = {
            name: rule.seconds / rule.done if rule.done else spent / self.done for name, rule in self.rules.items()
        }
        left = sum((rule.total - rule.done) * usual[name] for name, rule in self.rules.items())
        under_way = [(now - job.began, usual.get(job.rule, 0.0)) for job in list(self.running.values())]
        left -= sum(min(elapsed, seconds) for elapsed, seconds in under_way)
        return left - sum(usual[job.rule] for job in list(self.failed.values()) if job.rule in usual)

    def last_words(self, running):
        """Return the message for a run that is stopped; running: number of jobs it still waits for."""
        waits = " after the job that is running now" if running == 1 else ""
        waits = f" after the {running} jobs that are running now" if running > 1 else waits
        return (
            f"stopping{waits}: {self.done} of {self.total} jobs are done and stay as they are. The same command goes "
            "on from here; a training that was interrupted, from its last checkpoint."
        )


def in_words(seconds):
    """Return a duration as 40 s, 12 min or 3 h 20 min.

    Not by `stages`: the display is there before the Snakefile, which says from which clone `stages` comes.
    """
    minutes = round(seconds / 60)
    if seconds < 90:
        return f"{seconds:.0f} s"
    return f"{minutes} min" if minutes < 90 else f"{minutes // 60} h {minutes % 60} min"
