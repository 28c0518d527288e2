"""Check every store under a folder: is it intact, and was it made from the stores beside it? Name its rule if not.

Exit status 0 if all stores are good, 1 otherwise.
"""

import re
import sys
from itertools import groupby
from pathlib import Path

from stages.data import raw_folder
from stages.plan import stage_table
from stages.runtime import program
from stages.runtime.errors import UserError
from stages.storage import stores


def find(root):
    """Return (folder of the preset, stage, path) of every store under `root`, and of manifests without a store."""
    raw = {path.with_suffix("") for path in root.glob("**/data/raw*") if path.name in ("raw", "raw.json")}
    whole = {path for path in root.glob("**/*.zarr") if not path.name.startswith(".")}
    # JSON files inside a store or beside bench.md (from make bench) are no manifests.
    manifests = (
        path
        for path in root.glob("**/*.json")
        if ".zarr" not in str(path.parent) and not path.with_name("bench.md").exists()
    )
    alone = {path.with_suffix(".zarr") for path in manifests} - {path.with_suffix(".zarr") for path in raw}
    return [(*_place(path, root), path) for path in sorted(raw | whole | alone)]


def _place(path, root):
    """Return (folder of the preset, stage) of a store; the stage is the outermost folder named after a stage."""
    parents = list(path.parents)
    for folder in reversed(parents[: parents.index(root) + 1]):  # an attack may have the name of a stage
        if folder.name == "data" or folder.name in stage_table.STAGES:
            return folder.parent, folder.name
    return root, ""


def problem_of(preset, path):
    """Return what is wrong with a store, or None."""
    remedy = f"delete {path} and {stores.manifest_path(path).name} and run the workflow again"
    try:
        if path.suffix != ".zarr":
            raw_folder.check(path)
        elif not path.exists():
            return f"{path} is missing, though its manifest is there; {remedy}"
        else:
            stores.check(path)
        manifest = stores.read_manifest(path)
    except UserError as problem:
        return str(problem)
    named, made = re.fullmatch(r"run(\d+)", path.stem), manifest["settings"].get("run")
    if named and made is not None and int(named[1]) != made:
        return f"{path} is another run's: it was made as run {made}; {remedy}"
    for role, digest in manifest["inputs"].items():
        places = stage_table.places_of(role, path.parent.name, path.stem, manifest["settings"])
        known = {_digest(source) for source in preset.glob(str(stores.manifest_path(places)))} if places else set()
        if known - {None} and digest not in known:
            return f"{path} is out of date: it was made from another {role} than {preset / places}; {remedy}"
    return None


def _digest(store):
    """Return the digest in a manifest, or None if it cannot be read: the check of that store reports it."""
    try:
        return stores.read_manifest(store)["digest"]
    except (UserError, OSError):
        return None


def arguments(parser):
    parser.add_argument(
        "results", nargs="?", type=Path, default=Path("results"), help="folder to look through (default: results)"
    )
    parser.add_argument("--quiet", action="store_true", help="say only what is wrong")


def main(options):
    found = find(options.results)
    if not found:
        raise UserError(
            f"wanted stores under {options.results}, found none; run the workflow first, or name another folder"
        )
    bad = 0
    for (preset, stage), entries in groupby(found, key=lambda entry: entry[:2]):
        problems = [(path, problem_of(preset, path)) for _, _, path in entries]
        faulty = [(path, problem) for path, problem in problems if problem]
        if faulty or not options.quiet:
            print(f"{preset / stage}: {len(problems) - len(faulty)} whole, {len(faulty)} not", flush=True)
        for path, problem in faulty:
            rule = stage_table.rule_of(str(path.relative_to(preset).with_suffix(""))) or "the rule that made it"
            print(f"  {problem}\n    (made by {rule})", flush=True)
        bad += len(faulty)
    if bad:
        print("After deleting, the same snakemake command makes them again, and then what is made from them.")
        sys.exit(1)


if __name__ == "__main__":
    program.run(__doc__, arguments, main, settings=False)
