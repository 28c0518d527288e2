"""How far a run is: the jobs of each rule that are done and running, and an estimate of the time left."""

import math
import time
from dataclasses import dataclass


@dataclass
class Rule:
    total: int
    done: int = 0
    seconds: float = 0.0  # that its finished jobs took
    first: float = math.inf  # when its first job began


@dataclass
class Job:
    rule: str
    words: str
    began: float


class Progress:
    def __init__(self, clock=time.monotonic):
        self.clock = clock
        self.rules, self.running, self.failed = {}, {}, {}
        self.began = clock()

    def plan(self, counts):
        """Take the numbers of jobs that Snakemake announces: {rule: jobs, ..., "total": all}."""
        self.rules = {name: Rule(count) for name, count in counts.items() if name not in ("all", "total")}
        self.began = self.clock()

    def start(self, job, rule, words):
        self.running[job] = Job(rule, words, self.clock())
        if rule in self.rules:
            self.rules[rule].first = min(self.rules[rule].first, self.clock())
        self.failed.pop(job, None)  # it is tried again

    def finish(self, job):
        """Return what finished and the seconds it took."""
        ended = self.running.pop(job, None)
        if ended is None or ended.rule not in self.rules:
            return None, 0.0
        seconds = self.clock() - ended.began
        rule = self.rules[ended.rule]
        rule.done += 1
        rule.seconds += seconds
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
        """Return an estimate, or None before the first job is done.

        What is left of a rule takes as long as its finished jobs did, or as all did where it has none; as many jobs run
        at a time as did so far.
        """
        now, spent = self.clock(), sum(rule.seconds for rule in self.rules.values())
        if not self.done or now <= self.began or not spent:
            return None
        usual = {
            name: rule.seconds / rule.done if rule.done else spent / self.done for name, rule in self.rules.items()
        }
        left = sum((rule.total - rule.done) * usual[name] for name, rule in self.rules.items())
        under_way = [(now - job.began, usual.get(job.rule, 0.0)) for job in list(self.running.values())]
        left -= sum(min(elapsed, seconds) for elapsed, seconds in under_way)
        left -= sum(usual[job.rule] for job in list(self.failed.values()) if job.rule in usual)
        at_a_time = (spent + sum(elapsed for elapsed, _ in under_way)) / (now - self.began)
        return max(left, 0.0) / at_a_time


def in_words(seconds):
    """Return a duration as a person says it: 40 s, 12 min, 3 h 20 min."""
    minutes = round(seconds / 60)
    if seconds < 90:
        return f"{seconds:.0f} s"
    return f"{minutes} min" if minutes < 90 else f"{minutes // 60} h {minutes % 60} min"
