"""Networks to work with: what they answer is what the stages compute, and what cannot be meant is refused."""

import subprocess
import sys

import numpy as np
import pytest
from kit import attacked_digits, strict_device
from kit.both_sides import moved
from kit.project_copy import ROOT
from PIL import Image

from stages.attack.attack_network import attack_images
from stages.data import downsample_digits, fetch_digits
from stages.model.classify import class_scores
from stages.plan import stage_settings
from stages.storage import stores
from stages.zoo import LoadedNetwork, UserError, load, names
from stages.zoo import images as given

SIDE, CLASSES = 7, 10
TRAINED = {
    "network": {"classes": CLASSES, "components": "classes", "interval": 1.0, "precision": "float32"},
    "activation": "tanh",
    "loss": {"mu1": 1.0, "mu2": 0.0, "mu3": 0.0},
    "trainer": {"solver": "euler", "epochs": 1, "method": "ncg"},
}


@pytest.fixture(scope="module")
def net():
    return LoadedNetwork(attacked_digits.network("tanh"), TRAINED)


@pytest.fixture(scope="module")
def images():
    return attacked_digits.digits()[0][:12]


@pytest.fixture(scope="module")
def labels():
    return attacked_digits.digits()[1][:12]


def test_scores_and_classes_are_those_of_the_stages(net, images):
    wanted = class_scores(net.network, images, CLASSES)
    np.testing.assert_array_equal(net.scores(images), wanted)
    np.testing.assert_array_equal(net.classify(images.reshape(-1, SIDE, SIDE)), wanted.argmax(axis=1))
    assert net.classify(images[0]) == wanted[0].argmax()
    assert net.taken == "1 image of 7 x 7, pixels from 0 to 1"


def test_a_trajectory_begins_with_the_image_and_ends_with_the_scores(net, images):
    x = net.trajectory(images)
    assert x.shape == (12, net.network.depth + 1, SIDE**2)
    np.testing.assert_array_equal(x[:, 0], images)
    np.testing.assert_allclose(x[:, -1, :CLASSES], net.scores(images), rtol=1e-5, atol=1e-5)
    assert net.trajectory(images[3]).shape == x.shape[1:]


def test_jacobian_and_sensitivity_are_derivatives(net, images, rng):
    exact = attacked_digits.network("tanh")
    exact = LoadedNetwork(
        type(exact)(exact.W.astype("float64"), exact.b.astype("float64"), exact.interval, exact.activation), TRAINED
    )
    ξ = rng.standard_normal(images.shape).astype(np.float32)
    inside = images.clip(0.1, 0.9)
    h = 1e-4
    difference = (exact.scores(inside + h * ξ) - exact.scores(inside - h * ξ)) / (2 * h)
    carried = net.sensitivity(inside, ξ)
    np.testing.assert_array_equal(carried[:, 0], ξ)
    np.testing.assert_allclose(carried[:, -1, :CLASSES], difference, atol=2e-2)
    by_rows = np.einsum("scp,sp->sc", net.jacobian(inside), ξ)
    np.testing.assert_allclose(by_rows, carried[:, -1, :CLASSES], rtol=1e-3, atol=1e-4)


def test_uncertainty_knows_the_distance_to_the_boundary(net, images):
    answer = net.uncertainty(images)
    np.testing.assert_array_equal(answer["class"], net.classify(images))
    J = net.jacobian(images).astype("float64")
    np.testing.assert_allclose(answer["covariance"], np.einsum("scp,sdp->scd", J, J), rtol=1e-3, atol=1e-4)
    z, best, behind = answer["score"], answer["class"], answer["behind"]
    here = np.arange(len(z))
    size = np.linalg.norm(J[here, best] - J[here, behind], axis=1)
    np.testing.assert_allclose(answer["distance"], (z[here, best] - z[here, behind]) / size, rtol=1e-3)
    assert net.uncertainty(images[0])["covariance"].shape == (CLASSES, CLASSES)


def test_an_attack_is_that_of_the_stages_and_says_what_is_true(net, images, labels):
    found = net.attack(images, labels, "sensitivity", norm=0.5)
    line = {"method": "sensitivity", "target": "moving", "kappa": 1.0, "step": 0.03, "iterations": 15}
    radii = {"first": 0.5, "last": 0.5, "step": 1.0}
    variables, _ = attack_images(attacked_digits.victim(), images, labels, line, radii)
    places = variables["image_index"][1]
    np.testing.assert_array_equal(np.flatnonzero(found.correct), places)
    np.testing.assert_array_equal(found.success[places], variables["success"][1])
    np.testing.assert_array_equal(found.adversarial.reshape(12, -1)[places], variables["adversarial"][1])
    assert found.success.any()
    np.testing.assert_array_equal(net.classify(found.adversarial), found.predicted)
    assert (found.norm[found.success] <= 0.5).all()
    far = net.attack(images, labels, "sensitivity", iterations=200)
    assert far.success[far.correct].all()
    one = net.attack(images[places[0]], labels[places[0]], "fgsm")
    assert one.adversarial.shape == (SIDE, SIDE)
    near = net.attack(images, labels, "cw", norm=0.2)
    assert not (near.norm > 0.2).any()


def test_bytes_of_mnists_size_give_the_very_pixels_of_the_training(tmp_path):
    fetch_digits.fetch({"origin": "sample"}, tmp_path / "raw")
    from stages.config import configuration

    config = configuration.load(ROOT, "smoke", {"data": {"train": 10, "test": 50, "side": 14}})
    downsample_digits.write_digits(
        stage_settings.downsample_settings(config, config["data"]["side"]), tmp_path / "raw", tmp_path / "d.zarr"
    )
    raw = next((tmp_path / "raw").glob("*t10k-images*")).read_bytes()[16:]
    raw = np.frombuffer(raw, np.uint8)[: 50 * 784].reshape(50, 28, 28)
    pixels, _, said = given.taken(raw, 14)
    np.testing.assert_array_equal(pixels, stores.read_arrays(tmp_path / "d.zarr")["test_image"])
    assert said == "50 images of 28 x 28, bytes divided by 255, resampled linearly to 14 x 14"
    as_floats, _, said = given.taken((raw / 255).reshape(50, 784), 14)
    np.testing.assert_allclose(as_floats, pixels, atol=1e-6)
    assert said == "50 images of 28 x 28, pixels from 0 to 1, resampled linearly to 14 x 14"


@pytest.mark.parametrize(
    ("images", "wanted"),
    [
        (np.full((2, 7, 7), 255.0), "wanted pixels from 0 to 1, found 255 to 255; scale them, or give"),
        (np.full((2, 7, 7), -0.1), "wanted pixels from 0 to 1"),
        (np.full((2, 7, 7), np.nan), "wanted finite pixels"),
        (np.full((2, 7, 7), 256), "wanted bytes from 0 to 255, found whole numbers"),
        (np.eye(7, dtype=int), "all 0 or 1, which may be either"),
        (np.zeros((2, 8, 8)), r"wanted one or many of 7 x 7 or 28 x 28 pixels, found an array of shape \(2, 8, 8\)"),
        (np.zeros((0, 7, 7)), "wanted at least one"),
        (np.zeros((7, 7), complex), "wanted numbers"),
        ([["a"]], "wanted numbers"),
    ],
)
def test_images_that_cannot_be_meant_are_refused(net, images, wanted):
    with pytest.raises(UserError, match=wanted):
        net.classify(images)


@pytest.mark.parametrize(
    ("labels", "wanted"),
    [([1, 2], "wanted one per image, 12"), ([10] * 12, "wanted classes from 0 to 9"), ([0.5] * 12, "whole numbers")],
)
def test_labels_that_cannot_be_meant_are_refused(net, images, labels, wanted):
    with pytest.raises(UserError, match=wanted):
        net.attack(images, labels)


def test_other_mistakes_get_a_message_too(net, images, labels, tmp_path):
    with pytest.raises(UserError, match=r"attack: wanted one of sensitivity, .* found 'best'"):
        net.attack(images, labels, "best")
    with pytest.raises(UserError, match="norm: wanted a number above 0"):
        net.attack(images, labels, norm=-1)
    with pytest.raises(UserError, match="method fgsm takes"):
        net.attack(images, labels, "fgsm", speed=3)
    with pytest.raises(UserError, match="perturbations: wanted 12 of 49 finite numbers"):
        net.sensitivity(images, images[:2])
    with pytest.raises(UserError, match="perturbations: wanted 12 of 49 finite numbers"):
        net.sensitivity(images, [0.1, 0.2])
    for call in (lambda: net.sensitivity(images, "none"), lambda: net.classify([[0.1, 0.2], [0.3]])):
        with pytest.raises(UserError, match="wanted an array of numbers"):
            call()
    with pytest.raises(UserError, match="norm: wanted a number above 0, or None for as far as it takes; found 'small'"):
        net.attack(images, labels, norm="small")
    with pytest.raises(UserError, match=r"wanted the name of a network \(.*ncg_ce_relu.*found 'nobody'"):
        load("nobody")
    stores.write(tmp_path / "noise.zarr", {"x": (("i",), [1.0])}, settings={"noise": {}}, inputs={})
    with pytest.raises(UserError, match="wanted the store of a trained network"):
        load(tmp_path / "noise.zarr")


def test_the_command_answers_for_one_picture(tmp_path):
    raw = ROOT / "workflow/sample"
    fetch_digits.fetch({"origin": "sample"}, tmp_path / "raw", raw)
    digit = next((tmp_path / "raw").glob("*t10k-images*")).read_bytes()[16 : 16 + 784]
    digit = np.frombuffer(digit, np.uint8).reshape(28, 28)
    Image.fromarray(digit).save(tmp_path / "digit.png")
    Image.fromarray(255 - digit).resize((280, 280)).save(tmp_path / "photo.png")
    label = next((tmp_path / "raw").glob("*t10k-labels*")).read_bytes()[8]
    for name, said in (("digit", "1 image of 28 x 28"), ("photo", "280 x 280 pixels, dark on light, inverted")):
        command = [sys.executable, "-m", "stages.zoo", str(tmp_path / f"{name}.png")]
        done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
        assert said in done.stdout
        assert f"class {label}, confidence" in done.stdout
        assert "nearest attack: class" in done.stdout
        with Image.open(tmp_path / f"{name}-attacked.png") as picture:
            assert picture.size == (16 * (3 * 14 + 2), 16 * 14)
    (tmp_path / "text.png").write_text("no picture")
    done = subprocess.run([*command[:-1], str(tmp_path / "text.png")], cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 1
    assert "wanted a picture" in done.stderr
    assert "Traceback" not in done.stderr


def test_loading_imports_nothing_that_it_does_not_need():
    code = f"import sys; from stages.zoo import load; load({names()[0]!r}, 'cpu')"
    code += "; print([name for name in ('zarr', 'xarray', 'matplotlib', 'snakemake', 'PIL') if name in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True)
    assert done.stdout.strip() == "[]", done.stderr


def test_on_a_device_the_same_calls_give_the_same_numpy_arrays(net, images, labels):
    there = LoadedNetwork(moved(net.network, strict_device), TRAINED)
    for ask in ("classify", "scores", "trajectory", "jacobian"):
        here, answer = getattr(net, ask)(images), getattr(there, ask)(images)
        assert isinstance(answer, np.ndarray)
        np.testing.assert_allclose(answer, here, rtol=1e-5, atol=1e-6)
    np.testing.assert_allclose(
        there.sensitivity(images, 0.1 * images), net.sensitivity(images, 0.1 * images), rtol=1e-5
    )
    for name, values in net.uncertainty(images).items():
        np.testing.assert_allclose(there.uncertainty(images)[name], values, rtol=1e-5)
    here, answer = (each.attack(images, labels, "sensitivity", norm=0.5) for each in (net, there))
    np.testing.assert_array_equal(answer.success, here.success)
    np.testing.assert_allclose(answer.adversarial, here.adversarial, atol=1e-5)
