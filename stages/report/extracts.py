"""The stores of a published network, a zip file each network: what figures, tables and claims look at.

A network's own weights, the history of its iterations and most of the attacked images are left out, which is nearly all
of the size. What is computed from them stands in their place: the norm of W(t) over the depth, the share of each
perturbation's largest pixel. So every figure and verdict can be made again from the extracts, to the letter.
"""

import zipfile
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np

from stages import stores
from stages.plan import experiment, stage_table
from stages.statistics import attack_curves, weights_over_depth
from stages.zarr_folder import Variable

PICTURES = 40  # successful attacks whose images are kept, the first ones: figures show a few
LONG_AGO = (1980, 1, 1, 0, 0, 0)  # the same content makes the same file


def pack(results, config, model, out):
    """Write the extracts of a network's stores, with their manifests and what their jobs cost, as one zip file."""
    with TemporaryDirectory() as folder:
        for name in names_of(config, model):
            take = TAKE.get(name.partition("/")[0], _as_it_is)
            stores.write_extract(results / f"{name}.zarr", Path(folder, f"{name}.zarr"), take)
        files = {path.relative_to(folder): path for path in Path(folder).rglob("*") if path.is_file()}
        files |= {path.relative_to(results): path for path in _benchmarks(results, config, model)}
        out.parent.mkdir(parents=True, exist_ok=True)
        with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
            for name in sorted(files, key=_as_made):
                archive.writestr(zipfile.ZipInfo(name.as_posix(), LONG_AGO), files[name].read_bytes())


def names_of(config, model):
    """Return the names of a network's stores below results/<preset>, in the order in which they are made."""
    models = stage_table.folder_models(config)
    folders = [folder for folder in stage_table.usual_folders(config) if model in models[folder]]
    return [f"{folder}/{model}/run{run}" for folder in folders for run in experiment.runs(config)]


def _benchmarks(results, config, model):
    files = (results / f"benchmarks/{name}.tsv" for name in names_of(config, model))
    return [path for path in files if path.is_file()]


def _as_made(name):
    """Sort by stage as the workflow goes, each manifest behind its store."""
    order = [*stage_table.STAGES, "benchmarks"]
    return order.index(name.parts[0]), name.suffix == ".json" and name.name != "zarr.json", str(name)


# --- what is taken of a store's variables -----------------------------------------------------------------------------


def _of_training(variables):
    kept = {name: variables[name] for name in ("t", "epoch", "train_accuracy", "test_accuracy", "seconds")}
    norms, steps = weights_over_depth.norms(variables), weights_over_depth.steps(variables)
    kept["weight_norm"] = Variable(("layer",), norms, {"long_name": "Frobenius norm of W(t)"})
    kept["weight_step"] = Variable(("step",), steps, {"long_name": "Frobenius norm of W(t + h) - W(t)"})
    return kept


def _of_sensitivity(variables):
    """Single images in float32, in which they are resampled."""
    return {name: _in_single(each) if "sample" in each.dims else each for name, each in variables.items()}


def _of_attack(variables):
    kept = dict(variables)
    shares = np.full(len(variables["success"].values), np.nan)
    places, found = attack_curves.pixel_shares(variables)
    shares[places] = found
    kept["pixel_share"] = Variable(
        ("sample",), shares, {"long_name": "largest pixel of the perturbation over its norm"}
    )
    unseen = np.ones(len(shares), dtype=bool)
    unseen[np.flatnonzero(variables["success"].values)[:PICTURES]] = False
    for name in ("original", "adversarial"):
        pictures = variables[name].values.copy()
        pictures[unseen] = np.nan
        kept[name] = variables[name]._replace(values=pictures)
    return kept


def _in_single(variable):
    values = variable.values
    return variable._replace(values=values.astype(np.float32)) if values.dtype == np.float64 else variable


def _as_it_is(variables):
    return variables


TAKE = {"train": _of_training, "sensitivity": _of_sensitivity, "attack": _of_attack}
