"""Trained networks for others: a line on each in networks.csv, and some of them as small stores.

A small store has the weights and biases in float16, half of what they take, and says what that costs in accuracy. Its
settings are those of its training and `rounded: float16`; the histories of the iterations are left out. Programs read
it as any trained network, in the precision of its training.
"""

import json
import logging
import shutil

import numpy as np

from stages import stores
from stages.errors import UserError
from stages.model.classify import accuracy
from stages.model_name import store_path
from stages.plan import experiment
from stages.trained_network import read_network

log = logging.getLogger("stages")

COLUMNS = ("model", "run", "test_accuracy", "test_accuracy_by_epoch", "train_accuracy_by_epoch", "seconds_by_epoch")
COLUMNS += ("digest", "backend", "version", "commit", "settings")
KEPT = ("train_accuracy", "test_accuracy", "seconds")
ROUNDED = "float16"


def describe(results, config):
    """Return a row a trained network, as networks.csv has them."""
    rows = []
    for model in experiment.all_models(config):
        for run in experiment.runs(config):
            path = store_path(results, "train", model, run)
            (variables, attributes), manifest = stores.check(path), stores.read_manifest(path)
            by_epoch = {f"{name}_by_epoch": variables[name].values for name in KEPT}
            words = {name: " ".join(f"{value:.6g}" for value in values) for name, values in by_epoch.items()}
            words |= {"model": model, "run": run, "test_accuracy": f"{variables['test_accuracy'].values[-1]:.6g}"}
            words |= {"digest": manifest["digest"], "backend": manifest["backend"]}
            words |= {"version": manifest["versions"]["snode"], "commit": attributes.get("commit", "")}
            rows.append(words | {"settings": json.dumps(manifest["settings"], sort_keys=True)})
    return rows


def small_network(results, config, model, place, out):
    """Put a network into `place`: rounded, or as it lies in <out>/networks where its weights are not at hand any more.

    Return (test accuracy as trained, test accuracy rounded, test images).
    """
    path, before, small = (
        store_path(results, "train", model, 0),
        out / "networks" / f"{model}.zarr",
        place / f"{model}.zarr",
    )
    if not stores.is_extract(path):
        return round_network(results, config, model, small)
    if not before.exists() or stores.read_manifest(before)["inputs"]["network"] != stores.read_manifest(path)["digest"]:
        raise UserError(
            f"{path} is an extract without weights, and {before} is not that network; leave it out with --networks, "
            "or delete the extract with its manifest and train the network again"
        )
    _, attributes = stores.check(before)
    shutil.copytree(before, small)
    shutil.copy(stores.manifest_path(before), stores.manifest_path(small))
    return tuple(attributes[name] for name in ("test_accuracy_as_trained", "test_accuracy_rounded", "test_images"))


def round_network(results, config, model, out, run=0):
    """Write a network as a small store; return (test accuracy as trained, test accuracy rounded, test images)."""
    path, digits_path = store_path(results, "train", model, run), results / "data" / "digits.zarr"
    variables, attributes = stores.check(path)
    settings = stores.read_manifest(path)["settings"]
    small = {name: variables[name]._replace(values=_rounded(path, variables[name].values)) for name in ("W", "b")}
    coordinates = {name: tuple(variables[name]) for name in ("t", "epoch")}
    # A convolutional network has a read-out of its own.
    kept = {name: tuple(variables[name]) for name in (*KEPT, "readout") if name in variables}

    def write(**about):
        stores.write(
            out,
            {**{name: tuple(variable) for name, variable in small.items()}, **kept},
            coordinates=coordinates,
            settings=settings | {"rounded": ROUNDED},
            inputs={"digits": digits_path, "network": path},
            backend=stores.read_manifest(path)["backend"],
            attributes={"trained_at_commit": attributes.get("commit", ""), **about},
            measured=("seconds",),
        )

    write()  # first without: the accuracy is that of the very store that is published, read as others will read it
    digits = stores.read_arrays(digits_path)
    before, after = (
        float(
            accuracy(
                read_network(each, settings, np),
                digits["test_image"],
                digits["test_label"],
                config["network"]["classes"],
            )
        )
        for each in (path, out)
    )
    write(test_accuracy_as_trained=before, test_accuracy_rounded=after, test_images=len(digits["test_label"]))
    log.info("%s in %s: %.2f %% of the test images, %.2f %% as trained", model, ROUNDED, 100 * after, 100 * before)
    return before, after, len(digits["test_label"])


def _rounded(path, values):
    with np.errstate(over="ignore"):  # said below
        small = values.astype(ROUNDED)
    if not np.isfinite(small).all():
        raise UserError(
            f"{path}: wanted weights that {ROUNDED} can hold, found larger ones; leave it out with --networks"
        )
    return small
