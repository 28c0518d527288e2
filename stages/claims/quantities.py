"""Each quantity that claims use, defined once, as a function of a run's dataset.

It returns a PerImage if the quantity is a function of means over test images, otherwise a plain number: for weights,
seconds, medians and what was measured on training images.

Whether a network classifies an image correctly is taken from the noise stage at standard deviation 0: train stores have
no results per image.

The area under a ROC curve is not a function of few means; to first order (DeLong's components) it is the mean
contribution of right answers plus that of wrong ones, minus the area itself (`selective_prediction.roc_parts`).

The largest relative error over the depth is taken, in every resampling, at the depth where the mean over all images is
largest: if two depths nearly tie, their errors are nearly equal, and so is the maximum.
"""

import functools

import numpy as np

from stages.claims.attack_quantities import attack_quantities
from stages.claims.per_image import largest_size, mean, mean_size, per_image, percent, percent_lost, ratio
from stages.statistics import weights_over_depth
from stages.statistics.selective_prediction import roc_parts

SMALL_NOISE = 0.08  # on pixels: up to here the accuracy should be predictable


def _trained(dataset):
    """Test accuracy after the last epoch (percent)."""
    return 100 * dataset["test_accuracy"].values[-1]


def _norm_variation(dataset):
    """Total variation over t of the Frobenius norm of W(t)."""
    return np.abs(np.diff(weights_over_depth.norms(dataset))).sum()


def _weight_variation(dataset):
    """Total variation over t of W(t) itself."""
    return weights_over_depth.steps(dataset).sum()


def _accuracy(dataset):
    """Accuracy without noise (percent)."""
    (place,) = np.flatnonzero(dataset["noise_std"].values == 0)[:1]
    return per_image(percent, dataset["correct"].values[place, 0])


def _noise_area(dataset):
    """Area under the noise curve over the width of the curve: the mean accuracy under noise (percent)."""
    std, correct = dataset["noise_std"].values, _correct_by_level(dataset)
    if len(std) < 2:
        return np.nan
    return per_image(percent, np.trapezoid(correct, std, axis=0) / (std[-1] - std[0]))


def _noise_loss(dataset):
    """Accuracy lost from the weakest to the strongest noise, in points."""
    correct = _correct_by_level(dataset)
    return per_image(percent_lost, correct[0], correct[-1])


def _correct_by_level(dataset):
    """The share of draws that are classified correctly, for each level of noise and image."""
    return dataset["correct"].values.mean(axis=1, dtype=np.float32)


def _growth(dataset):
    """Estimated perturbation at T over that at 0."""
    return per_image(ratio, dataset["estimated_at_end"].values, dataset["estimated_at_start"].values)


def _curve_distance(dataset):
    """Largest distance over the depth between the estimated and the measured curve, over the measured one."""
    estimated, measured = dataset["estimated"].values, dataset["measured"].values
    return np.abs(estimated / measured - 1).max()


def _largest_gap(dataset):
    """Largest absolute difference (points) of predicted and measured accuracy under pixel noise up to SMALL_NOISE."""
    return per_image(largest_size, *dataset["pixel_surplus"].values[dataset["noise_std"].values <= SMALL_NOISE])


def _roc_area(dataset, name):
    right = dataset["right"].values.astype(bool)
    parts = roc_parts(dataset[name].values, right)
    area = parts[right].mean() if right.any() else np.nan

    def first_order(means):
        return ratio(means[..., :2]) + ratio(means[..., 2:]) - area

    return per_image(first_order, parts * right, right, parts * ~right, ~right)


def _place(dataset, solver):
    return [str(name) for name in dataset["inference_solver"].values].index(solver)


def _solver_accuracy(dataset, solver):
    return per_image(percent, dataset["correct"].values[_place(dataset, solver)])


def _solver_train_accuracy(dataset, solver):
    return 100 * dataset["train_accuracy"].values[_place(dataset, solver)]


def _solvers(config, model, part):
    taken = {"accuracy": _solver_accuracy, "train_accuracy": _solver_train_accuracy}
    return {
        f"{name}_under_{solver}": functools.partial(take, solver=solver)
        for solver in config["solvers"]["inference"]
        for name, take in taken.items()
    }


def _train(config, model, part):
    """If the noise stage has no level without noise, the accuracy is that of the training, without single images."""
    known = {"trained_accuracy": _trained, "norm_variation": _norm_variation, "weight_variation": _weight_variation}
    return known | ({} if 0 in config["noise"]["std"] else {"accuracy": _trained})


def _noise(config, model, part):
    known = {"noise_area": _noise_area, "noise_loss": _noise_loss}
    return known | ({"accuracy": _accuracy} if 0 in config["noise"]["std"] else {})


# {stage: quantities(config, model, attack)}, which are {name: function of a run's dataset}
QUANTITIES = {
    "train": _train,
    "noise": _noise,
    "sensitivity": lambda config, model, part: {
        "growth": _growth,
        "largest_error": lambda dataset: per_image(mean, dataset["largest_error"].values),
        "largest_median_error": lambda dataset: dataset["relative_error_median"].values.max(),
        "curve_distance": _curve_distance,
    },
    "uncertainty": lambda config, model, part: {
        "largest_gap": _largest_gap,
        "mean_gap": lambda dataset: per_image(mean_size, *dataset["pixel_surplus"].values),
        "roc_area_distance": functools.partial(_roc_area, name="distance"),
        "roc_area_confidence": functools.partial(_roc_area, name="confidence"),
    },
    "solvers": _solvers,
    "attack": attack_quantities,
}
