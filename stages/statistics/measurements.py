"""Everything that the claims look at, measured from the stores: {quantity: {key: values over runs}}.

A key is a model, or (attack, model). A store that is not there, or a network below the least accuracy, leaves a reason
in place of the numbers, so that the claim says why it is not decided.
"""

import functools
import itertools
from dataclasses import dataclass

import numpy as np

from stages import stores
from stages.model_name import store_path
from stages.plan import experiment, stage_table
from stages.statistics.attack_curves import radii, susceptible


@dataclass(frozen=True)
class Unusable:
    """Stands where the values of a model should be, and says why there are none."""

    reason: str


class Measurements:
    """Values over runs by quantity and key; asking for what is not there gives the reason."""

    def __init__(self, thresholds):
        self.thresholds = thresholds
        self.values = {}
        self.reasons = {}  # model: why none of its numbers may be used

    def put(self, quantity, key, values):
        self.values[quantity, key] = values if isinstance(values, Unusable) else np.asarray(values, dtype=np.float64)

    def get(self, quantity, key):
        """Return the values over runs, or why there are none."""
        model = key if isinstance(key, str) else next(part for part in key if "_" in part)
        if model in self.reasons:
            return Unusable(self.reasons[model])
        return self.values.get((quantity, key), Unusable(f"no store of {model}"))


def measure(folder, config):
    """Read every store of the experiment and return the measurements."""
    found = Measurements(config["claims"])
    for place, (stage, part) in stage_table.folders(config).items():
        if place.partition("/")[0] not in QUANTITIES:  # no claim looks at it
            continue
        quantities = QUANTITIES[place.partition("/")[0]](config)
        for model in stage.models(config):
            settings = stage.settings(config, model, part)
            datasets = _read(folder, place, model, experiment.runs(config), settings)
            _put_all(found, (part, model) if part else model, datasets, quantities)
            if place == "train":
                _refuse_untrained(found, model)
    return found


def _read(folder, stage, model, runs, settings):
    """Return the datasets of all runs, one at a time, or why they cannot be had."""
    paths = [store_path(folder, stage, model, run) for run in runs]
    missing = [path for path in paths if not stores.manifest_path(path).exists()]
    if missing:
        return Unusable(f"no store {stage}/{model}/{missing[0].name}")
    return (stores.read(path, settings) for path in paths)


def _put_all(found, key, datasets, quantities):
    """Take every quantity of every run; a dataset is let go before the next is read (weights are large)."""
    if isinstance(datasets, Unusable):
        for name in quantities:
            found.put(name, key, datasets)
        return
    values = [{name: take(dataset) for name, take in quantities.items()} for dataset in datasets]
    for name in quantities:
        found.put(name, key, [run[name] for run in values])


def _refuse_untrained(found, model):
    accuracy, least = found.get("accuracy", model), found.thresholds["minimum_accuracy"]
    if not isinstance(accuracy, Unusable) and accuracy.mean() < least:
        found.reasons[model] = f"{model} reached {accuracy.mean():.1f} % accuracy, a verdict wants {least:g} %"


# --- one number a run -------------------------------------------------------------------------------------------------


def _norm_variation(dataset):
    """Total variation over t of the Frobenius norm of W(t)."""
    weights = dataset["W"].values
    norms = np.sqrt(np.einsum("lij,lij->l", weights, weights, dtype=np.float64))
    return np.abs(np.diff(norms)).sum()


def _weight_variation(dataset):
    """Total variation over t of W(t) itself, in the Frobenius norm."""
    weights = dataset["W"].values
    steps = (np.linalg.norm((after - before).astype(np.float64)) for before, after in itertools.pairwise(weights))
    return sum(steps)


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
    success = dataset["success"].values.astype(bool)
    change = (dataset["adversarial"].values - dataset["original"].values)[success].astype(np.float64)
    norms = np.linalg.norm(change, axis=1)
    moved = norms > 0
    return (np.abs(change[moved]).max(axis=1) / norms[moved]).mean() if moved.any() else np.nan


# {stage: quantities(config), {name: function of a run's dataset}}
QUANTITIES = {
    "train": lambda config: {
        "accuracy": lambda data: 100 * data["test_accuracy"].values[-1],
        "norm_variation": _norm_variation,
        "weight_variation": _weight_variation,
    },
    "noise": lambda config: {"noise_area": _noise_area},
    "sensitivity": lambda config: {
        "growth": lambda data: data["estimated"].values[-1] / data["estimated"].values[0],
        "largest_error": lambda data: data["relative_error"].values.max(),
    },
    "solvers": lambda config: {
        f"accuracy_under_{solver}": functools.partial(_solver_accuracy, solver=solver)
        for solver in config["solvers"]["inference"]
    },
    "attack": lambda config: _attack_quantities(radii(config["attack"]["radii"]), config["claims"]["attack_norm"]),
}
