"""Atomic writes: files and folders appear whole or not at all, even if a writer is killed, a disk is full or two write.

Content is written under a hidden temporary name beside its target, flushed to disk and renamed. The temporary name
holds the writer's machine and process, so that the next writer deletes what dead processes left and nothing else.
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
from stages.runtime.processes import is_running

DAY = 86400  # seconds; writers on other machines cannot be checked and count as dead after this time


@contextlib.contextmanager
def replacing_file(path):
    """Open a temporary file for writing bytes; it replaces `path` at the end."""
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
    """Yield the path of a temporary folder to make and fill; it replaces `folder` at the end.

    vouchers: files that describe the old content (manifests); they are deleted before it is replaced.
    """
    folder = Path(folder)
    folder.parent.mkdir(parents=True, exist_ok=True)
    sweep(folder)
    temporary = _beside(folder)
    try:
        yield temporary
        _flush_tree(temporary)
        for voucher in vouchers:
            voucher.unlink(missing_ok=True)
        _put_in_place(temporary, folder)
    finally:
        shutil.rmtree(temporary, ignore_errors=True)
    _flush(folder.parent)


def _put_in_place(temporary, folder):
    """Rename; move an existing folder aside first, since a rename cannot replace a folder that is not empty."""
    while True:
        try:
            return temporary.rename(folder)
        except OSError as problem:
            if problem.errno not in (errno.ENOTEMPTY, errno.EEXIST):
                raise
        with contextlib.suppress(FileNotFoundError):  # another writer moved it first
            shutil.rmtree(folder.rename(_beside(folder)))


def sweep(path):
    """Remove temporary files that killed writers of `path` left behind."""
    path = Path(path)
    for left in path.parent.glob(f".{path.name}.*.tmp"):
        if not _is_being_written(left):
            shutil.rmtree(left, ignore_errors=True) if left.is_dir() else left.unlink(missing_ok=True)


def _beside(path):
    """Return a hidden name beside `path`: .<name>.<machine>-<process>-<anything>.tmp"""
    return path.with_name(f".{path.name}.{socket.gethostname()}-{os.getpid()}-{uuid.uuid4().hex[:4]}.tmp")


def _is_being_written(left):
    """Tell whether the process named in a temporary name may still be running."""
    machine, _, process = left.name.rpartition("-")[0].rpartition("-")
    if not process.isdecimal():
        return False
    try:
        if not machine.endswith(f".{socket.gethostname()}"):
            return time.time() - left.stat().st_mtime < DAY
    except FileNotFoundError:
        return False
    return is_running(int(process))


def require_writable(folder):
    """Raise a UserError if a folder, or its nearest existing parent, is not writable."""
    folder = Path(folder).absolute()
    place = next(path for path in (folder, *folder.parents) if path.exists())
    if not os.access(place, os.W_OK):
        raise UserError(f"{place} cannot be written to: make it writable, or choose another place with --directory")


def _flush_tree(folder):
    """Flush every file to disk, so that the folder is complete even if power fails after the rename."""
    for path in [*folder.rglob("*"), folder]:
        _flush(path)


def _flush(path):
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
