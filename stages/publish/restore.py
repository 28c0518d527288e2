"""Restore a packed run under results/<preset>, so that figures can be drawn again and the run can continue.

    python -m stages.publish.restore --preset paper      # or: make restore PRESET=paper, which makes the digits first

Each network in <packed>/<preset>, written by make pack or make publish, becomes stores that the workflow accepts as
finished: extracts, without weights and most attacked images. Existing stores with manifests are not touched. A network
whose weights were kept (keep_network) gets them back, rounded, for new evaluations and attacks. Where another run of a
packed network was kept, its training is restored too.
"""

import logging
import os
import shutil
from pathlib import Path
from tempfile import TemporaryDirectory

from stages.publish import extracts, packed_file
from stages.publish.attack_published import NETWORKS
from stages.publish.pack import PACKED
from stages.runtime import program
from stages.runtime.errors import UserError
from stages.storage import rounded_weights, stores, verify
from stages.storage.network_store import WEIGHTS
from stages.storage.zarr_folder import Variable

log = logging.getLogger("stages")

UNPACKED = ".restored-"


def restore(packed, results, networks=None):
    """Restore missing stores; return their names, relative to `results`.

    networks: folder of kept networks, whose weights are added to the extracts of their trainings.
    """
    archives = sorted(packed.glob("*.zip"))
    if not archives:
        raise UserError(f"wanted packed stores, found none in {packed}; make pack and make publish write them")
    results.mkdir(parents=True, exist_ok=True)
    for left in results.glob(f"{UNPACKED}*"):  # left by a killed process
        shutil.rmtree(left)
    laid = [name for path in archives for name in _lay(path, results)]
    problems = [problem for name in laid if (problem := verify.problem_of(results, results / name))]
    if problems:
        listed = "\n  ".join(problems)
        raise UserError(f"what was packed does not fit what lies in {results}:\n  {listed}")
    for kept in sorted(networks.glob("*.zarr")) if networks else []:
        give_weights(kept, results)
    return laid


def _lay(path, results):
    """Unpack a network's stores beside their places, then move the missing ones; each manifest comes last."""
    laid = []
    with TemporaryDirectory(dir=results, prefix=UNPACKED) as folder:
        unpacked = Path(folder)
        for name in packed_file.unpack(path, unpacked):  # in workflow order: no store may be older than its inputs
            if (results / name).exists():
                continue
            (results / name).parent.mkdir(parents=True, exist_ok=True)
            if name.endswith(".json"):
                store = Path(name).with_suffix(".zarr")
                if (results / store).exists():  # without its manifest: the writer was killed in between
                    shutil.rmtree(results / store)
                (unpacked / store).rename(results / store)
                os.utime(results / store)
                laid.append(str(store))
            (unpacked / name).rename(results / name)
            os.utime(results / name)
    log.info("%s: %d stores placed under %s", path.stem, len(laid), results)
    return laid


def give_weights(kept, results):
    """Add the weights of a kept network to the extract of its training, if there is an extract without weights.

    The files keep their times, so that stores made from the network are not older than it. Where there is no training
    at all, but one of another run, its extract is made from the kept network.
    """
    manifest = stores.read_manifest(kept)
    store = results / "train" / kept.stem / f"run{manifest['settings'].get('run', 0)}.zarr"
    if not stores.manifest_path(store).exists():
        _restore_training(kept, manifest, store)
        return
    if not stores.is_extract(store) or stores.read_manifest(store)["digest"] != manifest["inputs"].get("network"):
        return
    weights = _weights(stores.check(kept)[0])
    if stores.check(store)[0].keys() & weights.keys():
        return
    times = {path: path.stat().st_mtime_ns for path in (store, stores.manifest_path(store))}
    stores.write_extract(store, store, lambda extract: _named_apart(extract) | weights)
    for path, time in times.items():
        os.utime(path, ns=(time, time))
    _say(store, kept, manifest)


def _restore_training(kept, manifest, store):
    """Write the extract of a kept network's training as `store`, if another run of the same training lies beside it."""
    digest = manifest["inputs"].get("network")
    inputs = {role: value for role, value in manifest["inputs"].items() if role != "network"}
    whole = manifest | {"digest": digest, "inputs": inputs, "settings": _settings(manifest, "rounded")}

    def same(other):
        there = stores.read_manifest(other)
        return _settings(there, "run") == _settings(whole, "run") and there["inputs"] == inputs

    def take(variables):
        values = rounded_weights.expanded({name: variable.values for name, variable in variables.items()})
        W = Variable(("layer", "out", "in"), values["W"], {})
        return extracts.of_training(variables | {"W": W}) | _weights(variables)

    if digest and any(same(other) for other in store.parent.glob("run*.json")):
        stores.write_extract(kept, store, take, whole)
        _say(store, kept, manifest)


def _settings(manifest, without):
    return {key: value for key, value in manifest["settings"].items() if key != without}


def _weights(variables):
    return {name: variables[name] for name in WEIGHTS if name in variables}


def _say(store, kept, manifest):
    log.info("%s: its weights, %s, are those of %s", store, manifest["settings"].get("rounded", "unchanged"), kept)


def _named_apart(extract):
    """Return an extract without the dimension `step` of older packs: rounded weights have a variable `step`."""
    renamed = {"step": "pair"}
    return {
        name: variable._replace(dims=tuple(renamed.get(each, each) for each in variable.dims))
        for name, variable in extract.items()
    }


def arguments(parser):
    parser.add_argument("--preset", required=True, help="which preset's packed stores to restore")
    parser.add_argument("--packed", type=Path, default=PACKED, help=f"where they lie (default: {PACKED})")
    parser.add_argument("--networks", type=Path, default=NETWORKS, help=f"kept networks (default: {NETWORKS})")
    parser.add_argument("--results", type=Path, help="where to (default: results/<preset>)")


def main(options):
    results = options.results or Path("results", options.preset)
    laid = restore(options.packed / options.preset, results, options.networks)
    log.info("%d stores placed; the snakemake command of the run continues from there", len(laid))


if __name__ == "__main__":
    program.run(__doc__, arguments, main, settings=False)
