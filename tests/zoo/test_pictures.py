"""Pictures from a camera or a scanner become digits as MNIST has them."""

import gzip

import numpy as np
import pytest
from kit.project_copy import ROOT
from PIL import Image

from stages.runtime.errors import UserError
from stages.zoo import load
from stages.zoo.pictures import read_picture

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
