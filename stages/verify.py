"""Check every store under a folder against its manifest: which are damaged, and which rules make them again.

Exit status 0 if all are whole, 1 otherwise.
"""

import argparse
import sys
from pathlib import Path

from stages import stores
from stages.data import raw_folder
from stages.errors import UserError

# The rule that makes what lies in a folder of results/<preset>/.
RULES = {
    "data": "downsample_digits",
    "train": "train_network",
    "noise": "evaluate_noise",
    "sensitivity": "estimate_sensitivity",
    "solvers": "swap_solvers",
    "attack": "attack_network",
}


def problems(root):
    """Yield (path, what is wrong or None) for everything under `root` that has, or should have, a manifest."""
    for store in sorted(Path(root).glob("**/*.zarr")):
        if not store.name.startswith("."):
            yield store, _problem(stores.check, store)
    for manifest in sorted(Path(root).glob("*/*/**/*.json")):
        if manifest.name == "raw.json":
            yield manifest.with_suffix(""), _problem(raw_folder.check, manifest.with_suffix(""))
        elif not manifest.with_suffix(".zarr").exists() and ".zarr" not in str(manifest.parent):
            yield manifest, f"{manifest} has no store beside it; delete it and run the workflow again"


def _problem(check, path):
    try:
        check(path)
    except UserError as problem:
        return str(problem)
    return None


def rule_for(path, root):
    """Return the rule that makes a store."""
    parts = Path(path).relative_to(root).parts
    if Path(path).name == "raw":
        return "fetch_digits"
    return next((RULES[part] for part in parts if part in RULES), "the rule that made it")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("results", nargs="?", default="results", help="folder to look through (default: results)")
    root = Path(parser.parse_args().results)
    whole, damaged = 0, []
    for path, problem in problems(root):
        if problem is None:
            whole += 1
        else:
            damaged.append(path)
            print(f"damaged: {problem}\n         made by {rule_for(path, root)}")
    print(f"{whole} stores under {root} are whole, {len(damaged)} are damaged")
    if damaged:
        print("delete the damaged ones (store and manifest) and run the same snakemake command again: it makes only them")
    sys.exit(1 if damaged else 0)


if __name__ == "__main__":
    main()
