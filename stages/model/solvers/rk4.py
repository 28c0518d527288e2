"""The classical Runge-Kutta method of order 4, with one step per interval between nodes (beyond the paper).

    k₁ = f(t, y),  k₂ = f(t + s/2, y + s k₁/2),  k₃ = f(t + s/2, y + s k₂/2),  k₄ = f(t + s, y + s k₃)
    y(t + s) = y + s (k₁ + 2 k₂ + 2 k₃ + k₄) / 6

with s = h forwards and s = -h backwards. W(t) is linear within each step, so its kinks at the nodes cost no order.
"""

import numpy as np

from stages.model.continuous.solver import ContinuousSolver
from stages.runtime.arrays import namespace


class RungeKutta4:
    """The interface of stages.model.continuous.integrator.Integrator."""

    def __init__(self, like, h):
        self.length = h
        self.y, self.stage, self.sum, self.k = namespace(like).empty((4, *like.shape), like.dtype)

    def solve(self, rate, y0, start, stop, nodes=(), out=None, *, unit=1.0):
        """`nodes` are the times t_l = l h, or none; `unit` is unused, since there is no tolerance."""
        steps = round(abs(stop - start) / self.length)
        times = np.linspace(start, stop, steps + 1)
        self.y[...] = y0
        for step, t in enumerate(times):
            layer = round(t / self.length)
            if layer < len(nodes):
                out[layer] = self.y
            if step < steps:
                self._advance(rate, t, times[step + 1])
        return self.y

    def _advance(self, rate, t, t_next):
        s, k = t_next - t, self.k
        rate(t, self.y, k)
        self.sum[...] = k
        for time, share, weight in (((t + t_next) / 2, 0.5, 2), ((t + t_next) / 2, 0.5, 2), (t_next, 1.0, 1)):
            k *= share * s
            namespace(k).add(self.y, k, out=self.stage)
            rate(time, self.stage, k)
            self.sum += weight * k
        self.sum *= s / 6
        self.y += self.sum


class RK4(ContinuousSolver):
    label = "RK4"
    settings = {}
    continuous_cost = True
    slowness = 8  # four times as many products as Euler's method, and interpolation between the nodes

    @staticmethod
    def integrator(like, h):
        return RungeKutta4(like, h)


SOLVER = RK4
