"""Pictures from a camera or a scanner become digits as MNIST has them."""

import gzip
from types import SimpleNamespace

import numpy as np
import pytest
from kit.project_copy import ROOT
from PIL import Image

from stages.exchange import import_network
from stages.runtime.errors import UserError
from stages.zoo import __main__ as command
from stages.zoo import load
from stages.zoo.pictures import read_picture, write_picture

COUNT = 20


@pytest.fixture(scope="module")
def digits():
    with gzip.open(ROOT / "workflow/sample/t10k-images-idx3-ubyte.gz") as file:
        return np.frombuffer(file.read(), np.uint8, offset=16).reshape(-1, 28, 28)[:COUNT]


def photograph(digit, path, rng):
    """Ink on shaded, grainy paper, large and off centre, in colour."""
    ink = np.asarray(Image.fromarray(digit).resize((200, 200), Image.Resampling.BICUBIC)) / 255
    paper = np.full((300, 400), 225.0)
    paper[80:280, 30:230] -= 170 * ink
    shade = np.linspace(0.85, 1.0, 400)[None] * np.linspace(1.0, 0.95, 300)[:, None]
    shot = (paper * shade + rng.normal(0, 4, paper.shape)).clip(0, 255).astype(np.uint8)
    Image.fromarray(shot).convert("RGB").save(path)


def test_a_photograph_is_classified_as_the_digit_itself(digits, tmp_path, rng):
    net, same = load("ncg_ce_relu", "cpu"), 0
    for digit in digits:
        photograph(digit, tmp_path / "shot.jpg", rng)
        pixels, done = read_picture(tmp_path / "shot.jpg", net.side)
        assert "400 x 300 pixels, dark on light, inverted" in done
        same += net.classify(pixels) == net.classify(digit)
    assert same >= 0.9 * COUNT


def test_a_picture_of_mnist_is_taken_as_it_is(digits, tmp_path):
    Image.fromarray(digits[0]).save(tmp_path / "digit.png")
    Image.fromarray(255 - digits[0]).save(tmp_path / "inverted.png")
    for name in ("digit.png", "inverted.png"):
        np.testing.assert_array_equal(read_picture(tmp_path / name, 14)[0], digits[0])


def test_what_is_transparent_is_paper(tmp_path):
    drawn = np.zeros((100, 100, 4), np.uint8)
    drawn[20:80, 45:55, 3] = 255  # black, and nothing around it
    Image.fromarray(drawn).save(tmp_path / "drawn.png")
    pixels, _ = read_picture(tmp_path / "drawn.png", 14)
    assert pixels.shape == (28, 28)
    lit = np.flatnonzero(pixels.any(axis=1))
    assert (lit[0], lit[-1]) == (4, 23)  # 20 pixels, centred
    assert pixels.max() == 255


def test_a_blank_picture_and_a_broken_one_are_refused(tmp_path, rng):
    grain = rng.normal(220, 3, (60, 60)).clip(0, 255).astype(np.uint8)
    Image.fromarray(grain).save(tmp_path / "blank.png")
    with pytest.raises(UserError, match="wanted a digit that stands out"):
        read_picture(tmp_path / "blank.png", 14)
    (tmp_path / "broken.png").write_bytes(b"\x89PNG\r\n\x1a\n and no more")
    with pytest.raises(UserError, match="wanted a picture"):
        read_picture(tmp_path / "broken.png", 14)


def test_the_picture_of_an_attack_begins_with_the_image_whatever_the_network_makes_of_it(digits, tmp_path, rng):
    """Class scores of their own come before the pixels in the state; with ink -1 the state is the negative."""
    weights = {"W": rng.normal(0, 0.05, (5, 206, 206)), "b": np.zeros((5, 206))}
    described = '{"activation": "relu", "interval": 1.0, "scores": "own", "ink": -1}'
    np.savez(tmp_path / "own.npz", **weights, network=np.array(described))
    import_network.import_network(tmp_path / "own.npz", tmp_path / "own.zarr")
    Image.fromarray(digits[0]).save(tmp_path / "digit.png")
    out = tmp_path / "attacked.png"
    command.main(SimpleNamespace(image=tmp_path / "digit.png", network=tmp_path / "own.zarr", out=out, device="cpu"))
    pixels = np.asarray(Image.open(out))[::16, ::16][:, :14]
    halved = digits[0].reshape(14, 2, 14, 2).mean(axis=(1, 3))
    np.testing.assert_allclose(pixels, halved, atol=0.51)


@pytest.mark.parametrize("name", ["nowhere/attacked.png", "attacked.picture"])
def test_a_picture_that_cannot_be_written_is_a_message(tmp_path, name):
    with pytest.raises(UserError, match="--out: wanted the name of a picture"):
        write_picture(tmp_path / name, 2, np.zeros(4), np.ones(4))
