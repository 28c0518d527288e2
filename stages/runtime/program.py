"""What all stage programs share: command line, logging, and the message of an error that ends the program.

    program.run(__doc__, arguments, main)

`arguments(parser)` adds the program's own options, `main(options)` does the work. A `UserError`, a full disk or a
directory that cannot be written ends in one readable message and exit status 1; a bug in the program keeps its
traceback.
"""

import argparse
import errno
import gc
import json
import logging
import sys
from pathlib import Path

from stages.runtime.errors import UserError

log = logging.getLogger("stages")

# Errors of the operating system, and what a user can do about them.
REMEDIES = {
    errno.ENOSPC: "the disk is full: free some space and run the same command again",
    errno.EDQUOT: "the disk quota is used up: free some space and run the same command again",
    errno.EACCES: "permission denied: make the directory writable, or choose another with --directory",
    errno.EROFS: "the file system is read-only: choose another place with --directory",
}


def settings_argument(text):
    """Parse --settings: JSON text, or the path of a JSON file (a store's manifest will do)."""
    try:
        if text.lstrip().startswith("{"):
            return json.loads(text)
        content = json.loads(Path(text).read_text())
        return content.get("settings", content)
    except (OSError, ValueError, AttributeError) as problem:
        raise argparse.ArgumentTypeError(
            f"wanted JSON text, or a JSON file such as a store's manifest; found {text[:80]!r} ({problem})"
        ) from None


def add_device(parser):
    """Add --device, for programs that compute with arrays."""
    parser.add_argument(
        "--device",
        choices=("cpu", "gpu", "auto"),
        default="auto",
        help="where to compute; gpu fails where there is none, auto takes one if there is (default)",
    )


def add_network_inputs(parser):
    parser.add_argument("--digits", required=True, metavar="STORE", help="data/digits.zarr")
    parser.add_argument("--network", required=True, metavar="STORE", help="train/<model>/run<r>.zarr")
    parser.add_argument("--out", required=True, metavar="STORE", help="store to write")
    add_device(parser)


def run(description, arguments, main, settings=True):
    """Parse the command line, call main(options), and turn a user's mistake into a message.

    settings: whether there is an option --settings; commands that no rule runs have none.
    """
    parser = argparse.ArgumentParser(description=description, formatter_class=argparse.RawDescriptionHelpFormatter)
    if settings:
        parser.add_argument(
            "--settings",
            type=settings_argument,
            required=True,
            metavar="JSON",
            help="this stage's part of the configuration: JSON text, or a JSON file (a store's manifest will do)",
        )
    arguments(parser)
    options = parser.parse_args()
    logging.basicConfig(stream=sys.stderr, level=logging.INFO, format="%(asctime)s %(message)s", datefmt="%H:%M:%S")
    try:
        main(options)
    except UserError as problem:
        fail(problem)
    except OSError as problem:
        if problem.errno not in REMEDIES:
            raise
        where = f"{problem.filename}: " if problem.filename else ""
        fail(f"{where}{REMEDIES[problem.errno]}")
    except KeyboardInterrupt:
        fail("interrupted; what was finished before is untouched", status=130)
    # At its end Python looks for garbage in all that was imported: a quarter of a second after drawing, for nothing.
    gc.freeze()


def fail(message, status=1):
    print(f"error: {message}", file=sys.stderr)
    raise SystemExit(status)
