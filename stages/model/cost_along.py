"""The linearised cost along a direction (paper, appendix on the learning rate): φ(η), the cost of u + η υ.

    u_k(η) = u_k + η υ_k
    φ'(η) = (1/K) Σ_k <µ1 (u_k(η) - y_k) + µ2 (softmax u_k(η) - y_k) + µ3 u_k(η), υ_k> + µ4 <W, d> + η µ4 |d|²

u and υ are the components of x(T) and ξ(T) in the loss. φ is convex. Only the softmax is nonlinear in η; the rest is
summed once.
"""

from stages.model.cost import softmax
from stages.runtime.arrays import namespace


class CostAlong:
    def __init__(self, cost, u, υ, y, decay_slope=0.0, decay_curvature=0.0):
        """u, υ, y: cost.seen(x(T)), cost.seen(ξ(T)), cost.wanted(targets); decay_*: µ4 <W, d> and µ4 |d|²."""
        self.cost, self.u, self.υ = cost, u, υ
        fixed = (cost.mu1 + cost.mu3) * u - (cost.mu1 + cost.mu2) * y
        self.slope = (fixed * self.υ).sum(axis=-2).mean(axis=-1) + decay_slope
        self.curvature = (cost.mu1 + cost.mu3) * (self.υ**2).sum(axis=-2).mean(axis=-1) + decay_curvature
        self.at_zero = self.derivatives(namespace(u).zeros(u.shape[:-2]))

    def derivatives(self, η):
        """Return φ'(η) and φ''(η), (...), for η (...)."""
        slope, curvature = self.slope + η * self.curvature, self.curvature
        if self.cost.mu2:
            u, υ = self.cost.probable(self.u), self.cost.probable(self.υ)
            p = softmax(u + η[..., None, None] * υ)
            p *= υ
            mean = p.sum(axis=-2)  # of υ, weighted by the probabilities
            p *= υ
            slope = slope + self.cost.mu2 * mean.mean(axis=-1)
            curvature = curvature + self.cost.mu2 * (p.sum(axis=-2) - mean**2).mean(axis=-1)
        return slope, curvature

    def largest_change(self):
        """Return the largest change of any component of any sample per unit of η, (...)."""
        return namespace(self.υ).abs(self.υ).max(axis=(-2, -1))
