"""Files and folders that appear whole or not at all, also when the writer is killed, the disk is full or two write.

What is written goes to a hidden name beside its place, is flushed to the disk and then renamed. The hidden name tells
the machine and the process that writes: whoever comes next sweeps the leavings of the dead and spares the living.
"""

import contextlib
import errno
import os
import shutil
import socket
import time
import uuid
from pathlib import Path

from stages.runtime.errors import UserError

DAY = 86400  # seconds after which a writer on another machine, which cannot be asked, counts as dead


@contextlib.contextmanager
def replacing_file(path):
    """Open a file to write bytes to; at the end it takes the place of `path`."""
    path = Path(path)
    path.parent.mkdir(parents=True, exist_ok=True)
    sweep(path)
    temporary = _beside(path)
    try:
        with open(temporary, "wb") as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        temporary.replace(path)
    finally:
        temporary.unlink(missing_ok=True)  # a full disk gets its space back
    _flush(path.parent)


def write_text(path, text):
    """Write a small file."""
    with replacing_file(path) as file:
        file.write(text.encode())


@contextlib.contextmanager
def replacing_folder(folder, vouchers=()):
    """Give the path of a folder to make and fill; at the end it takes the place of `folder`.

    vouchers: files that vouch for the old content; they go before it does.
    """
    folder = Path(folder)
    folder.parent.mkdir(parents=True, exist_ok=True)
    sweep(folder)
    temporary = _beside(folder)
    try:
        yield temporary
        _flush_tree(temporary)
        for voucher in vouchers:
            Path(voucher).unlink(missing_ok=True)
        _put_in_place(temporary, folder)
    finally:
        shutil.rmtree(temporary, ignore_errors=True)
    _flush(folder.parent)


def _put_in_place(temporary, folder):
    """Rename; a folder that is there goes aside first, since no rename replaces one that is not empty."""
    while True:
        try:
            return temporary.rename(folder)
        except OSError as problem:
            if problem.errno not in (errno.ENOTEMPTY, errno.EEXIST):
                raise
        with contextlib.suppress(FileNotFoundError):  # a second writer was faster
            shutil.rmtree(folder.rename(_beside(folder)))


def sweep(path):
    """Remove what writers of `path` left behind when they were killed."""
    path = Path(path)
    for left in path.parent.glob(f".{path.name}.*.tmp"):
        if not _is_being_written(left):
            shutil.rmtree(left, ignore_errors=True) if left.is_dir() else left.unlink(missing_ok=True)


def _beside(path):
    """Return a hidden name beside `path`: .<name>.<machine>-<process>-<anything>.tmp"""
    return path.with_name(f".{path.name}.{socket.gethostname()}-{os.getpid()}-{uuid.uuid4().hex[:4]}.tmp")


def _is_being_written(left):
    """Tell whether the process that a hidden name tells of may be alive."""
    machine, _, process = left.name.rpartition("-")[0].rpartition("-")
    if not process.isdecimal():
        return False
    try:
        if not machine.endswith(f".{socket.gethostname()}"):
            return time.time() - left.stat().st_mtime < DAY
        os.kill(int(process), 0)
    except (ProcessLookupError, FileNotFoundError, OverflowError):
        return False
    except PermissionError:  # somebody else's process
        return True
    return True


def require_writable(folder):
    """Raise a UserError if nothing can be written to a folder, or to the one that it would be made in."""
    folder = Path(folder).absolute()
    place = next(path for path in (folder, *folder.parents) if path.exists())
    if not os.access(place, os.W_OK):
        raise UserError(f"{place} cannot be written to: make it writable, or choose another place with --directory")


def _flush_tree(folder):
    """Wait until the disk holds every file, so that a power cut after the rename finds the folder whole."""
    for directory, _, names in os.walk(folder):
        for name in [*(os.path.join(directory, name) for name in names), directory]:
            _flush(name)


def _flush(path):
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
