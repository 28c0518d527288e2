"""The contribution of every test image to a quantity, which gives the quantity and its bootstrap values.

A quantity of a run is a function of one or several means over test images: the accuracy is one mean, the growth of a
perturbation a ratio of two. PerImage holds what is averaged and the function; its `value` is the quantity.

A network is attacked on the images that it classifies correctly, so different networks are attacked on different ones.
The bootstrap resamples all images of the attack stage (attack.images); an image that is not attacked adds nothing to
numerator or denominator:

    share = Σᵢ changedᵢ / Σᵢ attackedᵢ

So two networks are compared on the same resampled images, and the number of attacked ones is random, as it should be.
Keeping only images that both networks classify correctly would give another quantity than in tables and figures.
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from stages.claims.bootstrap import resampled_means
from stages.claims.measured import Unusable
from stages.runtime.seeds import generator

FEWEST_IMAGES = 10  # with fewer, resampling says little about other images


@dataclass(frozen=True)
class PerImage:
    values: np.ndarray  # (k, image) float32: exact for booleans
    statistic: Callable  # of means (..., k)

    @property
    def value(self):
        """The quantity itself: the statistic of the means over all images."""
        with np.errstate(divide="ignore", invalid="ignore"):  # an attack without any success has no mean norm
            return float(self.statistic(self.values.mean(axis=1, dtype=np.float64)))


def per_image(statistic, *values):
    return PerImage(np.stack([np.asarray(each, dtype=np.float32) for each in values]), statistic)


def resample(known, resamplings, seed):
    """Return {place: statistics (resampling,)} for {place: PerImage}; equal numbers of images share resamplings.

    A reason in place of a PerImage is kept; too few images give a reason too.
    """
    resampled, sizes = dict(known), {}
    for place, each in known.items():
        if isinstance(each, PerImage):
            sizes.setdefault(each.values.shape[1], []).append(place)
    for images, places in sizes.items():
        if images < FEWEST_IMAGES:
            resampled |= dict.fromkeys(places, Unusable(f"1 run on {images} images, wanted at least {FEWEST_IMAGES}"))
            continue
        stacked = np.concatenate([known[place].values for place in places])
        means = resampled_means(stacked, resamplings, generator(seed, "bootstrap", images))
        ends = np.cumsum([len(known[place].values) for place in places])[:-1]
        with np.errstate(divide="ignore", invalid="ignore"):  # a resampling may contain no success of an attack
            for place, part in zip(places, np.split(means, ends, axis=1), strict=True):
                resampled[place] = known[place].statistic(part)
    return resampled


# --- functions of means -----------------------------------------------------------------------------------------------


def mean(means):
    return means[..., 0]


def percent(means):
    return 100 * means[..., 0]


def ratio(means):
    return means[..., 0] / means[..., 1]


def percent_of(means):
    return 100 * ratio(means)


def percent_lost(means):
    """The first share minus the second, in points."""
    return 100 * (means[..., 0] - means[..., 1])


def norm_per_success(means):
    """(Σ norm / Σ success) / (Σ success / Σ attacked): infinite without any success."""
    norm, success, attacked = np.moveaxis(means, -1, 0)
    return np.where(success > 0, norm * attacked / success**2, np.inf)


def largest_size(means):
    """The largest absolute value of several means, in percent."""
    return 100 * np.abs(means).max(axis=-1)


def mean_size(means):
    return 100 * np.abs(means).mean(axis=-1)
