"""A trainer's passes over the weights: layer by layer, or on a GPU all layers at once (`stages.train.all_at_once`).

On a CPU they are done inside the solves, which need each layer anyway: one layer fits into the cache, all layers do
not. The norm of the gradient is summed in the adjoint problem, the direction is updated in the sensitivity problem, the
weights are moved in the direct problem.
"""

import functools

from stages.catalogues import SOLVERS
from stages.model.adjoint import Gradient
from stages.model.products import SumOfSquares, sum_of_products
from stages.model.sobolev import Smoothing
from stages.runtime.arrays import namespace


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


class LayerByLayer:
    def __init__(self, network, solver, samples):
        self.network, self.solver = network, solver(network, samples)
        self.gradient = Gradient(network)
        self.scratch = namespace(network.parameters).empty_like(network.parameters[0])
        self.smoothing = None

    def keep_directions(self, smooth):
        """Prepare for conjugate gradients; smooth: use the Sobolev gradient."""
        self.direction = Gradient(self.network)  # d: the same shapes
        self.smoothing = Smoothing(self.gradient.parameters, self.network.h) if smooth else None

    def direct(self, x0):
        """Return x(T)."""
        return self.solver.direct(x0)

    def fill_gradient(self, adjoint, decay):
        """Fill the gradient G, L² or Sobolev, from λ(T), and return the square of its norm in L²(0, T)."""
        G, smoothing = self.gradient, self.smoothing
        if smoothing is None:
            squares = SumOfSquares(G)
            self.solver.gradient(adjoint, G, decay, after_layer=squares.add)
            return self.network.h * squares.total
        self.solver.gradient(adjoint, G, decay, after_layer=smoothing.eliminate)
        G.mark_active()  # smoothing spreads each layer's gradient over all layers
        return self.network.h * sum(sum_of_products(s, s) for s in smoothing.substitute())

    def begin(self):
        """Set d = -G and return ξ(T) along it; each layer is set when the solver needs it."""
        xp, G, d = namespace(self.scratch), self.gradient.parameters, self.direction.parameters
        return self.solver.sensitivity(lambda layer: xp.negative(G[layer], out=d[layer]))

    def turn(self, γ):
        """Set d = -G + γ d and return ξ(T) along it."""
        G, d = self.gradient.parameters, self.direction.parameters
        γ = self._of_runs(γ)

        def turned(layer):
            d_layer = d[layer]
            d_layer *= γ
            d_layer -= G[layer]
            return d_layer

        return self.solver.sensitivity(turned)

    def restart(self, which):
        """Set d = -G in the runs where `which` is true, and return ξ(T) along d."""
        xp, G, d = namespace(self.scratch), self.gradient.parameters, self.direction.parameters
        which = self._of_runs(which, bool)
        for layer in range(self.network.depth):
            d[layer] = xp.where(which, -G[layer], d[layer])
        return self.solver.sensitivity(d.__getitem__)

    def move(self, x0, step):
        """Move weights and biases by `step` d and return x(T)."""
        xp, θ, d = namespace(self.scratch), self.network.parameters, self.direction.parameters
        step = self._of_runs(step)

        def moved(layer):
            θ_layer = θ[layer]
            θ_layer += xp.multiply(d[layer], step, out=self.scratch)

        return self.solver.direct(x0, before_layer=moved)

    def update(self, adjoint, decay, update):
        """Fill the gradient from λ(T), call update(layer) for each layer and return the square of the gradient's norm.

        A layer is updated as soon as its gradient is known and its weights have been used, while both are in the cache.
        """
        squares = SumOfSquares(self.gradient)

        def updated(layer):
            squares.add(layer)
            update(layer)

        self.solver.gradient(adjoint, self.gradient, decay, after_layer=updated)
        return self.network.h * squares.total

    def _of_runs(self, numbers, dtype=None):
        """Return host numbers (...) on the device of the weights, to be broadcast over those of a layer."""
        return namespace(self.scratch).asarray(numbers.astype(dtype or self.scratch.dtype)[..., None, None])
