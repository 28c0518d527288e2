"""What every test image contributes to a quantity, so that images can be resampled.

A quantity of a run is a function of one or several means over test images: the accuracy is one mean, the growth of a
perturbation a ratio of two. Outcomes hold what is averaged and the function.

A network is attacked on the images that it reads rightly, so no two networks are attacked on the same. Resampled are
all images that the attack stage looked at (attack.images); one that is not attacked adds nothing above or below:

    share = Σᵢ changedᵢ / Σᵢ attackedᵢ

So two networks are compared on the same resampled images, and how many of them are attacked is random, as it is. To
keep only images that both networks read rightly would be another quantity than what tables and figures show.

The area under a ROC curve is no function of few means; to first order (DeLong's components) it is the mean over right
answers plus the mean over wrong ones, less itself, of what each adds to it (`selective.roc_parts`).

The largest relative error over the depth is taken at the depth where the mean over all images is largest, in every
resampling: where two depths nearly tie, their errors are nearly the same, and with them the maximum.
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from stages.seeds import generator
from stages.statistics.attack_curves import changed, pixel_shares, radii
from stages.statistics.bootstrap import resampled_means
from stages.statistics.measured import Unusable
from stages.statistics.selective import roc_parts

SMALL_NOISE = 0.08  # on pixels: up to here an accuracy is to be predictable
FEWEST_IMAGES = 10  # with fewer, what is resampled says little of what was not seen


@dataclass(frozen=True)
class Outcomes:
    values: np.ndarray  # (k, image) float32: exact for truth values
    statistic: Callable  # of means (..., k)


def outcomes(statistic, *values):
    return Outcomes(np.stack([np.asarray(each, dtype=np.float32) for each in values]), statistic)


def resample(known, resamplings, seed):
    """Return the statistics (resampling,) of {place: Outcomes}, on the same resamplings where there are as many images.

    Where a place holds a reason instead, it stays; so does a reason where there are too few images.
    """
    found, sizes = dict(known), {}
    for place, each in known.items():
        if isinstance(each, Outcomes):
            sizes.setdefault(each.values.shape[1], []).append(place)
    for images, places in sizes.items():
        if images < FEWEST_IMAGES:
            found |= dict.fromkeys(places, Unusable(f"1 run on {images} images, wanted at least {FEWEST_IMAGES}"))
            continue
        stacked = np.concatenate([known[place].values for place in places])
        means = resampled_means(stacked, resamplings, generator(seed, "bootstrap", images))
        ends = np.cumsum([len(known[place].values) for place in places])[:-1]
        with np.errstate(divide="ignore", invalid="ignore"):  # a resampling may hold no success of an attack
            for place, part in zip(places, np.split(means, ends, axis=1), strict=True):
                found[place] = known[place].statistic(part)
    return found


# --- functions of means -----------------------------------------------------------------------------------------------


def value(means):
    return means[..., 0]


def percent(means):
    return 100 * means[..., 0]


def ratio(means):
    return means[..., 0] / means[..., 1]


def percent_of(means):
    return 100 * ratio(means)


def norm_per_success(means):
    """(Σ norm / Σ success) / (Σ success / Σ attacked): infinite where nothing succeeded."""
    norm, success, attacked = np.moveaxis(means, -1, 0)
    return np.where(success > 0, norm * attacked / success**2, np.inf)


def largest_size(means):
    """The size of the largest of several means, in percent."""
    return 100 * np.abs(means).max(axis=-1)


def mean_size(means):
    return 100 * np.abs(means).mean(axis=-1)


# --- of a run's dataset -----------------------------------------------------------------------------------------------


def _clean(dataset):
    """Whether the network reads the image without noise."""
    (place,) = np.flatnonzero(dataset["noise_std"].values == 0)[:1]
    return outcomes(percent, dataset["correct"].values[place, 0])


def _noise_area(dataset):
    """The area under the image's own noise curve, over the width of the curve."""
    std, correct = dataset["noise_std"].values, dataset["correct"].values.mean(axis=1, dtype=np.float32)
    return outcomes(percent, np.trapezoid(correct, std, axis=0) / (std[-1] - std[0]))


def _growth(dataset):
    return outcomes(ratio, dataset["estimated_at_end"].values, dataset["estimated_at_start"].values)


def _largest_error(dataset):
    return outcomes(value, dataset["largest_error"].values)


def _largest_gap(dataset):
    return outcomes(largest_size, *dataset["pixel_surplus"].values[dataset["noise_std"].values <= SMALL_NOISE])


def _mean_gap(dataset):
    return outcomes(mean_size, *dataset["pixel_surplus"].values)


def _roc_area(name):
    def take(dataset):
        right = dataset["right"].values.astype(bool)
        parts = roc_parts(dataset[name].values, right)
        area = parts[right].mean() if right.any() else np.nan

        def first_order(means):
            return ratio(means[..., :2]) + ratio(means[..., 2:]) - area

        return outcomes(first_order, parts * right, right, parts * ~right, ~right)

    return take


def _solver(solver):
    def take(dataset):
        solvers = [str(name) for name in dataset["inference_solver"].values]
        return outcomes(percent, dataset["correct"].values[solvers.index(solver)])

    return take


def _attack(config):
    norms, at, images = radii(config["attack"]["radii"]), config["claims"]["attack_norm"], config["attack"]["images"]

    def at_images(dataset, values):
        """Put a value for each attacked image where the image stands among all; zero elsewhere."""
        placed = np.zeros(images, dtype=np.float32)
        placed[dataset["image_index"].values] = values
        return placed

    def success_at_norm(dataset):
        changed_there = at_images(dataset, changed(dataset, [at])[0])
        return outcomes(percent_of, changed_there, at_images(dataset, 1))

    def success_at_last(dataset):
        return outcomes(percent_of, at_images(dataset, dataset["success"].values), at_images(dataset, 1))

    def success_over_curve(dataset):
        area = np.trapezoid(changed(dataset, norms).astype(np.float32), norms, axis=0) / (norms[-1] - norms[0])
        return outcomes(percent_of, at_images(dataset, area), at_images(dataset, 1))

    def norm_of_successes(dataset):
        success = dataset["success"].values.astype(bool)
        norm = np.where(success, dataset["norm"].values, 0)
        return outcomes(norm_per_success, *(at_images(dataset, each) for each in (norm, success, 1)))

    def single_pixel_share(dataset):
        places, shares = pixel_shares(dataset)
        above, below = np.zeros((2, dataset.sizes["sample"]))
        above[places], below[places] = shares, 1
        return outcomes(ratio, at_images(dataset, above), at_images(dataset, below))

    return {
        "success_at_norm": success_at_norm,
        "success_at_last": success_at_last,
        "success_over_curve": success_over_curve,
        "norm_per_success": norm_of_successes,
        "single_pixel_share": single_pixel_share,
    }


# {stage: outcomes(config), {quantity: function of a run's dataset}}. The networks' own stores keep no single image:
# whether one is read rightly is what the noise stage finds without noise.
OUTCOMES = {
    "train": lambda config: {},
    "noise": lambda config: {"noise_area": _noise_area} | ({"accuracy": _clean} if 0 in config["noise"]["std"] else {}),
    "sensitivity": lambda config: {"growth": _growth, "largest_error": _largest_error},
    "uncertainty": lambda config: {
        "largest_gap": _largest_gap,
        "mean_gap": _mean_gap,
        "roc_area_distance": _roc_area("distance"),
        "roc_area_confidence": _roc_area("confidence"),
    },
    "solvers": lambda config: {
        f"accuracy_under_{solver}": _solver(solver) for solver in config["solvers"]["inference"]
    },
    "attack": _attack,
}
