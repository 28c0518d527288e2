"""Write workflow/docs/outputs.md, every variable of every store, from the attributes of the stores of a finished run.

snakemake --config preset=smoke beyond=true
python workflow/docs/list_outputs.py results/smoke
"""

import sys
from pathlib import Path

from stages.names.model_name import split_model
from stages.storage import stores

PAGE = Path(__file__).with_name("outputs.md")
HEAD = """# Outputs

What the stores of a run contain, written by `workflow/docs/list_outputs.py` from the stores' own attributes. All
stores are in `results/<preset>/`. A model is named `<trainer>_<loss>_<activation>`; runs count from 0.

    import xarray
    xarray.open_zarr("results/quick/noise/ncg_ce_relu/run0.zarr")

Beside each store `x.zarr` is its manifest `x.json`: a digest of the content, the settings it was made with, the
digests of its inputs, versions and backend. `make verify` checks them all. Tables, figures and claims: [what you
get](../../README.md#what-you-get).

Units: pixels are 1 for white and 0 for black; norms are ℓ² norms of pixel vectors; depth t goes from 0 to T = 3;
accuracies and shares are fractions of 1.
"""
STAGES = {  # folder: its stores, and what they are
    "data": ("data/digits.zarr", "The images that networks are trained and tested on."),
    "train": ("train/<model>/run<r>.zarr", "A trained network and the history of its training."),
    "noise": ("noise/<model>/run<r>.zarr", "Accuracy on noisy test images."),
    "sensitivity": (
        "sensitivity/<model>/run<r>.zarr",
        "Perturbations through depth, estimated by the sensitivity problem and measured by a second solve. Variables "
        "that begin with `weights_` are for perturbed weights instead of perturbed images.",
    ),
    "uncertainty": ("uncertainty/<model>/run<r>.zarr", "Beyond the paper: how certain each answer is."),
    "solvers": ("solvers/<model>/run<r>.zarr", "A network of Table 1 under each solver."),
    "attack": ("attack/<attack>/<model>/run<r>.zarr", "One attack on the correctly classified test images."),
}


def page(results):
    """Return the whole document."""
    parts = [HEAD]
    for stage, (pattern, meaning) in STAGES.items():
        found = list(_stores(results, stage))
        if not found:
            raise SystemExit(f"error: wanted stores in {results / stage}, found none; run the preset with beyond=true")
        parts.append(f"\n## `{pattern}`\n\n{meaning}\n\n{_table(found)}")
    return "".join(parts)


def _stores(results, stage):
    """Yield (kind of store, variables) of a stage, for the first run of every model."""
    for path in sorted((results / stage).glob("**/digits.zarr" if stage == "data" else "**/run0.zarr")):
        parts = path.relative_to(results / stage).parts
        kind = {"train": lambda: split_model(parts[-2])[0], "attack": lambda: parts[0]}.get(stage, str)()
        yield kind, stores.check(path)[0]


def _table(found):
    kinds = list(dict.fromkeys(kind for kind, _ in found))
    named = {}
    for kind, variables in found:
        for name, variable in variables.items():
            named.setdefault(name, (variable, []))[1].append(kind)
    lines = ["| variable | dimensions | type | meaning |\n| --- | --- | --- | --- |\n"]
    for name in sorted(named, key=lambda name: (named[name][0].dims == (name,), name)):
        variable, where = named[name]
        shown = variable.attrs.get("long_name", "")
        if name in variable.dims:
            shown = f"coordinate: {shown}" if shown else "coordinate"
        if units := variable.attrs.get("units"):
            shown += f"; unit: {units}"
        if len(present := list(dict.fromkeys(where))) < len(kinds):
            shown += f" (only {', '.join(present)})"
        kind = "string" if variable.values.dtype.kind in "TU" else str(variable.values.dtype)
        lines.append(f"| `{name}` | {', '.join(variable.dims) or 'one value'} | {kind} | {_plain(shown)} |\n")
    return "".join(lines)


def _plain(text):
    """Replace |xi| / |x| by ‖xi‖ / ‖x‖, since | would end a cell of the table."""
    return text.replace("|", "‖")


if __name__ == "__main__":
    if len(sys.argv) != 2:
        raise SystemExit(__doc__)
    PAGE.write_text(page(Path(sys.argv[1])))
