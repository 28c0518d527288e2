"""Files and folders appear whole or not at all: killed writers, full disks, two writers at once."""

import contextlib
import os
import random
import shutil
import socket
import subprocess
import sys
import time

import numpy as np
import pytest

from stages.runtime.errors import UserError
from stages.storage import stores, whole_files

FULL = OSError(28, "No space left on device")


def names(folder):
    return sorted(path.name for path in folder.iterdir())


def test_a_write_that_fails_leaves_the_old_file_and_nothing_else(tmp_path):
    whole_files.write_text(tmp_path / "a.csv", "old")

    def write():
        with whole_files.replacing_file(tmp_path / "a.csv") as file:
            file.write(b"new")
            raise FULL

    with pytest.raises(OSError, match="No space"):
        write()
    assert (tmp_path / "a.csv").read_text() == "old"
    assert names(tmp_path) == ["a.csv"]


def test_a_folder_that_does_not_fit_on_the_disk_leaves_the_old_one_and_gives_the_space_back(tmp_path):
    old = tmp_path / "a.zarr"
    old.mkdir()
    (tmp_path / "a.json").write_text("{}")

    def write():
        with whole_files.replacing_folder(old, [tmp_path / "a.json"]) as temporary:
            temporary.mkdir()
            (temporary / "chunk").write_bytes(bytes(1000))
            raise FULL

    with pytest.raises(OSError, match="No space"):
        write()
    assert names(tmp_path) == ["a.json", "a.zarr"]


def test_a_new_folder_takes_the_place_of_the_old_one_and_of_its_voucher(tmp_path):
    old = tmp_path / "a.zarr"
    old.mkdir()
    (old / "old chunk").touch()
    (tmp_path / "a.json").write_text("{}")
    with whole_files.replacing_folder(old, [tmp_path / "a.json"]) as temporary:
        temporary.mkdir()
        (temporary / "new chunk").touch()
    assert names(tmp_path) == ["a.zarr"]
    assert names(old) == ["new chunk"]


def hidden(path, machine=None, process=None):
    """Return a name as a writer of `path` would hide behind, made as a file."""
    left = path.with_name(f".{path.name}.{machine or socket.gethostname()}-{process or os.getpid()}-0a1b.tmp")
    left.touch()
    return left


@pytest.mark.parametrize("collected", [True, False], ids=["collected by its parent", "not yet collected"])
def test_temporary_files_of_ended_processes_are_removed_and_those_of_running_ones_stay(tmp_path, collected):
    ended = subprocess.Popen([sys.executable, "-c", ""])
    os.waitid(os.P_PID, ended.pid, os.WEXITED | os.WNOWAIT)  # it has ended, but still has its id
    if collected:
        ended.wait()
    path = tmp_path / "a.zarr"
    alive, dead = hidden(path), hidden(path, process=ended.pid)
    elsewhere, long_ago = hidden(path, machine="node7.cluster"), hidden(path, machine="node8.cluster")
    os.utime(long_ago, (time.time() - 2 * whole_files.DAY,) * 2)
    whole_files.sweep(path)
    ended.wait()
    assert names(tmp_path) == sorted([alive.name, elsewhere.name])
    assert not dead.exists()


def test_another_path_whose_name_begins_alike_is_not_swept(tmp_path):
    other = tmp_path / ".a.zarr2.dead.tmp"
    other.touch()
    whole_files.sweep(tmp_path / "a.zarr")
    assert other.exists()


WRITER = """
import sys
import numpy as np
from stages.storage import stores
for _ in range(40):
    stores.write(sys.argv[1], {"x": (("i",), np.arange(5.0))}, settings={"n": 1}, inputs={})
"""


def test_two_writers_of_one_store_do_not_disturb_each_other(tmp_path, root):
    """An orphaned job and its successor: sweeping once took the other's files away while it wrote them."""
    command = [sys.executable, "-c", WRITER, str(tmp_path / "a.zarr")]
    writers = [subprocess.Popen(command, cwd=root, stderr=subprocess.PIPE, text=True) for _ in range(2)]
    said = [writer.communicate()[1] for writer in writers]
    assert [writer.returncode for writer in writers] == [0, 0], said
    np.testing.assert_array_equal(stores.read_arrays(tmp_path / "a.zarr")["x"], np.arange(5.0))
    assert names(tmp_path) == ["a.json", "a.zarr"]


def example(path):
    stores.write(
        path,
        {"x": (("layer",), np.arange(30.0), {"units": "1"}), "seconds": (("epoch",), [1.5])},
        coordinates={"solver": (("solver",), ["euler", "ode45"])},
        attributes={"seconds": 1.234567},
        settings={"depth": 3},
        inputs={},
        measured=("seconds",),
    )


def same(one, other):
    """Tell whether two results of stores.check are alike in everything."""
    return (
        all(one[1].get(name) == value for name, value in other[1].items() if name != "checksum")
        and set(one[0]) == set(other[0])
        and all(
            (mine.dims, mine.attrs, mine.values.dtype) == (theirs.dims, theirs.attrs, theirs.values.dtype)
            and np.array_equal(mine.values, theirs.values)
            for mine, theirs in ((one[0][name], other[0][name]) for name in one[0])
        )
    )


def test_every_mutated_byte_of_a_store_is_refused_or_changes_nothing(tmp_path):
    """Attributes had no checksum once: a flipped bit changed the seconds of an attack."""
    store = tmp_path / "a.zarr"
    example(store)
    good, rng = stores.check(store), random.Random(0)
    files = [path for path in tmp_path.rglob("*") if path.is_file()]
    refused = 0
    for _ in range(int(os.environ.get("SNODE_FUZZ", "200"))):
        path = rng.choice(files)
        content = path.read_bytes()
        place = rng.randrange(len(content))
        path.write_bytes(content[:place] + bytes([content[place] ^ 1 << rng.randrange(8)]) + content[place + 1 :])
        try:
            assert same(stores.check(store), good), f"{path}, byte {place}"
        except UserError:
            refused += 1
        path.write_bytes(content)
    assert refused > 0
    assert same(stores.check(store), good)


@pytest.mark.parametrize("mutate", ["delete", "truncate", "empty"])
def test_every_file_of_a_store_is_missed_or_not_needed(tmp_path, mutate):
    example(tmp_path / "a.zarr")
    good = stores.check(tmp_path / "a.zarr")
    for path in [path for path in tmp_path.rglob("*") if path.is_file()]:
        shutil.rmtree(tmp_path / "copy", ignore_errors=True)
        shutil.copytree(tmp_path, tmp_path / "copy", ignore=shutil.ignore_patterns("copy"))
        victim = tmp_path / "copy" / path.relative_to(tmp_path)
        if mutate == "delete":
            victim.unlink()
        else:
            victim.write_bytes(b"" if mutate == "empty" else path.read_bytes()[: path.stat().st_size // 2])
        with contextlib.suppress(UserError):
            assert same(stores.check(tmp_path / "copy" / "a.zarr"), good), str(path)
