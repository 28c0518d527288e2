"""The program: what a store promises is true of the images in it, and bad input ends in words."""

import copy
import json
import subprocess
import sys
import types

import numpy as np
import pytest
from kit import attacked_digits

from stages import catalogues
from stages.attack import attack_network, catalogue
from stages.attack.attack_result import AttackResult
from stages.model.classify import class_scores
from stages.plan import code_identity
from stages.runtime.errors import UserError
from stages.storage import stores

TRAINED = {
    "network": {
        "interval": attacked_digits.INTERVAL,
        "classes": 10,
        "components": "classes",
        "depth": 8,
        "precision": "float32",
    },
    "activation": "tanh",
    "loss": {"mu1": 0.0, "mu2": 1.0, "mu3": 0.4},
}
RADII = {"first": 0.2, "last": 0.6, "step": 0.2}
WALK = {"step": 0.06, "iterations": 15}
CW = {"method": "cw", "confidence": 0.0, "rate": 0.01, "searches": 3, "iterations": 5, "constant": 0.1}
ATTACKS = {
    "sensitivity": {"method": "sensitivity", "target": "moving", "kappa": 1.0, **WALK},
    "each": {"method": "sensitivity", "target": "each", "kappa": 0.9, **WALK},
    "seven": {"method": "sensitivity", "target": 7, "kappa": 1.0, **WALK},
    "pgd": {"method": "pgd", "loss": "ce", **WALK},
    "own loss": {"method": "pgd", "loss": "own", **WALK},
    "fgsm": {"method": "fgsm", "loss": "ce"},
    "cw": {**CW, "outputs": "scores"},
    "cw-softmax": {**CW, "outputs": "softmax"},
}


@pytest.fixture(scope="module")
def inputs(tmp_path_factory):
    """A digits store and a train store, as the stages before this one write them."""
    folder = tmp_path_factory.mktemp("inputs")
    images, labels = attacked_digits.digits()
    network = attacked_digits.network("tanh")
    stores.write(
        folder / "digits.zarr",
        {"test_image": (("test", "pixel"), images[:60]), "test_label": (("test",), labels[:60].astype("uint8"))},
        settings={},
        inputs={},
    )
    stores.write(
        folder / "network.zarr",
        {"W": (("layer", "out", "in"), network.W), "b": (("layer", "out"), network.b)},
        settings={**TRAINED, "run": 0},
        inputs={},
    )
    return folder


def settings(attack, images=60):
    found = {"attack": ATTACKS[attack], "images": images, "trained": TRAINED}
    return found if ATTACKS[attack]["method"] == "cw" else {**found, "radii": RADII}


def run(inputs, out, wanted):
    options = types.SimpleNamespace(
        settings=wanted, digits=inputs / "digits.zarr", network=inputs / "network.zarr", out=out, device="cpu"
    )
    attack_network.main(options)
    return stores.read(out)


@pytest.mark.parametrize("attack", ATTACKS)
def test_everything_a_store_says_is_true_of_its_images(inputs, tmp_path, attack):
    data = run(inputs, tmp_path / "attack.zarr", settings(attack))
    images, labels = attacked_digits.digits()
    original, adversarial, success = data.original.values, data.adversarial.values, data.success.values
    assert success.any()
    # The attacked images are those of the first 60 that the network reads correctly, a target's own class aside.
    network = attacked_digits.network("tanh")
    correct = class_scores(network, images[:60], 10).argmax(axis=1) == labels[:60]
    if attack == "seven":
        correct &= labels[:60] != 7
    np.testing.assert_array_equal(data.image_index, np.flatnonzero(correct))
    np.testing.assert_array_equal(original, images[:60][correct])
    np.testing.assert_array_equal(data.label, labels[:60][correct])
    # Success, class and norm are those of the stored images.
    found = class_scores(network, adversarial, 10).argmax(axis=1)
    np.testing.assert_array_equal(data.predicted, found)
    np.testing.assert_array_equal(success, found != data.label)
    norm = np.linalg.norm(adversarial.astype("float64") - original, axis=1)
    np.testing.assert_array_equal(data.norm, np.where(success, norm, np.nan))
    np.testing.assert_array_equal(adversarial[~success], original[~success])
    assert adversarial.dtype == np.float32
    assert adversarial.min() >= 0
    assert adversarial.max() <= 1
    assert data.attrs["seconds"] > 0
    if "cw" in attack:
        assert np.isnan(data.radius).all()
    else:
        np.testing.assert_array_equal(np.isnan(data.radius), ~success)
        assert (norm[success] <= data.radius.values[success]).all()
        assert set(data.radius.values[success]) <= {0.2, 0.4, 0.6000000000000001}
    if attack == "each":
        np.testing.assert_array_equal(data.success_by_target.any("target"), success)
        np.testing.assert_allclose(data.norm_by_target.min("target")[success], data.norm[success], rtol=1e-5)
        assert not data.success_by_target.values[np.arange(len(success)), data.label.values].any()


@pytest.mark.parametrize("attack", ["sensitivity", "each", "cw"])
def test_the_same_attack_makes_the_same_bits(inputs, tmp_path, attack):
    digests = []
    for name in ("one.zarr", "two.zarr"):
        run(inputs, tmp_path / name, settings(attack, images=25))
        digests.append(stores.read_manifest(tmp_path / name)["digest"])
    assert digests[0] == digests[1]


@pytest.mark.parametrize("attack", ATTACKS)
def test_a_network_that_classifies_nothing_right_gives_an_empty_valid_store(inputs, tmp_path, attack):
    victim = attacked_digits.victim()
    images, _ = attacked_digits.digits()
    found = victim.predict(victim.network.columns(images[:10]))
    variables, _ = attack_network.attack_images(
        victim, images[:10], (found + 1) % 10, ATTACKS[attack], None if "cw" in attack else RADII
    )
    stores.write(tmp_path / "empty.zarr", variables, settings={}, inputs={})
    data = stores.read(tmp_path / "empty.zarr")
    assert data.sizes["sample"] == 0
    assert data.adversarial.shape == (0, 49)


def test_it_runs_from_the_command_line_with_progress_and_ends_a_mistake_in_one_message(inputs, tmp_path):
    def call(wanted):
        command = [sys.executable, "-m", "stages.attack.attack_network", "--settings", json.dumps(wanted)]
        command += ["--digits", inputs / "digits.zarr", "--network", inputs / "network.zarr", "--device", "cpu"]
        return subprocess.run([*command, "--out", tmp_path / "a.zarr"], capture_output=True, text=True, check=False)

    done = call(settings("fgsm"))
    assert done.returncode == 0, done.stderr
    assert "images attacked with success" in done.stderr
    wrong = copy.deepcopy(settings("sensitivity"))
    wrong["attack"]["kappa"] = 2.0
    failed = call(wrong)
    assert failed.returncode == 1
    assert failed.stderr.strip().splitlines()[-1].startswith("error: config: attack.attacks: kappa: 2.0 is greater")
    assert "Traceback" not in failed.stderr


def test_another_network_than_the_configured_one_is_refused(inputs, tmp_path):
    wanted = copy.deepcopy(settings("fgsm"))
    wanted["trained"]["activation"] = "relu"
    with pytest.raises(UserError, match="wanted activation = 'relu', the store was made with 'tanh'"):
        run(inputs, tmp_path / "a.zarr", wanted)


def test_more_images_than_there_are_is_refused(inputs, tmp_path):
    with pytest.raises(UserError, match=r"attack\.images: wanted 61 test images, found 60"):
        run(inputs, tmp_path / "a.zarr", settings("fgsm", images=61))


def test_images_outside_the_valid_range_are_refused():
    images, labels = attacked_digits.digits()
    with pytest.raises(UserError, match="wanted pixels between 0 and 1, found values from 0 to 255"):
        attack_network.attack_images(
            attacked_digits.victim(), images[:9] / images[:9].max() * 255, labels[:9], ATTACKS["fgsm"], RADII
        )


def test_a_network_of_no_finite_weights_is_refused():
    network = attacked_digits.network()
    network.W[3, 1, 1] = np.nan
    with pytest.raises(UserError, match="finite weights"):
        attack_network.Victim(network, 10)


@pytest.mark.parametrize(
    "method", ["nothing", "attack_network", "walk", "../../os", "os", "stages.attack.walk", "", None, "Pgd", "__init__"]
)
def test_only_methods_of_the_attack_folder_are_found(method):
    with pytest.raises(
        UserError, match="attack method: wanted one of cw, fgsm, pgd, sensitivity, transfer, or your own"
    ):
        catalogues.ATTACKS.module_of(method)


LINES = {
    "pgd": {"loss": "ce", "step": 0.06, "iterations": 15},
    "sensitivity": {"target": "moving", "kappa": 1.0, "step": 0.06, "iterations": 15},
    "cw": {"outputs": "scores", "confidence": 0.0, "rate": 0.1, "searches": 2, "iterations": 2, "constant": 0.1},
}


@pytest.mark.parametrize(
    ("method", "changed", "message"),
    [
        ("pgd", {"kapa": 1.0}, "'kapa' was unexpected.*; method pgd takes loss, step, iterations"),
        ("pgd", {"step": None}, "pgd: 'step' is a required property"),
        ("pgd", {"loss": "mine"}, "loss: 'mine' is not one of"),
        ("sensitivity", {"kappa": 0.0}, "kappa: 0.0 is less than or equal to the minimum of 0"),
        ("sensitivity", {"kappa": 1.2}, "kappa: 1.2 is greater than the maximum of 1"),
        ("sensitivity", {"step": 0.0}, "step: 0.0 is less"),
        ("sensitivity", {"iterations": 0}, "iterations: 0 is less than the minimum of 1"),
        ("sensitivity", {"target": -1}, "target: -1"),
        ("sensitivity", {"target": "every"}, "target: 'every'"),
        ("cw", {"outputs": "logits"}, "outputs: 'logits' is not one of"),
        ("cw", {"searches": 0}, "searches: 0 is less"),
    ],
)
def test_a_method_says_which_settings_it_takes(method, changed, message):
    line = {"method": method} | LINES[method] | changed
    assert catalogue.checked({"method": method} | LINES[method])
    with pytest.raises(UserError, match=message):
        catalogue.checked({key: value for key, value in line.items() if value is not None})


def test_an_attack_of_ones_own_is_one_file_with_one_function(tmp_path, monkeypatch, inputs):
    def attack(victim, images, labels, radii, report, *, level):
        return AttackResult(images * 0 + level)

    monkeypatch.setattr(catalogues.ATTACKS, "names", [*catalogues.ATTACKS, "grey"])
    monkeypatch.setitem(sys.modules, "stages.attack.methods.grey", types.SimpleNamespace(attack=attack))
    monkeypatch.setitem(ATTACKS, "grey", {"method": "grey", "level": 0.5})
    data = run(inputs, tmp_path / "grey.zarr", settings("grey"))
    assert set(data.predicted.values[data.success.values]) == set(data.predicted.values[data.success.values][:1])
    np.testing.assert_array_equal(data.adversarial.values[data.success.values], 0.5)


@pytest.mark.parametrize(
    ("edited", "changed"),
    [
        ("attack/methods/pgd.py", {"pgd"}),
        ("attack/methods/cw.py", {"cw"}),
        ("attack/walk.py", {"sensitivity", "pgd"}),
        ("attack/loss_gradient.py", {"pgd", "fgsm"}),
        ("attack/victim.py", {"sensitivity", "pgd", "fgsm", "cw"}),
        ("train/methods/ncg.py", set()),
    ],
)
def test_edited_code_counts_for_the_stores_of_the_methods_that_use_it(package, edited, changed):
    def identities():
        code_identity._read.cache_clear()
        return {
            method: code_identity.code_identity("stages.attack.attack_network", catalogues.ATTACKS.module_of(method))
            for method in ("sensitivity", "pgd", "fgsm", "cw")
        }

    before = identities()
    with open(package / edited, "a") as file:
        file.write("\nANOTHER_LINE = 1\n")
    after = identities()
    assert {method for method in before if before[method] != after[method]} == changed
