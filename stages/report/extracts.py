"""Keep the finished networks of a run: what figures, tables and claims look at, a zip file a network.

    python -m stages.report.extracts --preset paper          # or: make pack PRESET=paper

A network is finished when every stage and attack that the preset has for it was run; a run that goes on for days can be
packed at any time, and restored elsewhere (restore).

A network's own weights, the history of its iterations and most of the attacked images are left out, which is nearly all
of the size. What is computed from them stands in their place: the norm of W(t) over the depth, the share of each
perturbation's largest pixel. So every figure, table and verdict can be
made again from the extracts, to the letter.
"""

import logging
import zipfile
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np

from stages import program, stores
from stages.errors import UserError
from stages.plan import configuration, experiment, stage_table
from stages.statistics import attack_curves, weights_over_depth
from stages.whole_files import replacing_file
from stages.zarr_folder import Variable

log = logging.getLogger("stages")

PACKED = Path("workflow/published/stores")
PICTURES = 40  # successful attacks whose images are kept, the first ones: figures show a few
LONG_AGO = (1980, 1, 1, 0, 0, 0)  # the same content makes the same file


def pack_finished(results, config, out):
    """Write <out>/<model>.zip for every network that is finished; return their names."""
    finished = [model for model in experiment.all_models(config) if names_of(results, config, model)]
    for model in finished:
        pack(results, config, model, out / f"{model}.zip")
        log.info("%s: %.2f MB", model, (out / f"{model}.zip").stat().st_size / 1e6)
    return finished


def pack(results, config, model, out):
    """Write the extracts of a network's stores, with their manifests and what their jobs cost, as one zip file."""
    names = names_of(results, config, model)
    with TemporaryDirectory() as folder, replacing_file(out) as file:
        for name in names:
            take = TAKE.get(name.partition("/")[0], _as_it_is)
            stores.write_extract(results / f"{name}.zarr", Path(folder, f"{name}.zarr"), take)
        files = {path.relative_to(folder): path for path in Path(folder).rglob("*") if path.is_file()}
        costs = (results / f"benchmarks/{name}.tsv" for name in names)
        files |= {path.relative_to(results): path for path in costs if path.is_file()}
        with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
            for name in sorted(files, key=_as_made):
                archive.writestr(zipfile.ZipInfo(name.as_posix(), LONG_AGO), files[name].read_bytes())


def names_of(results, config, model):
    """Return the names of the stores of a network's finished runs below results/<preset>, by stage."""
    models = stage_table.folder_models(config)
    folders = [folder for folder in stage_table.usual_folders(config) if model in models[folder]]
    by_run = ([f"{folder}/{model}/run{run}" for folder in folders] for run in experiment.runs(config))
    return [name for names in by_run if all((results / f"{name}.json").exists() for name in names) for name in names]


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


def arguments(parser):
    parser.add_argument("--preset", required=True, help="which preset's results to pack")
    parser.add_argument("--results", type=Path, help="where they lie (default: results/<preset>)")
    parser.add_argument("--out", type=Path, help=f"default: {PACKED}/<preset>")


def main(options):
    results = options.results or Path("results", options.preset)
    config = configuration.load(Path(__file__).parents[2], overrides={"preset": options.preset})
    out = options.out or PACKED / options.preset
    if not pack_finished(results, config, out):
        raise UserError(
            f"wanted a finished network in {results}, found none: train, evaluate and attack one first "
            "(snakemake with the files of one model as targets), or name another folder with --results"
        )


if __name__ == "__main__":
    program.run(__doc__, arguments, main, settings=False)
