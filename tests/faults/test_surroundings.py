"""A disk that fills, a folder that cannot be written, two workflows at once, lost records, a clock set back."""

import contextlib
import os
import random
import shutil
import signal
import subprocess
import sys
import time

import pytest
import yaml
from kit import tiny_workflow
from kit.tiny_workflow import RESULTS, sampled, share

pytestmark = pytest.mark.faults


@contextlib.contextmanager
def mounted(*options, on):
    """Mount something on a folder, as root alone can; others skip the test."""
    made = subprocess.run(["mount", *map(str, options), str(on)], capture_output=True, text=True)
    if made.returncode:
        pytest.skip(f"cannot mount: {made.stderr.strip()}")
    try:
        yield
    finally:
        subprocess.run(["umount", "--lazy", str(on)], check=True)


# --- a disk that fills ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("number", sampled(share(0.1)))
def test_a_full_disk_is_said_and_nothing_is_lost(undisturbed, tmp_path, number):
    rng = random.Random(number)
    stage, target = list({"train": "train", "noise": "noise", "attack": "attacks", "figures": "figures"}.items())[
        number % 4
    ]
    place = tmp_path / "place"
    place.mkdir()
    with mounted("-t", "tmpfs", "-o", "size=64m", "tmpfs", on=place):
        tiny_workflow.copy(f"{undisturbed}/.", place)
        for path in sorted((place / RESULTS / stage).iterdir())[:2]:
            shutil.rmtree(path) if path.is_dir() else path.unlink()
        fill(place, leave=rng.randrange(0, 160_000))
        status, said = tiny_workflow.run(place, target)
        if status:
            assert "No space left on device" in said or "the disk is full" in said
            assert not tiny_workflow.vouched_damage(place)
        (place / "filler").unlink()
        tiny_workflow.go_on(place, undisturbed, target)


def fill(place, leave):
    """Fill a disk but for some bytes."""
    state = os.statvfs(place)
    with open(place / "filler", "wb") as file:
        file.write(bytes(max(0, state.f_bavail * state.f_frsize - leave)))


@pytest.mark.sample
def test_a_program_on_a_full_disk_says_so_in_a_line_and_clears_up(undisturbed, tmp_path, root):
    results = undisturbed / RESULTS
    settings = results / "train/ncg_ce_tanh/run0.json"
    with mounted("-t", "tmpfs", "-o", "size=1m", "tmpfs", on=tmp_path):
        fill(tmp_path, leave=8192)
        words = ["--settings", settings, "--digits", results / "data/digits.zarr", "--runs", "0", "--device", "cpu"]
        command = [sys.executable, "-m", "stages.train.train_network", *words, "--out", tmp_path / "run0.zarr"]
        ended = subprocess.run(command, cwd=root, capture_output=True, text=True)
        assert ended.returncode == 1
        assert "error: " in ended.stderr
        assert "the disk is full: free some space and run the same command again" in ended.stderr
        assert "Traceback" not in ended.stderr
        assert [path.name for path in tmp_path.iterdir()] == ["filler"]


# --- a folder that cannot be written ----------------------------------------------------------------------------------


@pytest.mark.parametrize("where", [pytest.param("results", marks=pytest.mark.sample), "."])
def test_a_read_only_folder_is_said_before_anything_starts(place, undisturbed, where):
    shutil.rmtree(place / RESULTS / "solvers")
    folder = place / where
    with mounted("--bind", folder, on=folder):
        subprocess.run(["mount", "-o", "remount,ro,bind", str(folder)], check=True)
        status, said = tiny_workflow.run(place, "solvers")
        assert status == 1
        assert "cannot be written to: make it writable, or choose another place with --directory" in said
        assert "Traceback" not in said
    tiny_workflow.go_on(place, undisturbed, "solvers")


# --- two workflows in one folder --------------------------------------------------------------------------------------


@pytest.mark.sample
def test_a_second_workflow_in_the_folder_is_refused_and_the_first_one_finishes(place, undisturbed, tmp_path):
    shutil.rmtree(place / RESULTS / "solvers")
    first = tiny_workflow.start(place, "solvers")
    programs = tiny_workflow.wait_for(lambda: tiny_workflow.stage_programs(first), first)
    for program in programs:
        os.kill(program, signal.SIGSTOP)  # it waits until the second has spoken
    again = tmp_path / "again"
    again.symlink_to(place)
    status, said = tiny_workflow.run(again, "solvers")
    assert status == 1
    assert "Directory cannot be locked" in said
    assert "It can be removed with the --unlock argument" in said
    for program in programs:
        os.kill(program, signal.SIGCONT)
    status, said = tiny_workflow.finish(first, place)
    assert status == 0, said
    tiny_workflow.assert_undisturbed(place, undisturbed)


# --- lost records -----------------------------------------------------------------------------------------------------


def change(place, block, **settings):
    """Change a block of the configuration."""
    config = yaml.safe_load((place / "config.yaml").read_text())
    config[block].update(settings)
    (place / "config.yaml").write_text(yaml.safe_dump(config))


@pytest.mark.sample
def test_without_snakemakes_records_nothing_is_made_again(place, undisturbed):
    shutil.rmtree(place / ".snakemake")
    said = tiny_workflow.go_on(place, undisturbed)
    assert "Nothing to be done" in said


def test_without_snakemakes_records_a_changed_setting_is_still_noticed(place, undisturbed):
    """Snakemake alone said that there was nothing to do."""
    shutil.rmtree(place / ".snakemake")
    change(place, "noise", draws=2)
    status, said = tiny_workflow.run(place)
    assert status == 0, said
    before, after = tiny_workflow.digests(undisturbed), tiny_workflow.digests(place)
    changed = {name for name in after if after[name] != before[name]}
    assert changed == {f"{RESULTS}/noise/{model}/run0.json" for model in ("sgd_ce_tanh", "ncg_ce_tanh")}
    assert tiny_workflow.verify(place)[0] == 0


def test_results_copied_without_stores_or_without_manifests_are_made_again(place, undisturbed):
    """A copy that took the small files alone, and one that took the stores alone."""
    shutil.rmtree(place / ".snakemake")
    shutil.rmtree(place / RESULTS / "solvers/ncg_ce_tanh/run0.zarr")
    (place / RESULTS / "attack/cw/sgd_ce_tanh/run0.json").unlink()
    tiny_workflow.go_on(place, undisturbed)


# --- the clock --------------------------------------------------------------------------------------------------------


def set_times(place, new):
    """Give every file under results a new time, from its old one."""
    for path in [place / "results", *(place / "results").rglob("*")]:
        moment = new(path.stat().st_mtime)
        os.utime(path, (moment, moment))


def test_a_clock_set_back_while_the_data_change_leaves_nothing_old(place, tmp_path):
    """All files are from tomorrow. The data stage alone runs anew: its digits are older than the networks."""
    set_times(place, lambda moment: time.time() + 86400)
    change(place, "data", train=40)
    status, said = tiny_workflow.run(place, "data")
    assert status == 0, said
    status, said = tiny_workflow.run(place)
    assert status == 0, said
    fresh = tiny_workflow.prepare(tmp_path / "fresh")
    change(fresh, "data", train=40)
    status, said = tiny_workflow.run(fresh)
    assert status == 0, said
    tiny_workflow.assert_undisturbed(place, fresh)


@pytest.mark.parametrize("number", share(0.05))
def test_odd_times_change_no_result(place, undisturbed, number):
    rng = random.Random(number)
    set_times(place, lambda moment: rng.uniform(1e8, 2.5e9))
    tiny_workflow.go_on(place, undisturbed)
    status, said = tiny_workflow.run(place)
    assert status == 0, said
    assert "Nothing to be done" in said
