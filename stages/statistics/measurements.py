"""Everything that the claims look at, measured from the stores: {(quantity, key): Measured over runs}.

A key is a model, or (attack, model). A store that is not there, or a network below the least accuracy, leaves a reason
in place of the numbers, so that the claim says why it is not decided. Of a single run every quantity that is made of
means over test images is measured on resampled images too.
"""

import functools

import numpy as np

from stages import stores
from stages.model_name import store_path
from stages.plan import experiment, stage_table
from stages.statistics import weights_over_depth
from stages.statistics.attack_curves import pixel_shares, radii, susceptible
from stages.statistics.measured import Measured, Unusable, measured
from stages.statistics.outcomes import OUTCOMES, SMALL_NOISE, resample
from stages.statistics.selective import roc_area

NOT_RUN = "not run: "  # begins the reason of what is not there


class Measurements:
    """Values over runs by quantity and key; asking for what is not there gives the reason."""

    def __init__(self, thresholds):
        self.thresholds = thresholds
        self.values = {}
        self.outcomes = {}  # of a single run: what every image contributes, or why that is not known
        self.reasons = {}  # model: why none of its numbers may be used

    def put(self, quantity, key, values):
        self.values[quantity, key] = measured(values)

    def get(self, quantity, key):
        """Return the values over runs, or why there are none."""
        model = key if isinstance(key, str) else next(part for part in key if "_" in part)
        if model in self.reasons:
            return Unusable(self.reasons[model])
        missing = model if isinstance(key, str) else " on ".join(key)
        return self.values.get((quantity, key), Unusable(NOT_RUN + missing))


def measure(folder, config):
    """Read every store of the experiment and return the measurements."""
    found = Measurements(config["claims"])
    runs = experiment.runs(config)
    folders, models = stage_table.folders(config), stage_table.folder_models(config)
    for place in stage_table.usual_folders(config):
        (stage, part), name = folders[place], place.partition("/")[0]
        if name not in QUANTITIES:  # no claim looks at it
            continue
        quantities, outcomes = QUANTITIES[name](config), OUTCOMES[name](config) if len(runs) == 1 else {}
        for model in models[place]:
            settings = stage.settings(config, model, part)
            datasets = _read(folder, place, model, runs, settings)
            _put_all(found, (part, model) if part else model, datasets, quantities, outcomes)
            if place == "train":
                _refuse_untrained(found, model)
    if len(runs) == 1:
        _resample(found, config["claims"]["resamplings"], config["seed"])
    return found


def _read(folder, stage, model, runs, settings):
    """Return the datasets of all runs, one at a time, or why they cannot be had."""
    paths = [store_path(folder, stage, model, run) for run in runs]
    missing = [path for path in paths if not stores.manifest_path(path).exists()]
    if missing:
        return Unusable(f"{NOT_RUN}{stage}/{model}/{missing[0].name}")
    return (stores.read(path, settings) for path in paths)


def _put_all(found, key, datasets, quantities, outcomes):
    """Take every quantity of every run; a dataset is let go before the next is read (weights are large)."""
    if isinstance(datasets, Unusable):
        for name in quantities:
            found.put(name, key, datasets)
        for name in outcomes:
            found.outcomes[name, key] = datasets
        return
    values = []
    for dataset in datasets:
        values.append({name: take(dataset) for name, take in quantities.items()})
        for name, take in outcomes.items():
            found.outcomes[name, key] = _take_outcomes(take, dataset)
    for name in quantities:
        found.put(name, key, [run[name] for run in values])


def _take_outcomes(take, dataset):
    try:
        return take(dataset)
    except KeyError:  # stores of a time when only means were kept
        return Unusable("1 run, and its store keeps no outcome of single images: make it again")


def _refuse_untrained(found, model):
    accuracy, least = found.get("accuracy", model), found.thresholds["minimum_accuracy"]
    if not isinstance(accuracy, Unusable) and accuracy.mean < least:
        found.reasons[model] = f"{model} reached {accuracy.mean:.1f} % accuracy, a verdict wants {least:g} %"


def _resample(found, resamplings, seed):
    """Give every quantity of a single run that is made of means over test images what resampled images give."""
    resampled = resample(found.outcomes, resamplings, seed)
    unknown = Unusable("1 run, and no outcome of single images: noise.std wants a 0.0")
    for place, value in found.values.items():
        if place[0] not in WITHOUT_IMAGES and isinstance(value, Measured):
            again = resampled.get(place, unknown)
            found.values[place] = again if isinstance(again, Unusable) else Measured(value.runs, again)


# --- one number a run -------------------------------------------------------------------------------------------------


def _noise_area(dataset):
    """Area under the noise curve over the width of the curve: the mean accuracy (percent)."""
    std, accuracy = dataset["noise_std"].values, 100 * dataset["accuracy"].values
    return np.trapezoid(accuracy, std) / (std[-1] - std[0]) if len(std) > 1 else np.nan


def _solver_accuracy(dataset, solver):
    solvers = [str(name) for name in dataset["inference_solver"].values]
    return 100 * dataset["test_accuracy"].values[solvers.index(solver)]


def _attack_quantities(norms, at):
    """Shares in percent, norms in pixels' units."""
    return {
        "success_at_norm": lambda data: 100 * susceptible(data, [at])[0],
        "success_at_last": lambda data: 100 * data["success"].values.mean(),
        "success_over_curve": lambda data: 100 * np.trapezoid(susceptible(data, norms), norms) / (norms[-1] - norms[0]),
        "norm_per_success": _norm_per_success,
        "single_pixel_share": _single_pixel_share,
        "attack_seconds": lambda data: float(data.attrs["seconds"]),
    }


def _norm_per_success(dataset):
    """Mean norm of the successful perturbations over the share of successes; infinite where nothing succeeded."""
    success = dataset["success"].values.astype(bool)
    return dataset["norm"].values[success].mean() / success.mean() if success.any() else np.inf


def _single_pixel_share(dataset):
    """Mean over successes of the perturbation's largest pixel over its norm: 1 if it is all on one pixel."""
    _, shares = pixel_shares(dataset)
    return shares.mean() if shares.size else np.nan


def _prediction_gaps(dataset):
    """Size of the difference between predicted and measured accuracy, for each level of noise on pixels, in points."""
    return 100 * np.abs(dataset["pixel_predicted"].values - dataset["pixel_measured"].values)


# {stage: quantities(config), {name: function of a run's dataset}}
QUANTITIES = {
    "train": lambda config: {
        "accuracy": lambda data: 100 * data["test_accuracy"].values[-1],
        # Total variation over t of the Frobenius norm of W(t), and of W(t) itself.
        "norm_variation": lambda data: np.abs(np.diff(weights_over_depth.norms(data))).sum(),
        "weight_variation": lambda data: weights_over_depth.steps(data).sum(),
    },
    "noise": lambda config: {"noise_area": _noise_area},
    "sensitivity": lambda config: {
        "growth": lambda data: data["estimated"].values[-1] / data["estimated"].values[0],
        "largest_error": lambda data: data["relative_error"].values.max(),
        "largest_median_error": lambda data: data["relative_error_median"].values.max(),
    },
    "uncertainty": lambda config: {
        "largest_gap": lambda data: _prediction_gaps(data)[data["noise_std"].values <= SMALL_NOISE].max(),
        "mean_gap": lambda data: _prediction_gaps(data).mean(),
        **{
            f"roc_area_{name}": lambda data, name=name: roc_area(data[name].values, data["right"].values)
            for name in ("distance", "confidence")
        },
    },
    "solvers": lambda config: {
        f"accuracy_under_{solver}": functools.partial(_solver_accuracy, solver=solver)
        for solver in config["solvers"]["inference"]
    },
    "attack": lambda config: _attack_quantities(radii(config["attack"]["radii"]), config["claims"]["attack_norm"]),
}
# What is no mean over test images: the weights are what they are, seconds are the machine's, a median is no mean.
WITHOUT_IMAGES = ("norm_variation", "weight_variation", "attack_seconds", "largest_median_error")
