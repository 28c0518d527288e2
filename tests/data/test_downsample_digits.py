"""downsample_digits: exact pixels, own data sets end to end, and what it refuses."""

import json
from types import SimpleNamespace

import numpy as np
import pytest
from kit import tolerances

from stages.data import downsample_digits, fetch_digits, image_sets
from stages.runtime.errors import UserError
from stages.storage import stores

SETTINGS = {"train": 0, "test": 0, "side": 6, "resampling": "linear", "classes": 3}


def fetched(tmp_path, files):
    raw = tmp_path / "data" / "raw"
    settings = {"origin": "files", "files": files} if files else {"origin": "sample"}
    fetch_digits.main(SimpleNamespace(settings=settings, out=raw, sample=fetch_digits.SAMPLE, mirror=None))
    return raw


def downsampled(raw, **changes):
    store = raw.with_name("digits.zarr")
    downsample_digits.main(SimpleNamespace(settings=SETTINGS | changes, raw=raw, out=store))
    return stores.read(store, expect=changes)


def two_by_two_mean(images):
    sums = sum(images[:, i::2, j::2].astype(int) for i in (0, 1) for j in (0, 1))
    return (sums / 4 / 255).astype(np.float32).reshape(len(images), -1)


def test_own_gzipped_idx_files_end_to_end(tmp_path, arrays, idx_gz):
    raw = fetched(tmp_path, idx_gz)
    digits = downsampled(raw)
    for split in ("train", "test"):
        image = digits[f"{split}_image"]
        assert image.dims == (split, "pixel")
        assert image.dtype == np.float32
        np.testing.assert_array_equal(image, two_by_two_mean(arrays[f"{split}_images"]))
        np.testing.assert_array_equal(digits[f"{split}_label"], arrays[f"{split}_labels"])
    manifest = stores.read_manifest(raw)
    assert json.loads(digits.attrs["sources"]) == {role: e["sha256"] for role, e in manifest["files"].items()}
    assert (digits.attrs["side"], digits.attrs["resampling"]) == (6, "linear")
    assert stores.read_manifest(tmp_path / "data" / "digits.zarr")["inputs"] == {"raw": manifest["digest"]}


@pytest.mark.parametrize("save", [np.savez, np.savez_compressed])
@pytest.mark.parametrize("keras", [False, True])
def test_own_npz_files_give_the_same_bits(tmp_path, arrays, idx_gz, save, keras):
    wanted = downsampled(fetched(tmp_path / "idx", idx_gz))
    names = {"train_images": "x_train", "train_labels": "y_train", "test_images": "x_test", "test_labels": "y_test"}
    path = tmp_path / "own.npz"
    save(path, **{names[role] if keras else role: array for role, array in arrays.items()})
    found = downsampled(fetched(tmp_path / "npz", dict.fromkeys(arrays, str(path))))
    assert stores.content_digest(found.variables) == stores.content_digest(wanted.variables)


def test_floating_point_images_are_taken_as_they_are(tmp_path, arrays):
    path = tmp_path / "own.npz"
    scaled = {role: array / 255 if array.ndim == 3 else array.astype(int) for role, array in arrays.items()}
    np.savez(path, **scaled)
    digits = downsampled(fetched(tmp_path, dict.fromkeys(arrays, str(path))))
    wanted = two_by_two_mean(arrays["train_images"])
    np.testing.assert_allclose(digits["train_image"], wanted, **tolerances.FLOAT32_IMAGE)


def in_colour(tmp_path, arrays, test_channels=3):
    """Return the folder of a set whose channels are the images, their negative and the images once more."""
    path, colours = tmp_path / "own.npz", dict(arrays)
    for split, channels in (("train", 3), ("test", test_channels)):
        grey = arrays[f"{split}_images"]
        colours[f"{split}_images"] = np.stack([grey, 255 - grey, grey], axis=-1)[..., :channels]
    np.savez(path, **colours)
    return fetched(tmp_path, dict.fromkeys(arrays, str(path)))


def test_channels_of_colour_images_come_one_after_another(tmp_path, arrays):
    digits = downsampled(in_colour(tmp_path, arrays))
    grey = two_by_two_mean(arrays["train_images"])
    assert digits.attrs["channels"] == 3
    assert digits["train_image"].shape == (7, 3 * 36)
    np.testing.assert_array_equal(digits["train_image"][:, :36], grey)
    np.testing.assert_allclose(digits["train_image"][:, 36:72], 1 - grey, **tolerances.FLOAT32_IMAGE)
    np.testing.assert_array_equal(digits["train_image"][:, 72:], grey)


def test_training_and_test_images_have_as_many_channels(tmp_path, arrays):
    with pytest.raises(UserError, match="as many channels in training as in test images, found 3 and 2"):
        downsampled(in_colour(tmp_path, arrays, test_channels=2))


def test_blocks_do_not_change_the_result(tmp_path, idx_gz, monkeypatch):
    raw = fetched(tmp_path, idx_gz)
    whole = downsampled(raw, side=5, resampling="antialiased")
    monkeypatch.setattr(image_sets, "BLOCK_BYTES", 300)  # two images at a time
    parts = downsampled(raw, side=5, resampling="antialiased")
    np.testing.assert_allclose(parts["train_image"], whole["train_image"], **tolerances.FLOAT32_IMAGE)


def test_takes_the_first_images_and_their_labels(tmp_path, arrays, idx_gz):
    digits = downsampled(fetched(tmp_path, idx_gz), train=5, test=1)
    np.testing.assert_array_equal(digits["train_image"], two_by_two_mean(arrays["train_images"][:5]))
    np.testing.assert_array_equal(digits["train_label"], arrays["train_labels"][:5])
    assert digits["test_image"].shape == (1, 36)


@pytest.mark.parametrize("resampling", ["linear", "antialiased"])
@pytest.mark.parametrize("side", [1, 5, 12])
def test_pixels_stay_between_black_and_white(tmp_path, idx_gz, side, resampling):
    image = downsampled(fetched(tmp_path, idx_gz), side=side, resampling=resampling)["train_image"]
    assert image.shape == (7, side * side)
    assert image.min() >= 0
    assert image.max() <= 1


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"train": 8}, "data.train: wanted 8 images, .* has 7; set it to 7 or less"),
        ({"test": 5}, "data.test: wanted 5 images, .* has 4"),
        ({"side": 13}, "data.side: wanted 1 to 12"),
        ({"classes": 2}, "wanted labels 0 to 1 .* found 2 at position 2"),
        ({"resampling": "cubic"}, "wanted linear or antialiased"),
    ],
)
def test_what_the_data_cannot_give_is_refused_and_the_last_store_stays(tmp_path, idx_gz, changes, message):
    raw = fetched(tmp_path, idx_gz)
    downsampled(raw)
    before = stores.manifest_path(raw.with_name("digits.zarr")).read_text()
    with pytest.raises(UserError, match=message):
        downsampled(raw, **changes)
    stores.check(raw.with_name("digits.zarr"))
    assert stores.manifest_path(raw.with_name("digits.zarr")).read_text() == before


def test_a_damaged_or_missing_raw_folder_is_refused(tmp_path, idx_gz):
    raw = fetched(tmp_path, idx_gz)
    (raw / "train-labels-idx1-ubyte").write_bytes(b"other")
    with pytest.raises(UserError, match="is damaged: wanted SHA-256"):
        downsampled(raw)
    with pytest.raises(UserError, match="found no manifest"):
        downsampled(tmp_path / "nowhere" / "raw")


def test_the_sample_at_the_paper_s_width_is_exact(tmp_path):
    raw = fetched(tmp_path, None)
    digits = downsampled(raw, side=14, classes=10)
    images = np.frombuffer((raw / "train-images-idx3-ubyte").read_bytes(), np.uint8, offset=16).reshape(10000, 28, 28)
    labels = np.frombuffer((raw / "train-labels-idx1-ubyte").read_bytes(), np.uint8, offset=8)
    np.testing.assert_array_equal(digits["train_image"], two_by_two_mean(images))
    np.testing.assert_array_equal(digits["train_label"], labels)
    # Half size is exact arithmetic, so the bits are the same on every machine.
    assert stores.content_digest(digits.variables) == "5c29ffdec6ca9b8a74852a3f965e0d241f401e569828da860469a719079ff346"
