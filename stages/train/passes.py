"""How a trainer passes over the weights: layer by layer, or on a GPU all at once. Decided here and nowhere else."""

from stages.arrays import namespace
from stages.model.euler import Euler
from stages.train.layer_by_layer import LayerByLayer


def passes_over(network, samples, solver):
    """Return the passes over the weights of `network` for batches of so many samples; solver: Euler, or another."""
    if solver is Euler and namespace(network.parameters).__name__ == "cupy":
        from stages.model.on_device.euler import suits
        from stages.train.all_at_once import AllAtOnce

        if suits(network):
            return AllAtOnce(network, samples)
    return LayerByLayer(network, solver, samples)
