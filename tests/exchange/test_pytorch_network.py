"""The document's example: a residual network that PyTorch trains outside of the project goes through the workflow."""

import subprocess
import sys

import numpy as np
import pytest
import yaml
from kit import documents
from kit.snakemake_project import tiny_project

from stages.exchange import import_network
from stages.storage import stores
from stages.zoo import load

torch = pytest.importorskip("torch", reason="wants torch: make test-exchange")
safetensors = pytest.importorskip("safetensors.torch", reason="wants safetensors: make test-exchange")

MODEL, LAYERS, STEP = "mine_ce_relu", 20, 0.15
EXAMPLE = "import gzip\n\nimport numpy as np\nimport torch"
GIVEN = "models={given: {mine: {file: mine.safetensors, activation: relu, interval: 3.0, loss: ce}}}"
SIZES = {"data": {"train": 100, "test": 200, "side": 14}, "sensitivity": {"images": 20}, "attack": {"images": 20}}


@pytest.fixture(scope="module")
def workflow(tmp_path_factory):
    """A small experiment with images of 14 x 14, and beside it the network that the document's example trained."""
    workflow = tiny_project(tmp_path_factory.mktemp("brought"))
    settings = yaml.safe_load((workflow.folder / "tiny.yaml").read_text())
    for key, changes in SIZES.items():
        settings[key] |= changes
    (workflow.folder / "tiny.yaml").write_text(yaml.safe_dump(settings | {"beyond": True}))
    example = f"import torch\ntorch.manual_seed(0)\n{documents.printed(EXAMPLE)}"
    done = subprocess.run([sys.executable, "-c", example], cwd=workflow.folder, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return workflow


def in_pytorch(folder, images):
    """The scores that PyTorch computes with the saved state dict."""
    layers = torch.nn.ModuleList(torch.nn.Linear(196, 196) for _ in range(LAYERS))
    layers.load_state_dict(safetensors.load_file(folder / "mine.safetensors"))
    x = torch.tensor(images)
    with torch.no_grad():
        for layer in layers:
            x = x + STEP * torch.relu(layer(x))
    return x[:, :10].numpy()


def test_it_goes_through_noise_sensitivity_uncertainty_attacks_and_the_report(workflow):
    result = workflow.snakemake(config=[GIVEN])
    assert result.returncode == 0, result.stdout + result.stderr
    results = workflow.folder / "results/smoke"
    digits = stores.read_arrays(results / "data/digits.zarr")
    right = (in_pytorch(workflow.folder, digits["test_image"]).argmax(axis=1) == digits["test_label"]).mean()
    assert right > 0.85  # it was trained
    assert stores.read(results / f"train/{MODEL}/run0.zarr")["test_accuracy"].item() == right
    noise = stores.read(results / f"noise/{MODEL}/run0.zarr")["accuracy"].values
    assert noise[0] == right > noise[-1] - 0.05
    assert stores.read(results / f"sensitivity/{MODEL}/run0.zarr")["relative_error"].values.max() < 0.2
    assert (stores.read(results / f"uncertainty/{MODEL}/run0.zarr")["distance"].values > 0).all()
    attacked = stores.read(results / f"attack/pgd-0.06/{MODEL}/run0.zarr")
    found = attacked.isel(sample=np.flatnonzero(attacked["success"].values))
    assert found.sizes["sample"] > 0
    predicted = in_pytorch(workflow.folder, found["adversarial"].values).argmax(axis=1)
    assert (predicted != found["label"].values).mean() > 0.95  # what was found here deceives PyTorch's network
    assert "models.given.mine.sha256" in (results / "report.html").read_text()


def test_by_hand_it_has_the_scores_of_pytorch(workflow, tmp_path, rng):
    images = rng.uniform(0, 1, (20, 196)).astype(np.float32)
    import_network.import_network(workflow.folder / "mine.safetensors", tmp_path / "mine.zarr", "relu", 3.0)
    scores = load(tmp_path / "mine.zarr").scores(images)
    np.testing.assert_allclose(scores, in_pytorch(workflow.folder, images), atol=1e-4)
