"""The part of a store that is packed: what figures, tables and claims use.

The network's weights, the history of its iterations and most of the attacked images are left out, which is nearly all
of the size. They are replaced by what is computed from them: the norm of W(t) over the depth, the share of each
perturbation's largest pixel. So the extracts reproduce every figure, table and verdict exactly.
"""

import numpy as np

from stages.statistics import attack_curves, weights_over_depth
from stages.storage import stores
from stages.storage.network_store import BY_EPOCH, COORDINATES
from stages.storage.zarr_folder import Variable

PICTURES = 40  # number of successful attacks, from the first, whose images are kept: figures show a few


def write_extract(store, out, stage):
    """Write the extract of a store of this stage."""
    stores.write_extract(store, out, TAKE.get(stage, dict))  # of other stages, all variables


def of_training(variables):
    kept = {name: variables[name] for name in (*COORDINATES, *BY_EPOCH)}
    norms, steps = weights_over_depth.norms(variables), weights_over_depth.steps(variables)
    kept["weight_norm"] = Variable(("layer",), norms, {"long_name": "Frobenius norm of W(t)"})
    kept["weight_step"] = Variable(("pair",), steps, {"long_name": "Frobenius norm of W(t + h) - W(t)"})
    return kept


def _of_sensitivity(variables):
    """Values per image in float32, the precision of the bootstrap."""
    return {name: _in_single(each) if "sample" in each.dims else each for name, each in variables.items()}


def _of_attack(variables):
    kept = dict(variables)
    shares = np.full(len(variables["success"].values), np.nan)
    places, measured = attack_curves.pixel_shares(variables)
    shares[places] = measured
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


TAKE = {"train": of_training, "sensitivity": _of_sensitivity, "attack": _of_attack}
