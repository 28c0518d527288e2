"""A training that is killed, at any moment and as often as you like, ends with the bits of one that was not."""

import json
import logging
import os
import random
import time

import numpy as np
import pytest
from kit import forked_programs
from kit.digits import CONVOLUTION, train_settings, write_digits

from stages.storage import stores
from stages.train.checkpoint import Checkpoint

MODELS = {  # one for each kind of state that a checkpoint holds; runs
    "sgd_ce_relu": [0],
    "sgd_l2_tanh, falling rate": [0],
    "sgd_ce_relu, adam": [0],
    "ncg_l2_tanh": [0],
    "ncg_ce_tanh, rk4 and gelu": [0],
    "ncg-sobolev_ce_tanh": [0, 1, 2],  # in lockstep
    "ncg_l2_relu, convolutional": [0, 1],
}
CHANGES = {
    "": {},
    "adam": {
        "trainer": {"method": "adam"},
        "adam": {"rate": 0.01, "beta1": 0.9, "beta2": 0.999, "epsilon": 1e-7},
    },
    "rk4 and gelu": {"trainer": {"solver": "rk4"}, "activation": "gelu"},
    "falling rate": {"rmsprop": {"schedule": {"kind": "exponential", "final": 0.001}}},
    "convolutional": CONVOLUTION,
}
FAULTS = int(os.environ.get("SNODE_FAULTS", "8"))


class Training:
    """The command line of one training, its stores in `folder`."""

    def __init__(self, folder, model):
        self.folder, self.runs = folder, MODELS[model]
        model, _, change = model.partition(", ")
        self.settings = train_settings(model, **CHANGES[change])
        if not (folder / "digits.zarr").exists():
            write_digits(folder / "digits.zarr")

    def words(self, place, settings):
        outs = [f"{place}/run{run}.zarr" for run in self.runs]
        words = ["--settings", json.dumps(settings or self.settings), "--digits", "digits.zarr", "--device", "cpu"]
        return ["stages.train.train_network", *words, "--runs", *self.runs, "--out", *outs, "--checkpoint-minutes", "0"]

    def start(self, place, settings=None, **options):
        return forked_programs.start(
            *self.words(place, settings), folder=self.folder, output=self.folder / "said", **options
        )

    def run(self, place, settings=None, **options):
        return forked_programs.run(
            *self.words(place, settings), folder=self.folder, output=self.folder / "said", **options
        )

    def manifests(self, place):
        return [(self.folder / place / f"run{run}.json").read_bytes() for run in self.runs]

    def left(self, place):
        return [path.name for path in (self.folder / place).glob(".*")]


@pytest.fixture(scope="module", params=MODELS)
def training(request, tmp_path_factory):
    """A training that also ran once with nothing happening to it."""
    made = Training(tmp_path_factory.mktemp("training"), request.param)
    made.changes = forked_programs.changes(
        *made.words("undisturbed", None), folder=made.folder, output=made.folder / "said"
    )
    return made


def test_killed_before_any_change_to_the_disk_it_goes_on_to_the_same_bits(training):
    """Every change in turn in the long form: opening, renaming and removing checkpoints, store and manifest."""
    numbers = range(1, training.changes + 1)
    resumed = 0
    for number in random.Random(0).sample(numbers, min(max(4, FAULTS // 3), len(numbers))):
        place = f"killed at {number}"
        status, said = training.run(place, die_at=number)
        # The first training after set-up also writes what it parsed of the sources: later ones make fewer changes.
        assert status == -9 or (status == 0 and number > int(said.rpartition("changes: ")[2])), said
        status, said = training.run(place)
        assert status == 0, said
        assert training.manifests(place) == training.manifests("undisturbed"), f"killed at change {number}"
        assert not training.left(place), f"killed at change {number}"
        resumed += "going on from the checkpoint" in said
    assert resumed > 0


def test_killed_again_and_again_at_random_times_it_ends_with_the_same_bits(training):
    rng, kills, place = random.Random(1), 0, "killed often"
    while kills < max(3, FAULTS // 8):
        process = training.start(place)
        time.sleep(rng.uniform(0.05, 0.5))
        process.kill()
        process.join()
        if process.exitcode == 0:
            break  # a fast machine: it had ended
        kills += 1
    status, said = training.run(place)
    assert status == 0, said
    assert training.manifests(place) == training.manifests("undisturbed")
    assert not training.left(place)


def killed_after_a_checkpoint(training, place):
    """Kill a training whose checkpoint holds some batches; return the checkpoint's path."""
    for number in range(training.changes // 2, 1, -1):
        status, said = training.run(place, die_at=number)
        assert status == -9, said
        if found := list((training.folder / place).glob(".run0.*.checkpoint.npz")):
            return found[0]
    raise AssertionError("no checkpoint was ever written")


@pytest.mark.parametrize("training", ["sgd_ce_relu"], indirect=True)
@pytest.mark.parametrize("damage", ["truncated", "flipped", "emptied", "text"])
def test_a_damaged_checkpoint_is_reported_and_ignored(training, damage):
    place = f"checkpoint {damage}"
    path = killed_after_a_checkpoint(training, place)
    content = bytearray(path.read_bytes())
    content[len(content) // 2] ^= 1
    path.write_bytes({"truncated": content[:-100], "flipped": content, "emptied": b"", "text": b"not NPZ"}[damage])
    status, said = training.run(place)
    assert status == 0, said
    assert "ignoring the damaged checkpoint" in said
    assert "going on from the checkpoint" not in said
    assert training.manifests(place) == training.manifests("undisturbed")
    assert not training.left(place)


@pytest.mark.parametrize("training", ["ncg_l2_tanh"], indirect=True)
def test_a_checkpoint_of_other_settings_is_not_used(training):
    place = "other settings"
    killed_after_a_checkpoint(training, place)
    other = {**training.settings, "seed": training.settings["seed"] + 1}
    status, said = training.run(place, other)
    assert status == 0, said
    assert "it belongs to other settings or other code" in said
    assert "going on from the checkpoint" not in said
    assert not training.left(place)
    status, said = training.run("other settings, undisturbed", other)
    assert status == 0, said
    assert training.manifests(place) == training.manifests("other settings, undisturbed")
    assert training.manifests(place) != training.manifests("undisturbed")


def test_every_mutated_checkpoint_is_ignored_or_gives_the_same_arrays(tmp_path, caplog):
    """A lost entry of the ZIP directory once gave a checkpoint without its history, and a traceback at every start."""
    caplog.set_level(logging.ERROR)
    checkpoint = Checkpoint(tmp_path / "run0.zarr", settings={})
    arrays = {"parameters": np.arange(6, dtype=np.float32), "history_loss": np.ones(2), "batches_done": np.array(3)}
    checkpoint.save(arrays)
    content, rng = checkpoint.path.read_bytes(), random.Random(0)
    for place in rng.sample(range(len(content)), min(len(content), int(os.environ.get("SNODE_FUZZ", "200")))):
        for mutated in (content[:place], content[:place] + bytes([rng.randrange(256)]) + content[place + 1 :]):
            checkpoint.path.write_bytes(mutated)
            found = checkpoint.load()
            if found is not None:
                assert set(found) == set(arrays)
                for name, array in arrays.items():
                    assert found[name].dtype == array.dtype
                    np.testing.assert_array_equal(found[name], array)


def test_a_checkpoint_that_does_not_fit_on_the_disk_leaves_the_last_one(tmp_path):
    class Full:
        """An array that cannot be written."""

        def __array__(self, *arguments, **options):
            raise OSError(28, "No space left on device")

    checkpoint = Checkpoint(tmp_path / "run0.zarr", settings={})
    checkpoint.save({"parameters": np.ones(3)})
    with pytest.raises(OSError, match="No space left"):
        checkpoint.save({"parameters": Full()})
    np.testing.assert_array_equal(checkpoint.load()["parameters"], np.ones(3))
    assert [path.name for path in tmp_path.iterdir()] == [checkpoint.path.name]


@pytest.mark.parametrize("training", ["ncg_l2_tanh"], indirect=True)
def test_the_store_of_a_resumed_training_is_whole(training):
    place = "whole"
    killed_after_a_checkpoint(training, place)
    status, said = training.run(place)
    assert status == 0, said
    assert "going on from the checkpoint" in said
    for run in training.runs:
        stores.check(training.folder / place / f"run{run}.zarr", expect=training.settings)
