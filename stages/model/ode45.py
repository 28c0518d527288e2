"""ODE45: the direct, adjoint and sensitivity problem solved adaptively, as the paper's comparison of solvers does.

W(t) and b(t) are linear between the nodes t_l = l h and constant after the last. Optimise, then discretise:

    direct       x' = σ(W x + b) from 0 to T, with output at the nodes
    adjoint      λ' = -Wᵀ(σ'(W x + b) ⊙ λ) from T to 0, x linear between its values at the nodes, output at the nodes
    gradient     E'_W(t_l) = g_l x_lᵀ + µ4 W_l,  E'_b(t_l) = Σ_k g_l + µ4 b_l,  with g_l = σ'(W_l x_l + b_l) ⊙ λ(t_l)
    sensitivity  ξ' = σ'(W x + b) ⊙ (ω x + β + W ξ) from 0 to T, with ω, β linear between the nodes too

Differentiating the accepted steps instead was tried. It scatters the gradient over the few times at which stages
fall, which gives rough weights and slower training.

Networks in lockstep are solved one after another: each has its own steps, so each gets the same numbers as alone.
"""

import numpy as np

from stages.arrays import namespace
from stages.model.dormand_prince import DormandPrince, NoSolution
from stages.model.inner_product import sum_of_products
from stages.model.interpolation import Remembered, linear
from stages.model.network import Network


class Ode45:
    """The interface of stages.model.euler.Euler, for one network or several in lockstep."""

    # The steps depend on the weights, so the computed cost jumps by the tolerance: no ground to shorten a step on.
    continuous_cost = False

    def __init__(self, network, samples, *, rtol, atol, norm):
        self.network = network
        self.problems = {run: Problems(network, run, samples, rtol, atol, norm) for run in np.ndindex(network.leading)}

    def direct(self, x0, before_layer=None):
        """Return x(T) and keep the states at the nodes for the other two."""
        if before_layer is not None:
            for layer in range(self.network.depth):
                before_layer(layer)
        return self._join([problem.direct(x0[run]) for run, problem in self.problems.items()])

    def gradient(self, adjoint, gradient, weight_decay=0.0, after_layer=None):
        """Fill `gradient` from λ(T), which becomes λ(0)."""
        for run, problem in self.problems.items():
            problem.adjoint(adjoint[run])
        squares = 0.0
        for layer in reversed(range(self.network.depth)):
            G, G_W, G_b = gradient.parameters[layer], gradient.W[layer], gradient.b[layer]
            for run, problem in self.problems.items():
                problem.gradient(layer, G_W[run], G_b[run])
            if weight_decay:
                G += weight_decay * self.network.parameters[layer]
            squares = squares + sum_of_products(G, G)
            if after_layer is not None:
                after_layer(layer)
        gradient.squared_norm = self.network.h * squares
        return gradient

    def sensitivity(self, perturbed):
        """Return ξ(T) for perturbed weights and an unperturbed input.

        All layers are asked for first, so perturbed(l) = [ω_l β_l] must return arrays that stay as they are.
        """
        layers = [perturbed(layer) for layer in range(self.network.depth)]
        ω, β = [layer[..., :-1] for layer in layers], [layer[..., -1] for layer in layers]
        return self._join(
            [problem.sensitivity([m[run] for m in ω], [v[run] for v in β]) for run, problem in self.problems.items()]
        )

    def _join(self, states):
        return namespace(self.network.W).stack(states).reshape(*self.network.leading, *states[0].shape)


class Problems:
    """The three problems for one network and one batch of samples."""

    def __init__(self, networks, run, samples, rtol, atol, norm):
        xp, shape, dtype = namespace(networks.W), (networks.width, samples), networks.W.dtype
        self.networks, self.run = networks, run
        self.nodes = np.linspace(0.0, networks.interval, networks.depth + 1)[:-1]
        self.x = xp.empty((networks.depth + 1, *shape), dtype)
        self.λ = xp.empty((networks.depth, *shape), dtype)
        self.scratch, self.g, self.unperturbed = xp.zeros((3, *shape), dtype)
        self.ones = xp.ones((samples,), dtype)
        self.solver = DormandPrince(self.scratch, rtol=rtol, atol=atol, norm=norm)

    @property
    def network(self):
        return one_of(self.networks, self.run)

    def direct(self, x0):
        """Keep x at the nodes and return x(T): not a number where there is none, so that the cost tells which run."""
        network = self.network
        try:
            self.x[-1] = self.solver.solve(direct_rate(network), x0, 0.0, network.interval, self.nodes, self.x[:-1])
        except NoSolution:
            self.x[-1] = float("nan")
        return self.x[-1]

    def adjoint(self, λ):
        """Keep λ at the nodes; λ, which comes as λ(T), becomes λ(0)."""
        xp, g, T = namespace(λ), self.g, self.network.interval
        W, _, slope = self._linearised()

        def rate(t, λ, out):
            xp.multiply(slope(t), λ, out=g)
            xp.matmul(W(t).swapaxes(-1, -2), g, out=out)
            xp.negative(out, out=out)

        λ[...] = self.solver.solve(rate, λ, T, 0.0, self.nodes, self.λ)

    def gradient(self, layer, G_W, G_b):
        """Fill the gradient at one node, without weight decay."""
        xp, network, x = namespace(G_W), self.network, self.x[layer]
        affine(network.W[layer], x, network.b[layer], out=self.scratch)
        network.activation.value(self.scratch, out=self.scratch)
        network.activation.derivative(self.scratch, out=self.g)
        self.g *= self.λ[layer]
        xp.matmul(self.g, x.swapaxes(-1, -2), out=G_W)
        xp.matmul(self.g, self.ones, out=G_b)

    def sensitivity(self, ω, β):
        xp, h, T = namespace(self.x), self.network.h, self.network.interval
        W, x, slope = self._linearised()
        ω, β = linear(ω, h), linear(β, h)
        forcing = Remembered(lambda t, out: affine(ω(t), x(t), β(t), out), self.g)

        def rate(t, ξ, out):
            xp.matmul(W(t), ξ, out=out)
            out += forcing(t)
            out *= slope(t)

        return self.solver.solve(rate, self.unperturbed, 0.0, T)

    def _linearised(self):
        """Return W, x and σ'(W x + b) as functions of time."""
        network, scratch = self.network, self.scratch
        W, b, x = linear(network.W, network.h), linear(network.b, network.h), linear(self.x, network.h)

        def slope(t, out):
            affine(W(t), x(t), b(t), out=scratch)
            network.activation.value(scratch, out=scratch)
            return network.activation.derivative(scratch, out=out)

        return W, x, Remembered(slope, namespace(scratch).empty_like(scratch))


def final_state_ode45(network, x0, *, rtol, atol, norm):
    """Solve for x(T) alone; x0 (..., neuron, sample) may lack the leading axes, if all networks see the same images."""
    xp = namespace(network.W)
    x = xp.empty((*network.leading, *x0.shape[-2:]), network.W.dtype)
    x[...] = x0
    for run in np.ndindex(network.leading):
        solver = DormandPrince(x[run], rtol=rtol, atol=atol, norm=norm)
        x[run] = solver.solve(direct_rate(one_of(network, run)), x[run], 0.0, network.interval)
    return x


def direct_rate(network):
    """Return the right-hand side σ(W(t) x + b(t)) as the solver wants it."""
    W, b = linear(network.W, network.h), linear(network.b, network.h)

    def rate(t, x, out):
        affine(W(t), x, b(t), out=out)
        network.activation.value(out, out=out)

    return rate


def affine(W, x, b, out):
    """W x + b"""
    namespace(W).matmul(W, x, out=out)
    out += b[:, None]
    return out


def one_of(networks, run):
    """Return the network at index `run` of the leading axes."""
    return Network(networks.W[:, *run], networks.b[:, *run], networks.interval, networks.activation)
