"""The choice of a trainer's passes over the weights: layer by layer, or on a GPU all layers at once."""

import functools

from stages.catalogues import SOLVERS
from stages.runtime.arrays import namespace
from stages.train.layer_by_layer import LayerByLayer


def passes_over(network, samples, solver):
    """Return the passes over the weights of `network` for batches of this many samples.

    solver(network, samples): a solver's class, with its settings bound; Euler's method by default.
    """
    solver = solver or SOLVERS.find("euler")
    kind = solver.func if isinstance(solver, functools.partial) else solver
    if namespace(network.parameters).__name__ == "cupy" and hasattr(kind, "on_device"):
        from stages.train.all_at_once import AllAtOnce

        on_device = kind.on_device(network, samples)
        if on_device is not None:
            return AllAtOnce(network, on_device)
    return LayerByLayer(network, solver, samples)
