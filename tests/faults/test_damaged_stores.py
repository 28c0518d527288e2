"""Chunks deleted, cut or flipped, manifests edited or lost: said by name, and mended by doing what the message says."""

import json
import os
import random
import re
import shutil

import pytest
from kit import tiny_workflow
from kit.tiny_workflow import RESULTS, sampled, share

from stages.storage import stores

pytestmark = pytest.mark.faults

# A store: something that is made from it, removed as well so that the next command reads the store.
READERS = {
    "data/raw": "data/digits",
    "data/digits.zarr": "solvers/ncg_ce_tanh",
    "train/ncg_ce_tanh/run0.zarr": "solvers/ncg_ce_tanh",
    "noise/ncg_ce_tanh/run0.zarr": "figures/fig_noise_accuracy.png",
    "sensitivity/sgd_ce_tanh/run0.zarr": "figures/fig_sensitivity_ce.pdf",
    "solvers/ncg_ce_tanh/run0.zarr": "tables/table1_solvers.md",
    "attack/cw/sgd_ce_tanh/run0.zarr": "tables/table3_cw.csv",
    "attack/pgd-0.06/ncg_ce_tanh/run0.zarr": "claims.csv",
}


def some_file(store, rng):
    return rng.choice(sorted(path for path in store.rglob("*") if path.is_file() and path.name[0] != "."))


def delete_a_file(store, rng):
    some_file(store, rng).unlink()


def cut_a_file(store, rng):
    path = some_file(store, rng)
    path.write_bytes(path.read_bytes()[: rng.randrange(path.stat().st_size)])


def flip_a_bit(store, rng):
    path = some_file(store, rng)
    content = bytearray(path.read_bytes())
    content[rng.randrange(len(content))] ^= 1 << rng.randrange(8)
    path.write_bytes(bytes(content))


def edit_the_manifest(store, rng):
    path = stores.manifest_path(store)
    manifest = json.loads(path.read_text())
    key = rng.choice(sorted(manifest))
    manifest[key] = rng.choice(["edited", {}, [], None, 3])
    path.write_text(json.dumps(manifest))


def cut_the_manifest(store, rng):
    path = stores.manifest_path(store)
    path.write_text(path.read_text()[: rng.randrange(path.stat().st_size)])


def lose_the_manifest(store, rng):
    stores.manifest_path(store).unlink()


def lose_the_store(store, rng):
    shutil.rmtree(store)


HARMS = [
    delete_a_file,
    cut_a_file,
    flip_a_bit,
    edit_the_manifest,
    cut_the_manifest,
    lose_the_manifest,
    lose_the_store,
]


def obey(place, said):
    """Delete what messages say is to be deleted; return how many things that were."""
    pairs = set(re.findall(r"delete (\S+) and (\S+\.json) and run the workflow again", said))
    for name, manifest in pairs:
        store = place / name  # verify names absolute paths, jobs relative ones
        assert (place / "results") in store.parents
        shutil.rmtree(store, ignore_errors=True)
        (store.parent / manifest).unlink(missing_ok=True)
    return len(pairs)


def remove(path):
    for victim in (path, path.with_suffix(".zarr"), path.with_suffix(".json")):
        if victim.is_dir():
            shutil.rmtree(victim)
        else:
            victim.unlink(missing_ok=True)


@pytest.mark.parametrize("number", sampled(share(0.3)))
def test_damage_is_said_and_mended_by_what_the_message_says(place, undisturbed, number):
    rng = random.Random(number)
    name = list(READERS)[number % len(READERS)]
    harm = HARMS[(number // len(READERS) + number) % len(HARMS)]
    store = place / RESULTS / name
    times = {path: path.stat().st_mtime_ns for path in (store, stores.manifest_path(store))}
    harm(store, rng)
    if rng.random() < 0.5:  # damage that leaves no trace in the times
        for path, mtime in times.items():
            if path.exists():
                os.utime(path, ns=(mtime, mtime))
    remove(place / RESULTS / READERS[name])
    for _ in range(4):
        status, said = tiny_workflow.run(place)
        wrong, report = tiny_workflow.verify(place)
        if status == 0 and wrong == 0:
            break
        assert obey(place, said + report), f"{harm.__name__} on {name}: nothing says what to do\n{said}\n{report}"
    tiny_workflow.assert_undisturbed(place, undisturbed)


@pytest.mark.parametrize("harm", [flip_a_bit, delete_a_file])
def test_damage_that_nobody_reads_is_found_by_verify(place, undisturbed, harm):
    """Snakemake sees that all is there and up to date: it does not look into stores."""
    store = place / RESULTS / "train/sgd_ce_tanh/run0.zarr/W"
    harm(store, random.Random(0))
    status, report = tiny_workflow.verify(place)
    assert status == 1
    assert "train/sgd_ce_tanh/run0.zarr is damaged" in report
    assert "(made by train_network)" in report
    obey(place, report)
    tiny_workflow.go_on(place, undisturbed)
