"""The shipped sample: balanced, checked, and drawn again to the bit."""

import gzip
from types import SimpleNamespace

import numpy as np
import pytest

from stages.data import draw_sample, fetch_digits, image_sets, mnist_sources
from stages.data.array_files import sha256
from stages.runtime.errors import UserError

SETTINGS = {"seed": 1, "train": 10000, "test": 2000}
# Images of each class in the full set, from 0 to 9.
CLASSES = {
    "train": np.array([5923, 6742, 5958, 6131, 5842, 5421, 5918, 6265, 5851, 5949]),
    "test": np.array([980, 1135, 1032, 1010, 982, 892, 958, 1028, 974, 1009]),
}


def labels_of(split):
    path = fetch_digits.SAMPLE / f"{mnist_sources.NAMES[f'{split}_labels']}.gz"
    return np.frombuffer(gzip.decompress(path.read_bytes())[8:], np.uint8)


@pytest.mark.parametrize("split", image_sets.SPLITS)
def test_each_class_has_its_share_of_the_full_set_to_one_image(split):
    share = CLASSES[split] * SETTINGS[split] / CLASSES[split].sum()
    found = np.bincount(labels_of(split))
    assert found.sum() == SETTINGS[split]
    assert abs(found - share).max() < 1


@pytest.mark.parametrize("split", image_sets.SPLITS)
def test_the_order_is_random_at_every_place(split):
    labels = labels_of(split)
    # The presets take the first images: no stretch may lack a class. Five standard deviations either way.
    for stretch in np.split(labels, 10):
        share = np.bincount(labels) / len(labels)
        spread = np.sqrt(len(stretch) * share * (1 - share))
        assert (abs(np.bincount(stretch, minlength=10) - len(stretch) * share) < 5 * spread).all()


def test_the_sample_is_small_enough_for_the_repository():
    assert sum(path.stat().st_size for path in fetch_digits.SAMPLE.iterdir()) < 2.1e6


def test_largest_remainders_share_out_the_whole_count():
    np.testing.assert_array_equal(draw_sample.largest_remainders(np.array([50, 30, 20]), 10), [5, 3, 2])
    np.testing.assert_array_equal(draw_sample.largest_remainders(np.array([1, 1, 1]), 5), [2, 2, 1])
    np.testing.assert_array_equal(draw_sample.largest_remainders(np.array([66, 33, 1]), 10), [7, 3, 0])


def test_no_image_is_drawn_twice_and_a_seed_decides():
    labels = np.arange(200) % 7
    chosen = draw_sample.choose(labels, 50, 1, "train")
    assert len(set(chosen)) == 50
    np.testing.assert_array_equal(draw_sample.choose(labels, 50, 1, "train"), chosen)
    assert (draw_sample.choose(labels, 50, 2, "train") != chosen).any()
    assert (draw_sample.choose(labels, 50, 1, "test") != chosen).any()


def test_drawn_from_the_full_set_it_comes_out_the_same_to_the_bit(full_mnist, tmp_path):
    raw = tmp_path / "raw"
    settings = {"origin": "mnist", "folder": str(full_mnist)}
    fetch_digits.main(SimpleNamespace(settings=settings, out=raw, sample=None, mirror=None))
    draw_sample.main(SimpleNamespace(settings=SETTINGS, raw=raw, out=tmp_path / "sample"))
    for name in mnist_sources.NAMES.values():
        # Uncompressed: another zlib may pack the same bits otherwise.
        drawn, shipped = (
            gzip.decompress((f / f"{name}.gz").read_bytes()) for f in (tmp_path / "sample", fetch_digits.SAMPLE)
        )
        assert drawn == shipped
    for line in (tmp_path / "sample" / "SHA256SUMS").read_text().splitlines():
        digest, name = line.split()
        assert sha256(tmp_path / "sample" / name) == digest


def test_it_is_drawn_from_nothing_but_the_full_set(tmp_path):
    raw = tmp_path / "raw"
    fetch_digits.main(SimpleNamespace(settings={"origin": "sample"}, out=raw, sample=fetch_digits.SAMPLE, mirror=None))
    with pytest.raises(UserError, match="wanted the full MNIST"):
        draw_sample.main(SimpleNamespace(settings=SETTINGS, raw=raw, out=tmp_path / "sample"))
