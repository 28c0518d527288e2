"""How far a run is: the jobs of each rule that are done and running, and an estimate of the time left."""

import math
import time
from dataclasses import dataclass

# Seconds of finished jobs that count as much as what was expected: of all rules, for one that has none; of its own.
TRUSTED, SOME = 60.0, 5.0


@dataclass
class Rule:
    total: int
    done: int = 0
    seconds: float = 0.0  # that its finished jobs took
    expected: float = 0.0  # that its finished jobs were expected to take
    first: float = math.inf  # when its first job began


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
        self.expected = {}  # {job: seconds} of the jobs that are not done
        self.places = 1  # jobs that may run at a time, as far as that is known
        self.began = clock()

    def plan(self, counts):
        """Take the numbers of jobs that Snakemake announces: {rule: jobs, ..., "total": all}."""
        self.rules = {name: Rule(count) for name, count in counts.items() if name not in ("all", "total")}
        self.began = self.clock()

    def expect(self, seconds):
        """Take what the workflow expects of each job: {job: (rule, seconds)}."""
        self.expected = dict(seconds)

    def start(self, job, rule, words, log=None):
        self.running[job] = Job(rule, words, self.clock(), log)
        if rule in self.rules:
            self.rules[rule].first = min(self.rules[rule].first, self.clock())
        self.failed.pop(job, None)  # it is tried again

    def finish(self, job):
        """Return what finished and the seconds it took."""
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

    def fail(self, job):
        """Return what failed."""
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
        """Return an estimate; None where nothing is expected and no job is done yet.

        What is left of a rule takes as long as the workflow expects, corrected by what its finished jobs took over what
        they were expected to; without expectations, as long as its finished jobs did, or as all did where it has none.
        As many jobs run at a time as did so far, or as may before any is done.
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
            left += max(pace * seconds - (now - running.began), 0.0) if running else pace * seconds
            left -= pace * seconds if job in self.failed else 0.0
        return left

    def _left_at_their_own_pace(self, now, spent):
        usual = {
            name: rule.seconds / rule.done if rule.done else spent / self.done for name, rule in self.rules.items()
        }
        left = sum((rule.total - rule.done) * usual[name] for name, rule in self.rules.items())
        under_way = [(now - job.began, usual.get(job.rule, 0.0)) for job in list(self.running.values())]
        left -= sum(min(elapsed, seconds) for elapsed, seconds in under_way)
        return left - sum(usual[job.rule] for job in list(self.failed.values()) if job.rule in usual)

    def last_words(self, running):
        """Return what to know when a run is stopped: running: the jobs that it will still wait for."""
        waits = f" after the {running} jobs that are running now" if running else ""
        return (
            f"stopping{waits}: {self.done} of {self.total} jobs are done and stay as they are. The same command goes "
            "on from here; a training that was interrupted, from its last checkpoint."
        )


def in_words(seconds):
    """Return a duration as a person says it: 40 s, 12 min, 3 h 20 min."""
    minutes = round(seconds / 60)
    if seconds < 90:
        return f"{seconds:.0f} s"
    return f"{minutes} min" if minutes < 90 else f"{minutes // 60} h {minutes % 60} min"
