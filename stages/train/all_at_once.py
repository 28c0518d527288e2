"""A trainer's passes over the weights on a GPU: all layers in one launch.

Imported only if CuPy is used.
"""

import cupy
import numpy as np

from stages.model.adjoint import Gradient
from stages.model.on_device import kernels
from stages.model.on_device.products import Product
from stages.model.products import inner_product
from stages.model.sobolev import smooth as smoothed


class AllAtOnce:
    """The interface of stages.train.passes.LayerByLayer, whose methods say what these do."""

    def __init__(self, network, solver):
        """solver: one that keeps all layers on the GPU, such as stages.model.on_device.euler.EulerOnDevice."""
        self.network, self.solver = network, solver
        self.gradient = self.raw = Gradient(network)
        self.smoothing = None

    def keep_directions(self, smooth):
        self.direction = Gradient(self.network)
        if smooth:
            # S as a matrix: one product smooths all layers; elimination is sequential (error 1e-6 instead of 5e-7).
            depth = self.network.depth
            S = cupy.asarray(smoothed(np.eye(depth), self.network.h), self.network.dtype)
            self.gradient = Gradient(self.network)
            flat = (G.parameters.reshape(depth, -1) for G in (self.raw, self.gradient))
            self.smoothing = Product(S, *flat)

    def direct(self, x0):
        return self.solver.direct(x0)

    def fill_gradient(self, adjoint, decay):
        self.solver.gradient(adjoint, self.raw, decay)
        if self.smoothing is not None:
            self.smoothing()
        return inner_product(self.network, self.gradient, self.gradient)

    def begin(self):
        cupy.negative(self.gradient.parameters, out=self.direction.parameters)
        return self.solver.sensitivity(self.direction)

    def turn(self, γ):
        kernels.turn(self.gradient.parameters, self._of_runs(γ), self.direction.parameters)
        return self.solver.sensitivity(self.direction)

    def restart(self, which):
        kernels.restart(self.gradient.parameters, self._of_runs(which, bool), self.direction.parameters)
        return self.solver.sensitivity(self.direction)

    def move(self, x0, step):
        kernels.move(self.direction.parameters, self._of_runs(step), self.network.parameters)
        return self.solver.direct(x0)

    def update(self, adjoint, decay, update):
        self.solver.gradient(adjoint, self.gradient, decay)
        update(slice(None))
        return inner_product(self.network, self.gradient, self.gradient)

    def _of_runs(self, numbers, dtype=None):
        """Return host numbers (...) on the device, to be broadcast over weights (layer, ..., out, in + 1)."""
        return cupy.asarray(np.asarray(numbers, dtype or self.network.dtype)[..., None, None])
