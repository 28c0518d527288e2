"""The smoke preset of the workflow by the GPU's profile: every rule that a device computes, beside the same on NumPy.

Cut down to what shows it: three models of one epoch, two runs in lockstep, one trainer's attacks. The whole takes eight
minutes of processor time here (README.md has what was seen of it). And in double precision, in which both can be
compared to the end: in single precision two trainings part after some dozen iterations. Figures, tables and the report
know no device.
"""

import json
import subprocess
import sys
from pathlib import Path

import numpy as np
import pretend_cuda
import pytest
from kit import tolerances
from kit.project_copy import copy_project

from stages.storage import stores

SITE = Path(pretend_cuda.__file__).parent
TARGETS = ("train", "noise", "sensitivity", "uncertainty", "solvers", "attacks")
CUT = (
    "preset=smoke",
    "network={precision: float64}",
    "training={runs: 2}",
    "trainers={ncg-ode45: {epochs: 1}}",
    "models={table1: [ncg-ode45_l2_tanh],"
    " table2: {trainers: [sgd-wd, ncg-sobolev], losses: [ce], activations: [tanh]}}",
    "attack={trainers: [ncg-sobolev]}",
)


def snakemake(folder, profile):
    """Run the workflow in a copy of the project; return {manifest's path: its content} of all that was computed."""
    command = [Path(sys.executable).with_name("snakemake"), *TARGETS, "--profile", f"workflow/profiles/{profile}"]
    done = subprocess.run([*command, "--cores", "2", "--config", *CUT], cwd=folder, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    manifests = [path for path in folder.glob("results/smoke/**/*.json") if ".zarr" not in str(path)]
    found = {str(path.relative_to(folder)): json.loads(path.read_text()) for path in sorted(manifests)}
    return {path: manifest for path, manifest in found.items() if "/data/" not in path}


@pytest.fixture(scope="module")
def results(tmp_path_factory):
    """(folder, manifests) by NumPy and on the device."""
    folders = [copy_project(tmp_path_factory.mktemp(name)) for name in ("host", "device")]
    # Jobs get a PYTHONPATH of their own, the project's folder: from there they come to the device.
    (folders[1] / "sitecustomize.py").write_text(
        f"import sys\nsys.path.insert(0, {str(SITE)!r})\nimport pretend_cuda\npretend_cuda.install()\n"
    )
    return [(folder, snakemake(folder, profile)) for folder, profile in zip(folders, ("default", "gpu"), strict=True)]


def test_every_store_is_there_and_names_the_device(results):
    (_, here), (_, there) = results
    assert there.keys() == here.keys()
    assert len(there) == 3 * 2 + 2 * 2 + 2 * 2 + 2 * 2 + 2 + 7 * 2
    assert {manifest["backend"] for manifest in here.values()} == {"numpy"}
    assert {manifest["backend"] for manifest in there.values()} == {"cupy on pretend CUDA device, TF32 off"}


def test_every_number_is_numpys(results):
    (here, manifests), (there, _) = results
    for manifest in manifests:
        expected, found = (stores.read_arrays(folder / manifest.replace(".json", ".zarr")) for folder in (here, there))
        assert found.keys() == expected.keys()
        tolerance = tolerances.LINE_SEARCH_STEPS if "/cw" in manifest else tolerances.ANOTHER_DEVICE
        for name in expected.keys() - {"seconds"}:
            assert found[name].dtype == expected[name].dtype
            if found[name].dtype.kind == "f":
                np.testing.assert_allclose(found[name], expected[name], **tolerance, err_msg=f"{manifest}: {name}")
            else:
                np.testing.assert_array_equal(found[name], expected[name], f"{manifest}: {name}")
