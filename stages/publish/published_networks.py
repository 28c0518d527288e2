"""Published networks: one row for each in networks.csv, some of them with their weights as small stores."""

import json
import shutil

from stages.names.model_name import store_path
from stages.plan import experiment
from stages.publish.keep_network import keep
from stages.runtime.errors import UserError
from stages.storage import stores
from stages.storage.network_store import BY_EPOCH

COLUMNS = ("model", "run", "test_accuracy", "test_accuracy_by_epoch", "train_accuracy_by_epoch", "seconds_by_epoch")
COLUMNS += ("digest", "backend", "version", "commit", "settings")


def describe(results, config):
    """Return the rows of networks.csv, one per trained network."""
    rows = []
    for model in experiment.all_models(config):
        for run in experiment.runs_of(config, model):
            path = store_path(results, "train", model, run)
            (variables, attributes), manifest = stores.check(path), stores.read_manifest(path)
            by_epoch = {f"{name}_by_epoch": variables[name].values for name in BY_EPOCH}
            words = {name: " ".join(f"{value:.6g}" for value in values) for name, values in by_epoch.items()}
            words |= {"model": model, "run": run, "test_accuracy": f"{variables['test_accuracy'].values[-1]:.6g}"}
            words |= {"digest": manifest["digest"], "backend": manifest["backend"]}
            words |= {"version": manifest["versions"]["snode"], "commit": attributes.get("commit", "")}
            rows.append(words | {"settings": json.dumps(manifest["settings"], sort_keys=True)})
    return rows


def place_network(results, config, model, place, before):
    """Put a network with its weights into the folder `place`.

    It is copied from the folder `before` if it is one of these runs, or a run that the experiment does not have, or if
    the experiment does not have the model; otherwise it is the first run with weights.
    """
    other = model not in experiment.all_models(config)
    paths = [store_path(results, "train", model, run) for run in experiment.runs_of(config, model)]
    digests = [] if other else [stores.read_manifest(path)["digest"] for path in paths]
    kept, small = before / f"{model}.zarr", place / f"{model}.zarr"
    known = stores.read_manifest(kept) if kept.exists() else None
    if known and (other or known["inputs"].get("network") in digests or _is_another_run(known, paths)):
        stores.check(kept)
        shutil.copytree(kept, small)
        shutil.copy(stores.manifest_path(kept), stores.manifest_path(small))
        return
    whole = [path for path in paths if not stores.is_extract(path)]
    if not whole:
        raise UserError(
            f"{paths[0]} is an extract without weights, and {kept} is not that network; leave it out with --networks, "
            "or delete the extract with its manifest and train the network again"
        )
    keep(whole[0], small)


def _is_another_run(known, paths):
    """Tell whether a kept network is a run of the same training, but none of these stores."""
    settings = [stores.read_manifest(path)["settings"] for path in paths]
    alike = [_without(each, "run") == _without(known["settings"], "run", "rounded") for each in settings]
    return any(alike) and known["settings"]["run"] not in [each["run"] for each in settings]


def _without(settings, *keys):
    return {key: value for key, value in settings.items() if key not in keys}
