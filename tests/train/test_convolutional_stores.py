"""A convolutional network through the programs: trained, stored, read back, noised, estimated, swapped and attacked."""

from argparse import Namespace

import numpy as np
import pytest
from kit.digits import CONVOLUTION, train_settings, write_digits

from stages.attack import attack_network
from stages.evaluate import estimate_sensitivity, evaluate_noise, evaluation, swap_solvers
from stages.runtime.errors import UserError
from stages.storage import stores
from stages.storage.network_store import read_network
from stages.train import train_network

ATTACKS = {
    "sensitivity": {"method": "sensitivity", "target": "moving", "kappa": 1.0, "step": 0.3, "iterations": 8},
    "targeted": {"method": "sensitivity", "target": "each", "kappa": 1.0, "step": 0.3, "iterations": 4},
    "pgd": {"method": "pgd", "loss": "own", "step": 0.3, "iterations": 8},
    "fgsm": {"method": "fgsm", "loss": "ce"},
    "cw": {
        **{"method": "cw", "outputs": "scores", "confidence": 0.0, "rate": 0.1},
        **{"searches": 4, "iterations": 10, "constant": 1.0},
    },
}


def train(folder, settings, runs, place="train"):
    outs = [str(folder / place / f"run{run}.zarr") for run in runs]
    options = Namespace(settings=settings, digits=str(folder / "digits.zarr"), runs=runs, out=outs)
    train_network.main(Namespace(**vars(options), checkpoint_minutes=9.0, device="cpu"))
    return outs


@pytest.fixture(scope="module")
def trained(tmp_path_factory):
    """Return (folder, settings, store) of a network that reads most of the easy digits."""
    folder = tmp_path_factory.mktemp("convolution")
    write_digits(folder / "digits.zarr", train=400)
    settings = train_settings("ncg_l2_tanh", iterations=6, trainer={"epochs": 3})
    settings["network"] |= {**CONVOLUTION["network"], "depth": 6}
    return folder, settings, train(folder, settings, [0])[0]


def options(trained, **settings):
    folder, train_settings, store = trained
    given = {"digits": str(folder / "digits.zarr"), "network": store, "out": str(folder / "out.zarr"), "device": "cpu"}
    return Namespace(settings={"seed": 1, "trained": train_settings, **settings}, **given)


def test_it_learns_and_its_store_names_the_dimensions(trained):
    _, settings, store = trained
    network = stores.read(store, expect=settings)
    assert network["W"].dims == ("layer", "out", "row", "column", "in")
    assert network["W"].shape == (6, 3, 3, 3, 3)
    assert network["b"].dims == ("layer", "out")
    assert network["readout"].dims == ("class", "neuron")
    assert network["readout"].shape == (10, 75)
    assert float(network["test_accuracy"][-1]) > 0.8  # chance is 0.1


def test_the_network_that_is_read_back_reads_as_the_trained_one(trained):
    folder, settings, store = trained
    network = read_network(store, settings, np)
    digits = stores.read_arrays(folder / "digits.zarr")
    noise = {"std": [0.0, 0.3], "draws": 1, "clip": False}
    evaluation.main(evaluate_noise.evaluate, options(trained, noise=noise))
    found = stores.read(folder / "out.zarr")["accuracy"]
    assert float(found[0]) == float(stores.read(store)["test_accuracy"][-1])
    assert float(found[1]) < float(found[0])
    assert network.affine.side == 5
    assert network.columns(digits["test_image"]).shape == (25, 40)


def test_runs_in_lockstep_write_the_stores_they_would_write_alone(trained):
    folder, settings, _ = trained
    settings = {**settings, "trainer": {**settings["trainer"], "epochs": 1}}
    together, alone = train(folder, settings, [0, 1], "together"), train(folder, settings, [1], "alone")
    assert stores.manifest_path(alone[0]).read_bytes() == stores.manifest_path(together[1]).read_bytes()


def test_estimated_perturbations_are_those_measured(trained):
    sensitivity = {"std": 1e-4, "images": 30, "weight_std": 1e-4, "bias_std": 1e-4}
    evaluation.main(estimate_sensitivity.evaluate, options(trained, sensitivity=sensitivity))
    found = stores.read(trained[0] / "out.zarr")
    for prefix in ("", "weights_"):
        last = {name: float(found[f"{prefix}{name}"][-1]) for name in ("estimated", "measured")}
        np.testing.assert_allclose(last["estimated"], last["measured"], rtol=0.02)  # float32, and the next order
        assert last["estimated"] > 0


def test_it_can_be_tested_under_either_solver(trained):
    ode45 = {"rtol": 1e-3, "atol": 1e-6, "norm": "rms"}
    evaluation.main(swap_solvers.evaluate, options(trained, solvers={"inference": ["euler", "ode45"]}, ode45=ode45))
    found = stores.read(trained[0] / "out.zarr")
    np.testing.assert_allclose(found["test_accuracy"][0], found["test_accuracy"][1], atol=0.2)


@pytest.mark.parametrize("attack", ATTACKS)
def test_every_attack_finds_images_that_it_misreads(trained, attack):
    settings = {"attack": ATTACKS[attack], "images": 40}
    if attack != "cw":
        settings["radii"] = {"first": 0.5, "last": 2.5, "step": 0.5}
    attack_network.main(options(trained, **settings))
    found = stores.read(trained[0] / "out.zarr")
    assert found["adversarial"].shape[1] == 25  # images, not states
    assert int(found["success"].sum()) >= 5
    assert (found["predicted"] != found["label"])[found["success"]].all()


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        (
            {"layer": {"kind": "fractal"}},
            r"layer: wanted one of convolution, dense, or your own in a file stages/model/layers/.*; found 'fractal'",
        ),
        ({"components": "all"}, r"components: .* wanted classes, found 'all'"),
        ({"layer": {"kind": "convolution", "channels": 3, "kernel": 3, "inputs": 2}}, r"square images of 2 channels"),
    ],
)
def test_settings_that_make_no_sense_are_refused(trained, changes, message):
    folder, settings, _ = trained
    settings = {**settings, "network": {**settings["network"], **changes}}
    with pytest.raises(UserError, match=message):
        train(folder, settings, [0], "refused")
