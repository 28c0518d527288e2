"""The direct, adjoint and sensitivity problems as ODEs, as in the paper's comparison of solvers.

W(t) and b(t) are linear between the nodes t_l = l h and constant after the last. Optimise, then discretise:

    direct       x' = σ(W x + b) from 0 to T, with output at the nodes
    adjoint      λ' = -Wᵀ(σ'(W x + b) ⊙ λ) from T to 0, x linear between its values at the nodes, output at the nodes
    gradient     E'_W(t_l) = g_l x_lᵀ + µ4 W_l,  E'_b(t_l) = Σ_k g_l + µ4 b_l,  with g_l = σ'(W_l x_l + b_l) ⊙ λ(t_l)
    sensitivity  ξ' = σ'(W x + b) ⊙ (ω x + β + W ξ) from 0 to T, with ω, β linear between the nodes too

Where weights and states are linear, W x + b and ω x + β are quadratics: an interval takes two products, however often a
solver evaluates them in it (stages.model.continuous.interpolation).

The alternative, differentiating the accepted steps of an adaptive solver, was tried. It concentrates the gradient at
the few times of the stages, which gives rough weights and slower training.
"""

import numpy as np

from stages.model.continuous.integrator import NoSolution
from stages.model.continuous.interpolation import AffineInTime, Remembered, linear
from stages.model.direct import enter
from stages.runtime.arrays import namespace

# In intervals. A step evaluates ω x + β at five times; the quadratics take two products per interval, which is more in
# a longer step. For W x + b they always pay: the gradient needs its values at the nodes anyway.
LONG_STEP = 2.5


class Problems:
    """The three problems for one of the networks and one batch of samples."""

    def __init__(self, networks, run, samples, integrator):
        """run: the index of one network of several in lockstep; integrator(like): see `ContinuousSolver`."""
        self.network = networks
        self.parameters = networks.parameters[:, *run]  # a view: a trainer's updates are seen here
        self.interval, self.h, self.σ = networks.interval, networks.h, networks.activation
        self.affine, self.width = networks.affine, networks.width
        xp, shape, dtype = namespace(self.parameters), (networks.width, samples), networks.dtype
        self.nodes = np.linspace(0.0, networks.interval, networks.depth + 1)[:-1]
        self.x_one = xp.ones((networks.depth + 1, self.affine.rows, samples), dtype)  # as in Trajectory
        self.λ = xp.empty((networks.depth, *shape), dtype)
        self.a, self.forcing = (AffineInTime(self.affine, self.x_one, self.h) for _ in range(2))
        self.s, self.g, self.unperturbed = xp.zeros((3, *shape), dtype)
        self.solver = integrator(self.s, self.h)

    def direct(self, x0):
        """Keep x at the nodes and return x(T); nan if there is no solution, so that the cost shows which run failed."""
        rate = direct_rate(self.parameters, self.h, self.σ, self.affine)
        x = self.x_one[:, : self.width]
        enter(self.network, self.s, x0)
        try:
            x[-1] = self.solver.solve(rate, self.s, 0.0, self.interval, self.nodes, x[:-1])
        except NoSolution:
            x[-1] = float("nan")
        self.a.start(self.parameters)
        return x[-1]

    def adjoint(self, λ):
        """Keep λ at the nodes; the argument is λ(T) and becomes λ(0), in place.

        The cost is a mean over K images, so λ(T) contains 1/K. That is the unit of the absolute tolerance, which
        therefore does not depend on the size of the batch.
        """
        xp, g = namespace(λ), self.g
        Wb, slope = self._linearised()

        def rate(t, λ, out):
            xp.multiply(slope(t), λ, out=g)
            self.affine.transposed(Wb(t), g, out=out)
            xp.negative(out, out=out)

        λ[...] = self.solver.solve(rate, λ, self.interval, 0.0, self.nodes, self.λ, unit=1 / λ.shape[-1])

    def gradient(self, layer, G):
        """Fill [E'_W E'_b] at one node, without weight decay."""
        g = self.σ.slope(self.a.at_node(layer), out=self.g)
        g *= self.λ[layer]
        self.affine.gradient(g, self.x_one[layer], G)

    def sensitivity(self, perturbations):
        """Return ξ(T) for perturbations [ω_l β_l] at the nodes."""
        affine, (Wb, slope) = self.affine, self._linearised()
        ωβ, x_one = linear(perturbations, self.h), linear(self.x_one, self.h)
        self.forcing.start(perturbations)

        def value(t, out):
            if self.solver.length > LONG_STEP * self.h:
                return affine.value(ωβ(t), x_one(t), out=out)
            return self.forcing(t, out)

        forcing = Remembered(value, self.g)

        def rate(t, ξ, out):
            affine.linear(Wb(t), ξ, out=out)
            out += forcing(t)
            out *= slope(t)

        return self.solver.solve(rate, self.unperturbed, 0.0, self.interval)

    def _linearised(self):
        """Return [W b] and σ'(W x + b) as functions of time."""
        return linear(self.parameters, self.h), Remembered(lambda t, out: self.σ.slope(self.a(t, out), out), self.s)


def direct_rate(parameters, h, σ, affine):
    """Return the right-hand side σ(W(t) x + b(t)) in the form an integrator takes."""
    Wb = linear(parameters, h)

    def rate(t, x, out):
        affine.linear(Wb(t), x, out=out)
        affine.add_biases(Wb(t), out)
        σ.value(out, out=out)

    return rate
