"""The smoke preset of the workflow on the device: every rule that computes, beside the same on NumPy."""

import json
import subprocess
import sys
from pathlib import Path

import numpy as np
import pretend_cuda
import pytest
import tolerances
from project_copy import copy_project

from stages import stores

SITE = Path(pretend_cuda.__file__).parent


def snakemake(folder, *options):
    command = [Path(sys.executable).with_name("snakemake"), "--profile", "workflow/profiles/default", "--cores", "2"]
    done = subprocess.run([*command, *options], cwd=folder, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    return folder / "results" / "smoke"


@pytest.fixture(scope="module")
def results(tmp_path_factory):
    """Results of the smoke preset by NumPy and on the device, with all runs of a model in lockstep."""
    folders = [copy_project(tmp_path_factory.mktemp(name)) for name in ("host", "device")]
    # Jobs get a PYTHONPATH of their own, the project's folder: from there they come to the device.
    (folders[1] / "sitecustomize.py").write_text(
        f"import sys\nsys.path.insert(0, {str(SITE)!r})\nimport pretend_cuda\npretend_cuda.install()\n"
    )
    here = snakemake(folders[0], "--config", "preset=smoke", "training={runs: 2}")
    on_device = "execution={device: gpu, lockstep: true}"
    return here, snakemake(folders[1], "--config", "preset=smoke", "training={runs: 2}", on_device)


def computed(folder):
    """Return the manifests of all stores that a device computed or could have, by their paths."""
    manifests = {path.relative_to(folder): json.loads(path.read_text()) for path in sorted(folder.rglob("*.json"))}
    return {str(path): found for path, found in manifests.items() if "backend" in found and path.parts[0] != "data"}


def test_every_store_is_there_and_names_the_device(results):
    here, there = map(computed, results)
    assert there.keys() == here.keys()
    assert len(there) > 100
    assert {manifest["backend"] for manifest in here.values()} == {"numpy"}
    assert {manifest["backend"] for manifest in there.values()} == {"cupy on pretend CUDA device, TF32 off"}
    assert (results[1] / "report.html").is_file()


def test_every_model_starts_with_numpys_numbers(results):
    """The first iterations only: in single precision two trainings part after some dozen."""
    compared = 0
    for manifest in computed(results[0]):
        if manifest.startswith("train"):
            here, there = (stores.read_arrays(folder / manifest.replace(".json", ".zarr")) for folder in results)
            np.testing.assert_allclose(
                there["loss"][:3], here["loss"][:3], **tolerances.SINGLE_TRAINING, err_msg=manifest
            )
            assert all(np.isfinite(there[name]).all() for name in ("W", "b", "loss", "test_accuracy"))
            compared += 1
    assert compared > 20
