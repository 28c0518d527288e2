"""A solver of the three problems in continuous time, by any method that integrates an ODE.

Networks in lockstep are solved one after another: an adaptive method chooses separate steps for each, so each gets the
same numbers as on its own.
"""

import numpy as np

from stages.model.continuous.problems import Problems, direct_rate
from stages.model.direct import enter
from stages.runtime.arrays import namespace


class ContinuousSolver:
    """The interface of stages.model.solvers.base.Solver; a subclass has `integrator` and the class attributes."""

    # [x; 1] and λ at the nodes, W x + b and ω x + β at the nodes and between them
    kept_states = 6

    def __init__(self, network, samples, **settings):
        self.network = network

        def integrator(like, h):
            return self.integrator(like, h, **settings)

        runs = np.ndindex(network.leading)
        self.problems = {run: Problems(network, run, samples, integrator) for run in runs}

    @staticmethod
    def integrator(like, h, **settings):
        """Return an Integrator for states of the shape and type of `like`; h: the distance between nodes."""
        raise NotImplementedError

    def direct(self, x0, before_layer=None):
        if before_layer is not None:
            for layer in range(self.network.depth):
                before_layer(layer)
        return self._join([problem.direct(x0[run]) for run, problem in self.problems.items()])

    def gradient(self, adjoint, gradient, weight_decay=0.0, after_layer=None):
        for run, problem in self.problems.items():
            problem.adjoint(adjoint[run])
        for layer in reversed(range(self.network.depth)):
            G = gradient.parameters[layer]
            for run, problem in self.problems.items():
                problem.gradient(layer, G[run])
            gradient.mark_active(layer)
            if weight_decay:
                G += weight_decay * self.network.parameters[layer]
            if after_layer is not None:
                after_layer(layer)
        return gradient

    def sensitivity(self, perturbed):
        """perturbed(l) is called for all layers first, so the arrays it returns must not change later."""
        layers = [perturbed(layer) for layer in range(self.network.depth)]
        return self._join([problem.sensitivity([d[run] for d in layers]) for run, problem in self.problems.items()])

    def _join(self, states):
        return namespace(states[0]).stack(states).reshape(*self.network.leading, *states[0].shape)

    @classmethod
    def final_state(cls, network, x0, **settings):
        """x0 (..., pixel, sample) may omit the leading axes if all networks see the same images."""
        xp = namespace(network.parameters)
        x = xp.empty((*network.leading, network.width, x0.shape[-1]), network.dtype)
        enter(network, x, x0)
        for run in np.ndindex(network.leading):
            rate = direct_rate(network.parameters[:, *run], network.h, network.activation, network.affine)
            solver = cls.integrator(x[run], network.h, **settings)
            x[run] = solver.solve(rate, x[run], 0.0, network.interval)
        return x
