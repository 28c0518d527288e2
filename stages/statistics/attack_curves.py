"""Success of an attack against the norm of its perturbation (paper, Figures 5 and 12).

The susceptible share at norm r: the attacked images that an attack changed with a perturbation of norm at most r.
"""

import numpy as np

from stages.attack.radii import radii_of
from stages.statistics import runs

# {quantity of `share_and_norms`: heading}
SHARE_AND_NORMS = {"susceptible": "susceptible (%)", "mean_norm": "mean ℓ² norm", "max_norm": "largest ℓ² norm"}


def radii(settings):
    """Return 0 and the radii to which the attacks were confined."""
    return np.array([0.0, *radii_of(settings)])


def changed(dataset, norms):
    """Return which attacked images can be changed within each of `norms`, (norm, image)."""
    return within(smallest_norms([dataset]), norms)


def smallest_norms(datasets):
    """Return, for each attacked image, the smallest norm that any of these attacks on a network needs, or infinity."""
    return np.min([np.where(dataset["success"].values, dataset["norm"].values, np.inf) for dataset in datasets], axis=0)


def within(needed, norms):
    """Return which of the norms `needed` (image,) lie within each of `norms`, (norm, image)."""
    # An attack confined to a ball may end outside of it by a rounding error.
    return needed[None, :] <= np.asarray(norms)[:, None] * (1 + 1e-5) + 1e-12


def susceptible(dataset, norms):
    """Return the share (0 to 1) of attacked images that can be changed within each of `norms`."""
    return changed(dataset, norms).mean(axis=1)


def percent_susceptible(results, settings, attack, model, norms):
    """Return the percentage of attacked images that can be changed within each of `norms`, (run, norm)."""
    datasets = runs.asked_for(results, settings, f"attack/{attack}", model)
    return 100 * np.array([susceptible(dataset, norms) for dataset in datasets])


def share_and_norms(dataset):
    """Return the percentage of attacked images that were changed, mean and largest norm; nan if none was."""
    success = dataset["success"].values.astype(bool)
    norms = dataset["norm"].values[success]
    return {
        "susceptible": 100 * success.mean() if success.size else np.nan,
        "mean_norm": norms.mean() if norms.size else np.nan,
        "max_norm": norms.max() if norms.size else np.nan,
    }


def pixel_shares(dataset):
    """Return (indices of attacked images that were changed, largest pixel of each change over its norm)."""
    if "pixel_share" in dataset:  # an extract, without most of the images
        shares = dataset["pixel_share"].values
        return np.flatnonzero(np.isfinite(shares)), shares[np.isfinite(shares)]
    places = np.flatnonzero(dataset["success"].values)
    change = (dataset["adversarial"].values - dataset["original"].values)[places].astype(np.float64)
    norms = np.linalg.norm(change, axis=1)
    moved = norms > 0
    return places[moved], np.abs(change[moved]).max(axis=1) / norms[moved]


def pictured(dataset):
    """Return which attacked images the store contains, (sample,): an extract keeps few of them."""
    return np.isfinite(dataset["adversarial"].values).all(axis=1)
