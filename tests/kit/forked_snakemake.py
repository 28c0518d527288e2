"""Snakemake's command line without waiting for its imports at each of many calls.

A server imports Snakemake once, and nothing of this project; each call is a process forked from it. So are the jobs
that it runs, from a server of theirs.
"""

import atexit
import functools
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

# Snakemake and the rules import these at every call.
IMPORTED = [
    "smart_open",
    "snakemake.storage",
    "snakemake.report.html_reporter",
    "yte",
    "jsonschema",
    "packaging.version",
]


def run(*words, folder, environment=None):
    """Run `snakemake words` in `folder`; return the finished process, like subprocess.run."""
    with tempfile.TemporaryDirectory() as place:
        said = [os.path.join(place, name) for name in ("stdout", "stderr")]
        request = [list(map(str, words)), str(folder), {**os.environ, **(environment or {})}, said, _python_of_jobs()]
        server = _server()
        server.stdin.write(json.dumps(request) + "\n")
        server.stdin.flush()
        status = int(server.stdout.readline())
        return subprocess.CompletedProcess(words, status, *(Path(path).read_text() for path in said))


@functools.cache
def _server():
    server = subprocess.Popen([sys.executable, __file__], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    atexit.register(server.stdin.close)  # the server ends with its input
    return server


@functools.cache
def _python_of_jobs():
    from kit import forked_jobs

    return forked_jobs.start()


def _serve():
    import gc
    import importlib

    from snakemake.cli import main

    for name in IMPORTED:
        importlib.import_module(name)
    gc.freeze()  # else the collector of each fork looks at all of it again and again: half of a dry run's time
    for line in sys.stdin:
        words, folder, environment, said, python = json.loads(line)
        if child := os.fork():
            print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), flush=True)
            continue
        for number, path in enumerate(said, start=1):
            os.dup2(os.open(path, os.O_WRONLY | os.O_CREAT), number)
        os.chdir(folder)
        os.environ.clear()
        os.environ.update(environment)
        sys.path[1:1] = filter(None, environment.get("PYTHONPATH", "").split(os.pathsep))  # as a new Python would
        sys.executable = python  # the rules put its folder first on the path of their jobs
        sys.argv[1:] = words
        main(words)


if __name__ == "__main__":
    _serve()
