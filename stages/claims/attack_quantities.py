"""The quantities of an attack on a network: how often it succeeds, within which norms, at what cost.

Norms in the configuration are for images of side data.side; for other images they are scaled to the same norm per
pixel. Shares are in percent of the attacked images.
"""

import numpy as np

from stages.claims.per_image import norm_per_success, per_image, percent_of, ratio
from stages.plan import experiment
from stages.plan.stage_settings import attack_settings
from stages.statistics.attack_curves import changed, pixel_shares, radii


def attack_quantities(config, model, attack):
    scale = experiment.side_of(config, model) / config["data"]["side"]
    images, claims = config["attack"]["images"], config["claims"]
    norms, at, pictured = (
        scale * each for each in (radii(config["attack"]["radii"]), claims["attack_norm"], claims["pictured_norm"])
    )
    inner = np.array([*norms[norms < at * (1 - 1e-9)], at])

    def at_images(statistic, dataset, *quantities):
        """Put the values of the attacked images at their places among all images; zero elsewhere."""
        placed = np.zeros((len(quantities), images), dtype=np.float32)
        for row, values in zip(placed, quantities, strict=True):
            row[dataset["image_index"].values] = values
        return per_image(statistic, *placed)

    def share(dataset, values):
        return at_images(percent_of, dataset, values, 1)

    def mean_over(dataset, grid):
        """The area under the success curve, divided by its width."""
        return share(dataset, np.trapezoid(changed(dataset, grid).astype(np.float32), grid, axis=0) / grid[-1])

    def of_norms(statistic, dataset, *more):
        """A function of the mean norm of successes and of their share, where an image without success counts 0."""
        success = dataset["success"].values.astype(bool)
        return at_images(statistic, dataset, np.where(success, dataset["norm"].values, 0), success, *more)

    def single_pixel_share(dataset):
        """The largest pixel over the norm, for perturbations as small as those in the paper's figures."""
        places, shares = pixel_shares(dataset)
        small = changed(dataset, [pictured])[0][places]
        above, below = np.zeros((2, len(dataset["success"])))
        above[places[small]], below[places[small]] = shares[small], 1
        return at_images(ratio, dataset, above, below)

    quantities = {
        "success_at_norm": lambda dataset: share(dataset, changed(dataset, [at])[0]),
        "success_up_to_norm": lambda dataset: mean_over(dataset, inner),
        "success_over_curve": lambda dataset: mean_over(dataset, norms),
        "success_at_last": lambda dataset: share(dataset, dataset["success"].values),
        "norm_per_success": lambda dataset: of_norms(norm_per_success, dataset, 1),
        "mean_norm": lambda dataset: of_norms(ratio, dataset),
        "max_norm": lambda dataset: np.max(dataset["norm"].values, where=dataset["success"].values, initial=-np.inf),
        "single_pixel_share": single_pixel_share,
        "attack_seconds": lambda dataset: float(dataset.attrs["seconds"]),
    }
    if config["attack"]["attacks"][attack]["method"] == "sensitivity":
        line = attack_settings(config, model, attack)["attack"]
        quantities["solves"] = lambda dataset: at_images(
            ratio, dataset, solves(dataset, line["step"], line["iterations"]), 1
        )
    return quantities


def solves(dataset, step, allowed):
    """Return the number of problems that the paper's Algorithm 2 solves for each attacked image, (sample,).

    One direct problem at the start; a sensitivity problem and a direct one in every iteration. An attack on each of the
    other classes does so for every target. An iteration makes one step, so that a success takes at least norm / step
    iterations; a failure takes all that are `allowed`. Seconds do not measure this: our own code needs fewer solves for
    nine targets than nine attacks would.
    """
    if "norm_by_target" not in dataset:
        return 1 + 2 * _iterations(dataset["norm_unconfined"].values, step, allowed)
    others = dataset["target"].values[None, :] != dataset["label"].values[:, None]
    return (others * (1 + 2 * _iterations(dataset["norm_by_target"].values, step, allowed))).sum(axis=1)


def _iterations(norm, step, allowed):
    return np.where(np.isnan(norm), allowed, np.clip(np.ceil(norm / step - 1e-6), 1, allowed))
