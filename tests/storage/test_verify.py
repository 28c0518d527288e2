"""`make verify` finds every store that is damaged, missing, out of date or in the wrong place, and says what to do."""

import json
import shutil
import subprocess
import sys
from types import SimpleNamespace

import numpy as np
import pytest

from stages.data import raw_folder
from stages.runtime.errors import UserError
from stages.storage import stores
from stages.storage import verify as program

MODEL = "sgd_ce_tanh"
PLACES = {  # of results/quick, with the rule that makes each
    "data/raw": "fetch_digits",
    "data/digits.zarr": "downsample_digits",
    f"train/{MODEL}/run0.zarr": "train_network",
    f"train/{MODEL}/run1.zarr": "train_network",
    f"noise/{MODEL}/run0.zarr": "evaluate_noise",
    f"sensitivity/{MODEL}/run0.zarr": "estimate_sensitivity",
    f"solvers/{MODEL}/run0.zarr": "swap_solvers",
    f"attack/pgd-0.06/{MODEL}/run0.zarr": "attack_network",
    f"attack/sensitivity/{MODEL}/run0.zarr": "attack_network",  # an attack that has the name of a stage
}


def make(quick, place, value=1.0):
    """Write a small store in its place, made from those that it is made from in the workflow."""
    if place == "data/raw":
        with raw_folder.publishing(quick / place, {"origin": "sample"}) as (folder, names):
            for role in ("train_images", "train_labels", "test_images", "test_labels"):
                (folder / role).write_text(f"{role} {value}")
                names[role] = role
        return
    stage, *_, name = place.split("/")
    inputs = {"raw": quick / "data/raw"} if stage == "data" else {"digits": quick / "data/digits.zarr"}
    settings = {"stage": stage}
    if stage == "train":
        settings["run"] = int(name[3])
    elif stage != "data":
        inputs["network"] = quick / f"train/{MODEL}" / name
    stores.write(quick / place, {"x": (("i",), np.full(9, value))}, settings=settings, inputs=inputs)


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    """A store in each place: to be copied, not to be changed."""
    folder = tmp_path_factory.mktemp("made")
    for place in PLACES:
        make(folder, place)
    return folder


@pytest.fixture
def quick(made, tmp_path):
    return shutil.copytree(made, tmp_path / "results/quick")


@pytest.fixture
def verify(capsys):
    """Return a function that runs the program; it returns (exit status, what was said)."""

    def run(folder):
        status = 0
        try:
            program.main(SimpleNamespace(results=folder, quiet=False))
        except SystemExit as ended:
            status = ended.code
        return status, capsys.readouterr().out

    return run


def test_it_runs_as_make_runs_it(quick, root):
    command = [sys.executable, "-m", "stages.storage.verify", str(quick.parent)]
    result = subprocess.run(command, cwd=root, capture_output=True, text=True)
    assert result.returncode == 0, result.stderr
    assert "train: 2 whole, 0 not" in result.stdout
    result = subprocess.run([*command, "--quiet"], cwd=root, capture_output=True, text=True)
    assert result.returncode == 0
    assert result.stdout == ""


def lines_of(said, path):
    """Return what was said of a path: the problem and the rule."""
    lines = said.splitlines()
    return [" ".join(lines[place : place + 2]) for place, line in enumerate(lines) if line.startswith(f"  {path} ")]


def test_whole_stores_pass_from_either_folder(quick, verify):
    for folder in (quick.parent, quick):
        status, said = verify(folder)
        assert status == 0, said
        assert sum(int(line.split(": ")[1].split()[0]) for line in said.splitlines()) == len(PLACES)


def flip(path):
    file = max((file for file in path.rglob("*") if file.is_file()), key=lambda file: "/c/" in str(file))
    content = bytearray(file.read_bytes())
    content[len(content) // 2] ^= 4
    file.write_bytes(bytes(content))


def lose_a_chunk(path):
    max((file for file in path.rglob("*") if file.is_file()), key=lambda file: "/c/" in str(file)).unlink()


def lose_the_manifest(path):
    stores.manifest_path(path).unlink()


def edit_the_manifest(path):
    manifest = json.loads(stores.manifest_path(path).read_text())
    stores.manifest_path(path).write_text(json.dumps({**manifest, "digest": "0" * 64}))


def lose_the_store(path):
    shutil.rmtree(path)


@pytest.mark.parametrize("harm", [flip, lose_a_chunk, lose_the_manifest, edit_the_manifest, lose_the_store])
@pytest.mark.parametrize("place", PLACES)
def test_harm_to_any_store_is_found_with_the_rule_that_makes_it(quick, verify, place, harm):
    harm(quick / place)
    status, said = verify(quick.parent)
    assert status == 1
    named = str(stores.manifest_path(place) if harm is edit_the_manifest and place == "data/raw" else place)
    assert named.removesuffix(".zarr") in said
    assert f"(made by {PLACES[place]})" in said
    assert "run the workflow" in said


def test_a_store_made_from_another_input_is_out_of_date(quick, verify):
    make(quick, f"train/{MODEL}/run0.zarr", value=2.0)
    status, said = verify(quick.parent)
    assert status == 1
    for stage in ("noise", "sensitivity", "solvers", "attack/pgd-0.06"):
        path = quick / stage / MODEL / "run0.zarr"
        wanted = f"is out of date: it was made from another network than {quick}/train/{MODEL}/run0.zarr"
        assert any(wanted in line for line in lines_of(said, path)), said
    assert not lines_of(said, quick / f"train/{MODEL}/run1.zarr")


def test_other_digits_make_everything_out_of_date(quick, verify):
    make(quick, "data/raw", value=2.0)
    make(quick, "data/digits.zarr", value=2.0)
    _, said = verify(quick.parent)
    assert f"{quick}/train/{MODEL}/run1.zarr is out of date: it was made from another digits" in said
    assert said.count("is out of date") == len(PLACES) - 2


@pytest.mark.parametrize("twin", ["ncg_ce_tanh", "ncg-robust_ce_tanh"])
def test_an_attack_by_way_of_another_surrogate_is_out_of_date(quick, verify, twin):
    surrogate, out = quick / f"train/{twin}/run0.zarr", quick / f"attack/transfer/{MODEL}/run0.zarr"
    stores.write(surrogate, {"x": (("i",), [1.0])}, settings={"stage": "train", "run": 0}, inputs={})
    stores.write(
        out,
        {"x": (("i",), [1.0])},
        settings={"surrogate": {"model": twin}},
        inputs={"network": quick / f"train/{MODEL}/run0.zarr", "surrogate": surrogate},
    )
    assert verify(quick.parent)[0] == 0
    stores.write(surrogate, {"x": (("i",), [2.0])}, settings={"stage": "train", "run": 0}, inputs={})
    status, said = verify(quick.parent)
    assert status == 1
    wanted = f"is out of date: it was made from another surrogate than {quick}/train/{twin}/run0.zarr"
    assert any(wanted in line for line in lines_of(said, out)), said


def test_a_run_copied_over_another_is_found(quick, verify):
    one, other = (quick / f"train/{MODEL}/run{run}.zarr" for run in (0, 1))
    shutil.rmtree(other)
    shutil.copytree(one, other)
    shutil.copy(stores.manifest_path(one), stores.manifest_path(other))
    status, said = verify(quick.parent)
    assert status == 1
    assert "is another run's: it was made as run 0" in said


def test_inputs_that_were_deleted_to_save_space_are_no_fault(quick, verify):
    shutil.rmtree(quick / "data")
    status, said = verify(quick.parent)
    assert status == 0, said


def test_what_killed_writers_left_is_no_store(quick, verify):
    (quick / "train" / MODEL / ".run2.zarr.dead.tmp").mkdir()
    (quick / "train" / MODEL / ".run2.0a.checkpoint.npz").touch()
    status, said = verify(quick.parent)
    assert status == 0, said


def test_what_make_bench_wrote_is_no_manifest(quick, verify):
    (quick.parent / "bench").mkdir()
    for name in ("bench.json", "bench.md"):
        (quick.parent / "bench" / name).write_text("{}")
    status, said = verify(quick.parent)
    assert status == 0, said


def test_a_folder_without_stores_is_an_error_and_not_a_pass(tmp_path, verify):
    for folder in (tmp_path, tmp_path / "missing"):
        with pytest.raises(UserError, match="found none; run the workflow first"):
            verify(folder)


@pytest.mark.parametrize(
    "content",
    ["", "[]", "{}", "null", '{"files": {"a": 1}}', '{"digest": 1, "settings": 2, "inputs": 3, "measured": 4}'],
)
@pytest.mark.parametrize("place", PLACES)
def test_manifests_of_any_content_give_no_traceback(quick, verify, place, content):
    stores.manifest_path(quick / place).write_text(content)
    assert verify(quick.parent)[0] == 1
