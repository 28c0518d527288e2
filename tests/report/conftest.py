"""The finished runs of tests/kit/finished_runs.py."""

from kit.finished_runs import *  # noqa: F403
