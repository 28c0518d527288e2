"""Every stage program, killed before its n-th change to the file system: no half store, and the same bits after."""

import random

import pytest
from kit import forked_programs
from kit.tiny_workflow import RESULTS, share

from stages.data import raw_folder
from stages.storage import stores

pytestmark = pytest.mark.faults

MODEL = "ncg_ce_tanh"
ON_A_NETWORK = f"--digits {{r}}/data/digits.zarr --network {{r}}/train/{MODEL}/run0.zarr --device cpu"
PROGRAMS = {  # what it makes: (module, options); the settings are those of the manifest
    "data/raw": ("stages.data.fetch_digits", ""),
    "data/digits.zarr": ("stages.data.downsample_digits", "--raw {r}/data/raw"),
    f"train/{MODEL}/run0.zarr": (
        "stages.train.train_network",
        "--digits {r}/data/digits.zarr --runs 0 --device cpu --checkpoint-minutes 0",
    ),
    f"noise/{MODEL}/run0.zarr": ("stages.evaluate.evaluate_noise", ON_A_NETWORK),
    f"sensitivity/{MODEL}/run0.zarr": ("stages.evaluate.estimate_sensitivity", ON_A_NETWORK),
    f"solvers/{MODEL}/run0.zarr": ("stages.evaluate.swap_solvers", ON_A_NETWORK),
    f"attack/cw/{MODEL}/run0.zarr": ("stages.attack.attack_network", ON_A_NETWORK),
}


@pytest.mark.sample
@pytest.mark.parametrize("made", PROGRAMS)
def test_a_program_killed_before_any_change_leaves_nothing_half(undisturbed, tmp_path, made):
    module, options = PROGRAMS[made]
    results = undisturbed / RESULTS
    reference = stores.manifest_path(results / made)

    def words(folder):
        """Return the command line; the store is written to a folder of its own."""
        (tmp_path / folder).mkdir()
        out = tmp_path / folder / reference.with_suffix("" if made == "data/raw" else ".zarr").name
        return [module, "--settings", reference, *options.format(r=results).split(), "--out", out]

    count = forked_programs.changes(*words("counted"), folder=undisturbed, output=tmp_path / "said")
    numbers = range(1, count + 1)
    check = raw_folder.check if made == "data/raw" else stores.check
    for number in random.Random(made).sample(numbers, min(len(share(0.1)), count)):
        command = words(f"killed {number}")
        store = command[-1]
        status, said = forked_programs.run(*command, folder=undisturbed, output=tmp_path / "said", die_at=number)
        assert status == -9, said
        if stores.manifest_path(store).exists():
            check(store)
        status, said = forked_programs.run(*command, folder=undisturbed, output=tmp_path / "said")
        assert status == 0, said
        check(store)
        assert stores.manifest_path(store).read_bytes() == reference.read_bytes(), f"killed at change {number}"
        assert not list(store.parent.glob(".*")), f"killed at change {number}"
