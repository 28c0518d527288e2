"""Images found on another network: its gradient leads, the victim judges; the program finds the twin beside it."""

import types

import numpy as np
import pytest
from kit import attacked_digits

from stages.attack import attack_network
from stages.attack.methods import pgd as projected_gradient
from stages.attack.methods import transfer
from stages.storage import stores

RADII = [0.3, 0.6]
WALK = {"loss": "ce", "step": 0.3, "iterations": 4}
TRAINED = {
    "network": {
        "interval": attacked_digits.INTERVAL,
        "classes": 10,
        "components": "classes",
        "depth": attacked_digits.DEPTH,
        "precision": "float32",
    },
    "loss": {"mu1": 0.0, "mu2": 1.0, "mu3": 0.4},
}


@pytest.fixture(scope="module")
def case():
    victim, twin = attacked_digits.victim("tanh"), attacked_digits.victim("relu")
    return victim, twin, *attacked_digits.readable(victim, 40)


def test_a_network_that_is_its_own_twin_is_attacked_as_by_pgd(case):
    victim, _, images, labels = case
    expected = projected_gradient.attack(victim, images, labels, RADII, attacked_digits.silent, **WALK)
    victim.surrogate = attacked_digits.victim("tanh")
    found = transfer.attack(victim, images, labels, RADII, attacked_digits.silent, **WALK)
    np.testing.assert_array_equal(found.adversarial, expected.adversarial)
    np.testing.assert_array_equal(found.radius, expected.radius)
    assert found.norm_unconfined is None


def test_the_twins_gradient_leads_and_the_victim_judges(case):
    victim, twin, images, labels = case
    victim.surrogate = twin
    found = transfer.attack(victim, images, labels, RADII, attacked_digits.silent, **WALK)
    fooled = ~np.isnan(found.radius)
    assert 0 < fooled.mean() < 1
    read = victim.predict(victim.network.columns(found.adversarial.astype("float32")))
    np.testing.assert_array_equal(read != labels, fooled)
    own = projected_gradient.attack(victim, images, labels, RADII, attacked_digits.silent, **WALK)
    assert fooled.sum() <= (~np.isnan(own.radius)).sum()
    assert not np.array_equal(found.adversarial, own.adversarial)


def test_the_program_reads_the_twin_beside_the_network_and_records_it(case, tmp_path):
    victim, twin, images, labels = case
    stores.write(
        tmp_path / "digits.zarr",
        {"test_image": (("test", "pixel"), images), "test_label": (("test",), labels.astype("uint8"))},
        settings={},
        inputs={},
    )
    paths = {name: tmp_path / "train" / name / "run0.zarr" for name in ("tanh", "relu")}
    for name, each in (("tanh", victim), ("relu", twin)):
        stores.write(
            paths[name],
            {"W": (("layer", "out", "in"), each.network.W), "b": (("layer", "out"), each.network.b)},
            settings={**TRAINED, "activation": name, "run": 0},
            inputs={},
        )
    settings = {
        "attack": {"method": "transfer", **WALK},
        "images": len(labels),
        "radii": {"first": 0.3, "last": 0.6, "step": 0.3},
        "trained": {**TRAINED, "activation": "tanh"},
        "surrogate": {"model": "relu", "trained": {**TRAINED, "activation": "relu"}},
    }
    out = tmp_path / "out.zarr"
    attack_network.main(
        types.SimpleNamespace(
            settings=settings, digits=tmp_path / "digits.zarr", network=paths["tanh"], out=out, device="cpu"
        )
    )
    victim.surrogate = twin
    expected = transfer.attack(victim, images, labels, RADII, attacked_digits.silent, **WALK)
    np.testing.assert_array_equal(stores.read(out).success, ~np.isnan(expected.radius))
    assert stores.read_manifest(out)["inputs"]["surrogate"] == stores.read_manifest(paths["relu"])["digest"]
