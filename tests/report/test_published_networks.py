"""Published networks: the trained ones, rounded, and an attack on one of them."""

import shutil
import subprocess
import sys

import numpy as np
import pytest
from project_copy import ROOT
from publishing import REFERENCE, change_store, files, write_page

from stages import stores
from stages.attack import attack_published
from stages.errors import UserError
from stages.model.classify import accuracy
from stages.plan import configuration, stage_settings
from stages.report import publish, published_networks, restore
from stages.trained_network import read_network


@pytest.mark.parametrize("model", publish.NETWORKS)
def test_a_published_network_is_the_trained_one_rounded_and_says_what_that_costs(
    paper_run, published, paper_config, model
):
    trained, small = paper_run / f"train/{model}/run0.zarr", published / f"networks/{model}.zarr"
    settings = stores.read_manifest(trained)["settings"]
    dataset = stores.read(small, settings | {"rounded": "float16"})
    assert dataset["W"].dtype == dataset["b"].dtype == np.float16
    network = read_network(small, settings, np)
    assert network.dtype == np.float32
    whole = stores.read_arrays(trained)
    np.testing.assert_array_equal(network.W, whole["W"].astype(np.float16).astype(np.float32))
    digits = stores.read_arrays(paper_run / "data/digits.zarr")
    measured = accuracy(network, digits["test_image"], digits["test_label"], 10)
    assert dataset.attrs["test_accuracy_rounded"] == pytest.approx(float(measured), abs=1e-12)
    assert dataset.attrs["test_images"] == 200
    assert stores.read_manifest(small)["inputs"]["network"] == stores.read_manifest(trained)["digest"]
    assert f"`{model}`" in (published / "networks/README.md").read_text()


def test_weights_too_large_for_float16_are_refused(paper_run, paper_config, tmp_path):
    results = tmp_path / "paper"
    shutil.copytree(paper_run, results)
    change_store(results / "train/ncg_ce_relu/run0.zarr", lambda arrays: arrays["W"].__setitem__((0, 0, 0), 1e6))
    with pytest.raises(UserError, match="float16 can hold"):
        published_networks.round_network(results, paper_config, "ncg_ce_relu", tmp_path / "small.zarr")
    assert not (tmp_path / "small.zarr").exists()


def test_what_was_published_can_be_published_again_without_the_weights(paper_run, published, tmp_path):
    """From a fresh clone: the stores restored, all else made anew, the networks as they lie there."""
    results, out = tmp_path / "paper", shutil.copytree(published, tmp_path / "out")
    shutil.copytree(
        paper_run, results, ignore=shutil.ignore_patterns("train", "noise", "sensitivity", "solvers", "attack")
    )
    restore.restore(published / "stores/paper", results)
    publish.publish(results, "paper", out, REFERENCE)
    assert files(out) == files(published)

    other = stores.manifest_path(out / "networks/ncg_ce_relu.zarr")
    digest = stores.read_manifest(results / "train/ncg_ce_relu/run0.zarr")["digest"]
    other.write_text(other.read_text().replace(digest, "0" * 64))
    with pytest.raises(UserError, match=r"an extract without weights, and .* is not that network"):
        publish.publish(results, "paper", out, REFERENCE)


def test_other_presets_leave_the_published_networks_alone(paper_run, paper_config, tmp_path):
    results = tmp_path / "smoke"
    shutil.copytree(paper_run, results)
    write_page(results, paper_config | {"preset": "smoke"})
    publish.publish(results, "smoke", tmp_path / "out", REFERENCE)
    assert [path.name for path in (tmp_path / "out").iterdir()] == ["smoke"]


def test_a_published_network_can_be_attacked_with_the_shipped_digits(tmp_path, rng):
    config = configuration.load(ROOT, "quick", {"network": {"depth": 2}})
    weights = (rng.standard_normal((2, 196, 196)) / 20).astype(np.float16)
    stores.write(
        tmp_path / "networks/ncg_ce_relu.zarr",
        {"W": (("layer", "out", "in"), weights), "b": (("layer", "out"), np.zeros((2, 196), np.float16))},
        settings=stage_settings.train_settings(config, "ncg_ce_relu") | {"run": 0, "rounded": "float16"},
        inputs={},
    )
    command = [sys.executable, "-m", "stages.attack.attack_published", "--networks", str(tmp_path / "networks")]
    command += ["--out", str(tmp_path / "out"), "--images", "40", "--attack", "fgsm"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert "ncg_ce_relu, 2 layers: reads" in done.stdout
    assert "of 2,000 test digits correctly" in done.stdout
    found = stores.read(tmp_path / "out/attack/fgsm/ncg_ce_relu.zarr")
    assert f"fgsm attack on {found.sizes['sample']} that it reads correctly" in done.stdout
    assert found.sizes["sample"] > 0
    done = subprocess.run([*command, "--hold"], cwd=ROOT, capture_output=True, text=True)
    assert "fgsm-held attack on" in done.stdout, done.stderr
    held = stores.read(tmp_path / "out/attack/fgsm-held/ncg_ce_relu.zarr")
    moved = held["adversarial"].values != held["original"].values
    assert moved.any()
    assert not moved[:, :10].any()
    done = subprocess.run([*command, "--images", "-3"], cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 1
    assert "--images: wanted 1 to 2000, the shipped test images; found -3" in done.stderr
    done = subprocess.run([*command, "--network", "nobody"], cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 1
    assert "there are: ncg_ce_relu" in done.stderr


def test_the_networks_that_make_attack_published_names_are_those_that_are_published():
    makefile = (ROOT / "Makefile").read_text()
    assert f"NETWORK ?= {publish.NETWORKS[0]}" in makefile
    assert attack_published.NETWORKS.as_posix() == "workflow/published/networks"
