"""The stores behind a figure: reading all runs of a model, and their mean and spread."""

from pathlib import Path

import numpy as np

from stages.names.model_name import store_path
from stages.runtime.errors import UserError
from stages.storage import stores


def arguments(parser):
    """Add the options that every figure and table program has."""
    parser.add_argument("--results", type=Path, required=True, help="folder of a preset's results, as results/quick")
    parser.add_argument(
        "--output", type=Path, nargs="+", required=True, help="files to write; the suffix decides the format"
    )


def read_runs(results, stage, model, runs, network=None):
    """Return the datasets of all runs of a model.

    network: settings that the stores must have been made with, so that no figure mixes networks of two sizes.
    """
    expected = None
    if network is not None:
        expected = {"network": network} if stage == "train" else {"trained": {"network": network}}
    return [stores.read(store_path(results, stage, model, run), expected) for run in runs]


def asked_for(results, settings, stage, model):
    """Return the datasets of all runs of a model that the settings of a figure or table select."""
    runs = settings["runs"][: settings.get("fewer", {}).get(model)]
    return read_runs(results, stage, model, runs, settings["network"])


def final_accuracy(results, settings, model):
    """Return the test accuracy (percent) after the last epoch, (run,)."""
    return 100 * over_runs(asked_for(results, settings, "train", model), "test_accuracy")[:, -1]


def over_runs(datasets, name):
    """Return a variable of all runs as one array (run, ...)."""
    arrays = [dataset[name].values for dataset in datasets]
    if len({array.shape for array in arrays}) > 1:
        shapes = ", ".join(str(array.shape) for array in arrays)
        raise UserError(f"runs of one model differ in the shape of {name}: {shapes}; make their stores again")
    return np.stack(arrays)


def mean_and_spread(values):
    """Return mean and standard deviation over runs (axis 0); None as standard deviation of a single run."""
    values = np.asarray(values, dtype=np.float64)
    return values.mean(axis=0), values.std(axis=0, ddof=1) if len(values) > 1 else None


def coordinate(datasets, name):
    """Return a coordinate that all runs must share."""
    first, *others = [dataset[name].values for dataset in datasets]
    if any(not np.array_equal(first, other) for other in others):
        raise UserError(f"runs of one model differ in their coordinate {name}; make their stores again")
    return first
