"""Attacks on published networks with the shipped digits: their settings, and the digits, are those of the network."""

import subprocess
import sys

import numpy as np
import pytest
from kit.project_copy import ROOT

from stages.attack.methods import fgsm
from stages.config import configuration
from stages.plan import stage_settings
from stages.publish import attack_published, publish
from stages.runtime.errors import UserError
from stages.storage import stores


@pytest.fixture(scope="module")
def config():
    return configuration.load(ROOT, "quick")


def test_a_published_network_can_be_attacked_with_the_shipped_digits(tmp_path, rng):
    config = configuration.load(ROOT, "quick", {"network": {"depth": 2}})
    settings = stage_settings.train_settings(config, "ncg_ce_relu") | {"run": 0, "rounded": "float16"}

    def write_network(W, b):
        variables = {"W": (("layer", "out", "in"), W), "b": (("layer", "out"), b)}
        stores.write(tmp_path / "networks/ncg_ce_relu.zarr", variables, settings=settings, inputs={})

    b = np.zeros((2, 196), np.float16)
    write_network((rng.standard_normal((2, 196, 196)) / 20).astype(np.float16), b)
    command = [sys.executable, "-m", "stages.publish.attack_published", "--networks", str(tmp_path / "networks")]
    command += ["--out", str(tmp_path / "out"), "--images", "40", "--attack", "fgsm"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert "ncg_ce_relu, 2 layers: classifies" in done.stdout
    assert "of 2,000 test digits correctly" in done.stdout
    result = stores.read(tmp_path / "out/attack/fgsm/ncg_ce_relu.zarr")
    assert f"fgsm attack on {result.sizes['sample']} of them" in done.stdout
    assert result.sizes["sample"] > 0
    done = subprocess.run([*command, "--hold"], cwd=ROOT, capture_output=True, text=True)
    assert "fgsm-held attack on" in done.stdout, done.stderr
    held = stores.read(tmp_path / "out/attack/fgsm-held/ncg_ce_relu.zarr")
    moved = held["adversarial"].values != held["original"].values
    assert moved.any()
    assert not moved[:, :10].any()
    label = stores.read_arrays(tmp_path / "out/data/digits-14.zarr")["test_label"][0]
    b[:, (label + 1) % 10] = 10  # always another class than the first image's
    write_network(np.zeros((2, 196, 196), np.float16), b)
    done = subprocess.run([*command, "--images", "1"], cwd=ROOT, capture_output=True, text=True)
    assert "no image was classified correctly: nothing to attack" in done.stdout, done.stderr
    done = subprocess.run([*command, "--images", "-3"], cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 1
    assert "--images: wanted 1 to 2000, the shipped test images; found -3" in done.stderr
    done = subprocess.run([*command, "--network", "nobody"], cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 1
    assert "there are: ncg_ce_relu" in done.stderr


def test_only_attacks_that_balls_confine_get_radii(config, monkeypatch):
    for name in config["attack"]["attacks"]:
        settings = attack_published.attack_settings(config, name, hold=False, scale=1)
        assert ("radii" in settings) == (not name.startswith("cw"))
    monkeypatch.setattr(fgsm, "CONFINED", False, raising=False)  # as an attack of one's own may say
    assert "radii" not in attack_published.attack_settings(config, "fgsm", hold=False, scale=1)


def test_norms_grow_with_the_side_of_the_images(config):
    small, large = (attack_published.attack_settings(config, "sensitivity", False, scale) for scale in (1, 2))
    assert large["attack"]["step"] == 2 * small["attack"]["step"]
    assert large["radii"]["last"] == 2 * small["radii"]["last"]


def test_an_attack_that_needs_another_network_is_refused(config):
    lines = config["attack"]["attacks"] | {"other": {"method": "transfer", "loss": "ce", "step": 0.1, "iterations": 2}}
    changed = config | {"attack": config["attack"] | {"attacks": lines}}
    with pytest.raises(UserError, match=r"wanted one of .*found 'other', which needs the network's twin"):
        attack_published.attack_settings(changed, "other", False, 1)


def test_digits_of_other_settings_are_made_again(config, tmp_path):
    few = config | {"data": config["data"] | {"train": 20, "test": 30}}
    digits = attack_published.shipped_digits(tmp_path, few, 14)
    assert stores.read_arrays(digits)["test_image"].shape == (30, 196)
    before = digits.stat().st_ino
    assert attack_published.shipped_digits(tmp_path, few, 14).stat().st_ino == before
    fewer = config | {"data": few["data"] | {"test": 10, "resampling": "antialiased"}}
    again = attack_published.shipped_digits(tmp_path, fewer, 14)
    assert stores.read_arrays(again)["test_image"].shape == (10, 196)
    assert stores.read_arrays(attack_published.shipped_digits(tmp_path, few, 28))["test_image"].shape == (30, 784)


def test_the_networks_that_make_attack_published_names_are_those_that_are_published():
    makefile = (ROOT / "Makefile").read_text()
    assert f"NETWORK ?= {publish.NETWORKS[0]}" in makefile
    assert attack_published.NETWORKS.as_posix() == "workflow/published/networks"
