"""Success curves with exact answers, and which images the attack pictures show."""

import matplotlib.pyplot as plt
import numpy as np
import pytest
import xarray as xr
from kit import drawing

from stages.drawing import attacked_images, canvas
from stages.figures import plot_attack_examples, plot_one_image
from stages.runtime.errors import UserError
from stages.statistics import attack_curves, runs


def attacked(success, norm=None, index=None, pictured=None):
    count = len(success)
    pictures = np.where(np.ones(count, bool) if pictured is None else pictured, 0.5, np.nan)
    return xr.Dataset(
        {
            "success": ("sample", np.array(success, dtype=bool)),
            "norm": ("sample", np.array(norm if norm is not None else [0.1] * count, dtype=float)),
            "image_index": ("sample", np.array(index if index is not None else range(count))),
            "adversarial": (("sample", "pixel"), pictures[:, None]),
        }
    )


def test_the_curve_is_the_share_within_each_norm():
    dataset = attacked([True, True, False, True], [0.1, 0.3, np.nan, 0.3])
    shares = attack_curves.susceptible(dataset, [0.0, 0.1, 0.2, 0.3, 1.0])
    np.testing.assert_array_equal(shares, [0, 0.25, 0.25, 0.75, 0.75])


def test_a_norm_that_is_a_rounding_error_too_large_still_counts():
    assert attack_curves.susceptible(attacked([True], [np.float32(0.3) * (1 + 1e-6)]), [0.3]) == 1


def test_a_failure_never_counts_whatever_its_norm():
    assert attack_curves.susceptible(attacked([False], [0.01]), [1.0]) == 0


def test_radii_are_the_confined_norms_with_zero_in_front():
    np.testing.assert_allclose(attack_curves.radii({"first": 0.1, "last": 0.5, "step": 0.2}), [0, 0.1, 0.3, 0.5])
    np.testing.assert_allclose(attack_curves.radii({"first": 0.1, "last": 0.6, "step": 0.2}), [0, 0.1, 0.3, 0.5])


def test_the_one_image_is_the_first_that_every_network_can_be_made_to_misclassify():
    datasets = {
        "one": attacked([True, True, True], index=[4, 7, 9]),
        "other": attacked([False, True, True], index=[4, 7, 9]),
    }
    assert plot_one_image.choose(datasets, -1) == 7
    assert plot_one_image.choose(datasets, 9) == 9


def test_an_image_that_was_not_attacked_is_refused_with_the_key_to_change():
    with pytest.raises(UserError, match=r"figures\.one_image"):
        plot_one_image.choose({"one": attacked([True])}, 5)


def test_examples_show_digits_that_are_changed_in_every_row_where_they_can():
    datasets = [attacked([True, True, True, True]), attacked([False, True, False, True])]
    assert plot_attack_examples.choose(datasets, 2) == [1, 3]


def test_examples_fall_back_on_digits_that_are_changed_in_some_rows():
    datasets = [attacked([True, True, False]), attacked([False, False, False])]
    assert plot_attack_examples.choose(datasets, 2) == [0, 1]


def test_a_picture_that_an_extract_left_out_is_said_to_be_missing():
    figure, axes = canvas.sheet(1, 2, 1.0, "")
    sample = {"success": True, "original": np.full(4, np.nan), "adversarial": np.full(4, np.nan)}
    sample |= {"label": 1, "predicted": 2}
    attacked_images.draw_attacked(axes[0], sample, "attack\nfailed", "{norm:.2f}")
    assert [text.get_text() for text in axes[0, 0].texts] == ["picture\nnot kept"]
    assert axes[0, 1].get_xlabel() == ""
    assert not attacked_images.is_kept(sample)
    plt.close(figure)


def test_images_that_an_extract_left_out_are_not_chosen():
    datasets = [attacked([True, True, True], pictured=[False, True, True]), attacked([True, True, True])]
    assert plot_attack_examples.choose(datasets, 1) == [1]
    assert plot_one_image.choose(dict(enumerate(datasets)), -1) == 1


def test_an_image_that_was_asked_for_and_left_out_is_named(results, config, monkeypatch):
    read = runs.read_runs

    def without_pictures(*arguments):
        return [
            dataset.assign(adversarial=dataset["adversarial"] * np.nan, success=dataset["success"] | True)
            for dataset in read(*arguments)
        ]

    (some, *_) = read(results, "attack/sensitivity", "sgd_ce_tanh", [0])
    monkeypatch.setattr(runs, "read_runs", without_pictures)
    config["figures"]["one_image"] = int(some["image_index"].values[0])
    with pytest.raises(UserError, match=r"figures\.one_image.*extract.* or -1"):
        drawing.draw(results, config, "fig_one_image")


def test_attacks_without_any_success_still_give_a_picture(results, config, monkeypatch):
    read = runs.read_runs

    def fail_all(*arguments):
        return [dataset.assign(success=dataset["success"] & False) for dataset in read(*arguments)]

    monkeypatch.setattr(runs, "read_runs", fail_all)
    for name in ("fig_one_image", "fig_attack_examples_sgd"):
        drawing.draw(results, config, name).draw_without_rendering()


def test_images_with_colours_are_shown_in_colour_and_their_changes_as_a_mean(rng):
    pixels = rng.random((3, 4, 4))
    _, axes = canvas.sheet(1, 2, 2.0, "colours")
    shown = canvas.picture(axes[0, 0], pixels.ravel())
    np.testing.assert_array_equal(shown.get_array(), pixels.transpose(1, 2, 0))
    change = canvas.picture(axes[0, 1], pixels.ravel(), cmap="RdBu_r")
    np.testing.assert_array_equal(change.get_array(), pixels.mean(axis=0))
    assert canvas.image_of(pixels[0].ravel()).shape == (4, 4)


def test_an_original_stands_once_above_its_attacks_and_a_failed_attack_says_so(results, config, monkeypatch):
    read = runs.read_runs

    def fgsm_fails(folder, stage, *arguments):
        datasets = read(folder, stage, *arguments)
        return [data.assign(success=data["success"] & (stage != "attack/fgsm")) for data in datasets]

    monkeypatch.setattr(runs, "read_runs", fgsm_fails)
    figure = drawing.draw(results, config, "fig_attack_examples_sgd")
    words = [axes.get_xlabel().partition(" ")[0] for axes in figure.axes]
    examples = config["figures"]["examples"]
    assert (words.count("true"), words.count("predicted")) == (examples, 3 * examples)
    assert sum("attack\nfailed" in [text.get_text() for text in axes.texts] for axes in figure.axes) == examples
    assert [axes.get_ylabel() for axes in figure.axes if axes.get_ylabel()] == [
        "original",
        "PGD\n0.06",
        "FGSM",
        "CW,\nscores",
        "sensitivity",
    ]


def test_every_change_of_the_one_image_has_a_colour_scale_of_its_own(results, config):
    """On one scale for all, the small changes of SGD could not be seen."""
    figure = drawing.draw(results, config, "fig_one_image")
    changes = [image for axes in figure.axes for image in axes.images if image.get_cmap().name == "RdBu_r"]
    assert len(changes) == 9
    for image in changes:
        assert image.get_clim()[1] == pytest.approx(np.abs(image.get_array()).max())
