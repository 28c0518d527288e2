"""The workflow's jobs, `python -m stages...`, without waiting for the imports of each.

A server imports what stage programs import, and nothing of this project. Jobs find another `python` first on their
path: it passes its words, folder, environment and open files on to the server, and ends as the fork ends that does the
work. Whoever kills jobs should use real ones: a fork outlives its `python`.
"""

import json
import os
import runpy
import signal
import socket
import sys

IMPORTED = [
    "numpy",
    "yaml",
    "zarr.codecs",
    "xarray",
    "matplotlib.figure",
    "matplotlib.backends.backend_agg",
    "matplotlib.backends.backend_pdf",
    "matplotlib.layout_engine",
    "jinja2",
]
STAND_IN = """#!/bin/sh
case "$1 $2" in "-m stages."*) exec {python} -IS {this} {address} "$@" ;; esac
exec {python} "$@"
"""


def start():
    """Start the server, which ends with this process; return the `python` that asks it."""
    import atexit
    import subprocess
    import tempfile
    from shlex import quote

    place = tempfile.TemporaryDirectory()
    address, stand_in = os.path.join(place.name, "jobs"), os.path.join(place.name, "python")
    with open(stand_in, "w") as file:
        file.write(STAND_IN.format(python=quote(sys.executable), this=quote(__file__), address=quote(address)))
    os.chmod(stand_in, 0o755)
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(address)
        listener.listen(64)
        # -P: jobs would not find the tests' folder on their path.
        command = [sys.executable, "-P", __file__, str(listener.fileno())]
        server = subprocess.Popen(command, stdin=subprocess.PIPE, pass_fds=[listener.fileno()])
    atexit.register(place.cleanup)
    atexit.register(server.stdin.close)
    return stand_in


def _ask(address, words):
    """Let the server run `python words` as if it were this process; return its exit status."""
    with socket.socket(socket.AF_UNIX) as line:
        line.connect(address)
        socket.send_fds(line, [b" "], [0, 1, 2])
        line.sendall(json.dumps([words, os.getcwd(), dict(os.environ)]).encode())
        line.shutdown(socket.SHUT_WR)
        return int(line.recv(16))


def _serve(listener):
    import gc
    import importlib
    import select

    signal.signal(signal.SIGCHLD, signal.SIG_IGN)
    while sys.stdin not in select.select([listener, sys.stdin], [], [])[0]:
        while IMPORTED:  # by the first job: dry runs have none
            importlib.import_module(IMPORTED.pop())
        gc.freeze()  # the collector of a fork would copy what it looks at
        line, _ = listener.accept()
        if not os.fork():
            listener.close()
            signal.signal(signal.SIGCHLD, signal.SIG_DFL)
            _answer(line)
        line.close()


def _answer(line):
    """Run what was asked for in a fork; tell how it ended."""
    request, files, _, _ = socket.recv_fds(line, 1, 3)
    while part := line.recv(1 << 16):
        request += part
    if child := os.fork():
        status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
        line.sendall(str(status if status >= 0 else 128 - status).encode())
        os._exit(0)
    line.close()
    (_, module, *arguments), folder, environment = json.loads(request)
    for number, file in enumerate(files):
        os.dup2(file, number)
        os.close(file)
    os.chdir(folder)
    os.environ.clear()
    os.environ.update(environment)
    sys.path[:0] = [folder, *filter(None, environment.get("PYTHONPATH", "").split(os.pathsep))]
    sys.argv = [module, *arguments]
    runpy.run_module(module, run_name="__main__", alter_sys=True)
    sys.exit()


if __name__ == "__main__":
    if len(sys.argv) == 2:
        _serve(socket.socket(fileno=int(sys.argv[1])))
    else:
        sys.exit(_ask(sys.argv[1], sys.argv[2:]))
