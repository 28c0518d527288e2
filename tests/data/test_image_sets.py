"""Images with labels: what fits together is taken, what does not is refused."""

import numpy as np
import pytest

from stages.data import idx_files, image_sets
from stages.runtime.errors import UserError


def pair(folder, images, labels):
    np.savez(folder / "images.npz", images)
    np.savez(folder / "labels.npz", labels)
    return image_sets.open_pair(folder, {"train_images": "images.npz", "train_labels": "labels.npz"}, "train")


def test_the_content_decides_the_format_whatever_the_file_is_called(tmp_path, arrays):
    (tmp_path / "a.npz").write_bytes(idx_files.encode(arrays["train_images"]))
    with open(tmp_path / "b.gz", "wb") as file:
        np.savez(file, train_labels=arrays["train_labels"], more=np.zeros(2))
    images, labels = image_sets.open_pair(tmp_path, {"train_images": "a.npz", "train_labels": "b.gz"}, "train")
    assert images.values.shape == (7, 12, 12)
    np.testing.assert_array_equal(image_sets.read_labels(labels, 5, 3), [0, 1, 2, 0, 1])


def test_labels_in_a_column_are_taken(tmp_path):
    _, labels = pair(tmp_path, np.zeros((3, 4, 4), np.uint8), np.array([[1], [0], [2]]))
    np.testing.assert_array_equal(image_sets.read_labels(labels, 3, 3), [1, 0, 2])


@pytest.mark.parametrize(
    ("images", "labels", "message"),
    [
        (np.zeros((3, 4, 4), np.uint8), np.zeros(2, int), "as many labels as images, found 3 images .* 2 labels"),
        (np.zeros((3, 4, 5), np.uint8), np.zeros(3, int), "wanted square images .* found 4 x 5"),
        (np.zeros((3, 0, 0), np.uint8), np.zeros(3, int), "wanted square images .* found 0 x 0"),
        (np.zeros((1, 4097, 4097), np.uint8), np.zeros(1, int), "found 4097 x 4097"),
        (np.zeros((0, 4, 4), np.uint8), np.zeros(0, int), "wanted images, found none"),
        (np.zeros((3, 16), np.uint8), np.zeros(3, int), r"wanted images \(sample, row, col\) .* found shape \(3, 16\)"),
        (np.zeros((3, 4, 4, 17), np.uint8), np.zeros(3, int), "wanted 1 to 16 channels, found 17"),
        (np.zeros((3, 4, 4, 0), np.uint8), np.zeros(3, int), "wanted 1 to 16 channels, found 0"),
        (np.zeros((3, 4, 4), np.int16), np.zeros(3, int), "8-bit or floating-point pixels, found .* int16"),
        (np.zeros((3, 4, 4), np.uint8), np.zeros(3), "wanted labels as one row of whole numbers, found .* float64"),
        (np.zeros((3, 4, 4), np.uint8), np.zeros((3, 2), int), r"found shape \(3, 2\)"),
    ],
)
def test_a_set_that_does_not_fit_is_refused(tmp_path, images, labels, message):
    with pytest.raises(UserError, match=message):
        pair(tmp_path, images, labels)


def test_images_come_in_blocks_of_bounded_size_that_stop_at_the_count(tmp_path, monkeypatch):
    monkeypatch.setattr(image_sets, "BLOCK_BYTES", 50)
    values = np.arange(7 * 16, dtype=np.uint8).reshape(7, 4, 4)
    images, _ = pair(tmp_path, values, np.zeros(7, int))
    parts = [block for block, _ in image_sets.image_blocks(images, 5)]
    assert [len(part) for part in parts] == [3, 2]
    np.testing.assert_array_equal(np.concatenate(parts), values[:5])


@pytest.mark.parametrize("wrong", [10, -1])
def test_a_label_outside_the_classes_is_refused_with_its_place(tmp_path, wrong):
    _, labels = pair(tmp_path, np.zeros((3, 4, 4), np.uint8), np.array([0, 9, wrong]))
    with pytest.raises(UserError, match=rf"wanted labels 0 to 9 .* found {wrong} at position 2"):
        image_sets.read_labels(labels, 3, 10)


@pytest.mark.parametrize("wrong", [1.5, -0.1, np.nan, np.inf])
def test_floating_point_pixels_outside_zero_to_one_are_refused(tmp_path, wrong):
    values = np.full((3, 4, 4), 0.5, np.float32)
    values[1, 2, 3] = wrong
    images, _ = pair(tmp_path, values, np.zeros(3, int))
    with pytest.raises(UserError, match=r"wanted floating-point pixels in \[0, 1\]"):
        list(image_sets.image_blocks(images, 3))
