"""fetch_digits: each origin, what it refuses, and that a failure leaves the last result as it was."""

import gzip
import json
import subprocess
import sys
from types import SimpleNamespace

import numpy as np
import pytest

from stages.data import fetch_digits, idx_files, mnist_sources, raw_folder
from stages.data.array_files import sha256
from stages.runtime.errors import UserError
from stages.storage import stores


def fetch(out, settings, sample=fetch_digits.SAMPLE, mirror=None):
    fetch_digits.main(SimpleNamespace(settings=settings, out=out, sample=sample, mirror=mirror))
    return stores.read_manifest(out)


@pytest.fixture
def out(tmp_path):
    return tmp_path / "results" / "raw"


def test_the_shipped_sample_needs_no_network(out):
    manifest = fetch(out, {"origin": "sample"})
    assert sorted(path.name for path in out.iterdir()) == sorted(mnist_sources.NAMES.values())
    assert idx_files.open_idx(out / "train-images-idx3-ubyte").values.shape == (10000, 28, 28)
    assert manifest["settings"] == {"origin": "sample"}
    assert manifest["inputs"] == {}
    assert raw_folder.check(out) == manifest["files"]
    assert [path.name for path in out.parent.iterdir() if path.name.startswith(".")] == []


def test_mnist_comes_from_the_sources_and_is_recorded(out, tiny_mnist, serve, monkeypatch):
    files, contents = tiny_mnist
    mirror, _ = serve({f"/{name}.gz": gzip.compress(data) for name, data in contents.items()})
    sources = mnist_sources.fetch
    monkeypatch.setattr(mnist_sources, "fetch", lambda *given: sources(*given, files))
    manifest = fetch(out, {"origin": "mnist", "folder": ""}, mirror=[mirror])
    assert {entry["sha256"] for entry in manifest["files"].values()} == {digest for _, digest in files.values()}


def test_own_gzipped_idx_files_are_copied_uncompressed(out, arrays, idx_gz):
    manifest = fetch(out, {"origin": "files", "files": idx_gz})
    for role, array in arrays.items():
        assert (out / manifest["files"][role]["file"]).read_bytes() == idx_files.encode(array)


def test_one_npz_file_may_hold_everything_and_is_copied_once(out, arrays, tmp_path):
    path = tmp_path / "own.npz"
    np.savez(path, **arrays)
    manifest = fetch(out, {"origin": "files", "files": dict.fromkeys(arrays, str(path))})
    assert [file.read_bytes() for file in out.iterdir()] == [path.read_bytes()]
    assert {entry["sha256"] for entry in manifest["files"].values()} == {sha256(path)}


def test_relative_paths_start_at_the_working_directory(out, idx_gz, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    relative = {role: f"own/{role}.gz" for role in idx_gz}
    assert fetch(out, {"origin": "files", "files": relative})["digest"]


def test_the_digest_follows_the_content_not_the_packing(out, arrays, idx_gz, tmp_path):
    packed = fetch(out, {"origin": "files", "files": idx_gz})
    for role, array in arrays.items():
        (tmp_path / role).write_bytes(idx_files.encode(array))
    plain = fetch(out, {"origin": "files", "files": {role: str(tmp_path / role) for role in arrays}})
    assert packed["digest"] == plain["digest"]
    (tmp_path / "test_labels").write_bytes(idx_files.encode(arrays["test_labels"][::-1]))
    other = fetch(out, {"origin": "files", "files": {role: str(tmp_path / role) for role in arrays}})
    assert other["digest"] != plain["digest"]


def spoil(paths, role, content):
    with open(paths[role], "wb") as file:
        file.write(content)


BAD_FILES = {
    "truncated": (
        lambda paths, _: spoil(paths, "train_images", idx_files.encode(np.zeros((9, 3, 3)))[:-1]),
        "found 96",
    ),
    "wrong magic": (lambda paths, _: spoil(paths, "test_labels", b"hello"), "wanted an IDX file"),
    "count mismatch": (lambda paths, _: spoil(paths, "test_labels", idx_files.encode(np.zeros(3))), "as many labels"),
    "swapped": (
        lambda paths, _: paths.update(train_images=paths["train_labels"]),
        r"wanted images \(sample, row, col\)",
    ),
    "missing": (lambda paths, _: paths.update(train_labels="nothing"), "data.files.train_labels: wanted .* no file /"),
    "a package's, missing": (
        lambda paths, _: paths.update(train_images="/usr/share/datasets/no-such-set/train.gz"),
        r"no file .*; install Debian's package dataset-no-such-set, or name your file there, or .*\(data\.folder\)",
    ),
    "not named": (lambda paths, _: paths.update(test_images=""), "data.files.test_images: wanted .* found nothing"),
    "a folder": (lambda paths, place: paths.update(test_images=str(place)), "data.files.test_images: wanted"),
}


@pytest.mark.parametrize(("spoiling", "message"), BAD_FILES.values(), ids=BAD_FILES)
def test_bad_files_are_refused_and_the_last_result_stays(out, idx_gz, tmp_path, spoiling, message):
    fetch(out, {"origin": "files", "files": idx_gz})
    before = {path: path.read_bytes() for path in out.parent.rglob("*") if path.is_file()}
    spoiling(idx_gz, tmp_path)
    with pytest.raises(UserError, match=message):
        fetch(out, {"origin": "files", "files": idx_gz})
    assert {path: path.read_bytes() for path in out.parent.rglob("*") if path.is_file()} == before
    raw_folder.check(out)


def test_a_spoilt_sample_is_refused(out, tmp_path):
    with pytest.raises(UserError, match="found no SHA256SUMS there"):
        fetch(out, {"origin": "sample"}, sample=tmp_path)
    for path in fetch_digits.SAMPLE.iterdir():
        (tmp_path / path.name).write_bytes(path.read_bytes())
    (tmp_path / "t10k-labels-idx1-ubyte.gz").write_bytes(b"other")
    with pytest.raises(UserError, match=r"t10k-labels-idx1-ubyte\.gz: wanted SHA-256 .* found"):
        fetch(out, {"origin": "sample"}, sample=tmp_path)
    (tmp_path / "t10k-labels-idx1-ubyte.gz").unlink()
    with pytest.raises(UserError, match="found no such file"):
        fetch(out, {"origin": "sample"}, sample=tmp_path)
    assert not out.exists()


def test_what_a_killed_writer_left_is_swept(out):
    left = out.parent / ".raw.0123abcd.tmp"
    left.mkdir(parents=True)
    (left / "part").write_text("x")
    fetch(out, {"origin": "sample"})
    assert not left.exists()


def test_an_unknown_origin_is_refused(out):
    with pytest.raises(UserError, match="wanted mnist, sample or files, found 'cifar'"):
        fetch(out, {"origin": "cifar"})


def test_the_program_says_what_is_wrong_and_exits_with_1(root, out, tmp_path):
    settings = json.dumps({"origin": "mnist", "folder": str(tmp_path)})
    command = [sys.executable, "-m", "stages.data.fetch_digits", "--settings", settings, "--out", str(out)]
    done = subprocess.run(
        [*command, "--mirror", "http://127.0.0.1:1"],
        cwd=root,
        env={"PATH": "", "no_proxy": "127.0.0.1"},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 1
    assert "error: wanted MNIST" in done.stderr
    assert "Traceback" not in done.stderr
    assert list(out.parent.iterdir()) == []


def test_a_damaged_raw_folder_is_noticed(out, idx_gz):
    fetch(out, {"origin": "files", "files": idx_gz})
    path = out / "t10k-labels-idx1-ubyte"
    path.write_bytes(path.read_bytes()[:-1] + b"\x01")
    with pytest.raises(UserError, match="is damaged: wanted SHA-256"):
        raw_folder.check(out)
    path.unlink()
    with pytest.raises(UserError, match="is damaged: wanted t10k-labels-idx1-ubyte, found no such file"):
        raw_folder.check(out)
