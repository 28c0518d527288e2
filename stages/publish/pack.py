"""Pack the finished networks of a run: the data for figures, tables and claims, in one zip file per network.

    python -m stages.publish.pack --preset paper                            # or: make pack PRESET=paper
    python -m stages.publish.pack --preset paper --runs 1 2 --config 'ode45={atol: 1.0e-3}'

A run of a network is finished when all its stages and attacks in the preset are done; an experiment that takes days can
be packed at any time, and restored elsewhere (restore). Files are merged: a zip file keeps what it contains, so that
runs, or with --parts parts of runs, can be collected from several machines. Stores that `make verify` does not accept,
or with other settings than those in the file, are refused; --replace starts a new file.
"""

import itertools
import logging
import shutil
from pathlib import Path
from tempfile import TemporaryDirectory

from stages import PROJECT
from stages.config import checks, configuration
from stages.plan import experiment, stage_table
from stages.publish import extracts, packed_file
from stages.runtime import program
from stages.runtime.errors import UserError
from stages.storage import stores, verify

log = logging.getLogger("stages")

PACKED = Path("workflow/published/stores")


def pack_finished(results, config, out, **choice):
    """Merge the finished runs of every network into <out>/<model>.zip; return the names of networks with any.

    choice: runs, parts, replace, as for `pack`. What cannot be packed is reported after all others are packed.
    """
    packed, problems = [], []
    for model in experiment.all_models(config):
        try:
            if pack(results, config, model, out / f"{model}.zip", **choice):
                packed.append(model)
                log.info("%s: %.2f MB", model, (out / f"{model}.zip").stat().st_size / 1e6)
        except UserError as problem:
            problems.append(f"{model}: {problem}")
    if problems:
        raise UserError("not packed:\n  " + "\n  ".join(problems))
    return packed


def pack(results, config, model, out, runs=None, parts=False, replace=False):
    """Merge the stores of a network's finished runs into the file `out`; return their names.

    runs: numbers of the runs to pack (default: all); parts: include unfinished runs; replace: discard what the file
    contains.
    """
    with TemporaryDirectory() as temporary:
        folder = Path(temporary)
        held = packed_file.unpack(out, folder) if out.exists() and not replace else []
        held = [name.removesuffix(".json") for name in held if name.endswith(".json")]
        names = _to_pack(results, config, model, runs, held, parts)
        if not names:
            return []
        _require_fit(results, names, folder, held)
        new = [name for name in names if name not in held]  # stores already in the file have the same content
        if not new:
            return names
        for name in new:
            extracts.write_extract(results / f"{name}.zarr", folder / f"{name}.zarr", name.partition("/")[0])
        _require_accepted(folder, [*held, *new])
        # Runs that trained in lockstep share one file.
        for name in [*new, f"train/{model}/lockstep"]:
            cost = Path("benchmarks", f"{name}.tsv")
            if (results / cost).is_file():
                (folder / cost).parent.mkdir(parents=True, exist_ok=True)
                shutil.copyfile(results / cost, folder / cost)
        packed_file.write(out, folder)
    return names


def _to_pack(results, config, model, runs, held, parts):
    """Return the names of the stores to pack, by run and stage: of runs that are finished with what is in the file."""
    models = stage_table.folder_models(config)
    folders = [folder for folder in stage_table.usual_folders(config) if model in models[folder]]
    stems = {path.stem[3:] for folder in folders for path in (results / folder / model).glob("run*.json")}
    there = {int(stem) for stem in stems if stem.isdecimal()}  # not a copy that somebody made of a manifest
    names = []
    for run in sorted(there if runs is None else there & set(runs)):
        of_run = [f"{folder}/{model}/run{run}" for folder in folders]
        present = [name for name in of_run if (results / f"{name}.json").exists()]
        if parts or set(of_run) <= {*present, *held}:
            names += present
    return names


def _require_fit(results, names, folder, held):
    """Refuse stores that are damaged, or have other settings than those in the file or packed with them."""
    known = {}
    for name in held:
        known.setdefault(str(Path(name).parent), (name, stores.read_manifest(folder / f"{name}.zarr")))
    for name in names:
        path = results / f"{name}.zarr"
        if problem := verify.problem_of(results, path):
            raise UserError(problem)
        manifest = stores.read_manifest(path)
        other, beside = known.setdefault(str(Path(name).parent), (name, manifest))
        if difference := _difference(beside["settings"], manifest["settings"]):
            key, there, here = difference
            raise UserError(
                f"{path} was made with {key} = {here!r}, {other} beside it with {there!r}: runs of one network have "
                "the same settings; make one of them again, or forget what was packed with --replace"
            )
        if beside["inputs"].get("digits") != manifest["inputs"].get("digits"):
            raise UserError(f"{path} was made from other digits than {other} beside it")
        if name in held and stores.read_manifest(folder / f"{name}.zarr")["digest"] != manifest["digest"]:
            raise UserError(
                f"{path} has other content than what was packed under its name, with the same settings; "
                "--replace forgets what was packed"
            )


def _difference(there, here):
    """Return (key, value there, value here) of a differing setting other than the run's number, or None."""
    there, here = ({key: value for key, value in each.items() if key != "run"} for each in (there, here))
    backwards = ((key, value, other) for key, other, value in stores.differences(here, there))
    return next(itertools.chain(stores.differences(there, here), backwards), None)


def _require_accepted(folder, names):
    """Refuse parts that do not belong together, such as an evaluation of another network."""
    for name in dict.fromkeys(names):
        if problem := verify.problem_of(folder, folder / f"{name}.zarr"):
            raise UserError(f"what was packed and what lies in the results do not fit: {problem}")


def arguments(parser):
    parser.add_argument("--preset", required=True, help="which preset's results to pack")
    parser.add_argument("--results", type=Path, help="where they lie (default: results/<preset>)")
    parser.add_argument("--out", type=Path, help=f"default: {PACKED}/<preset>")
    parser.add_argument("--runs", type=int, nargs="+", metavar="N", help="run numbers (default: all that are there)")
    parser.add_argument("--configfile", type=Path, metavar="FILE", help="as the run was started with")
    parser.add_argument("--config", nargs="+", default=[], metavar="KEY=VALUE", help="as the run was started with")
    parser.add_argument("--parts", action="store_true", help="also runs of which stages or attacks are missing")
    parser.add_argument("--replace", action="store_true", help="forget what the files hold of the networks packed")


def main(options):
    results = options.results or Path("results", options.preset)
    overrides = configuration.from_file(options.configfile)
    configuration.merge(overrides, configuration.from_words(options.config))
    config = configuration.load(PROJECT, options.preset, overrides)
    checks.check(config, PROJECT)
    known = experiment.all_models(config)
    for other in sorted(path.name for path in (results / "train").glob("*") if path.name not in known):
        log.warning("%s: not packed, because the configuration does not have it; add --configfile or --config", other)
    out = options.out or PACKED / options.preset
    choice = {"runs": options.runs, "parts": options.parts, "replace": options.replace}
    if not pack_finished(results, config, out, **choice):
        raise UserError(
            f"wanted a finished network in {results}, found none: train, evaluate and attack one first "
            "(snakemake with the files of one model as targets), name another folder with --results, or pack what "
            "there is with --parts"
        )


if __name__ == "__main__":
    program.run(__doc__, arguments, main, settings=False)
