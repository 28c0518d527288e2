"""The linearised cost along a direction (paper, appendix on the learning rate): φ(η), of u = x(T) + η ξ(T).

    φ'(η) = (1/K) Σ_k <µ1 (u_k - y_k) + µ2 (softmax u_k - y_k) + µ3 u_k, ξ_k> + µ4 <W, d> + η µ4 |d|²

φ is convex. All but the softmax is linear in η and summed up once.
"""

from stages.arrays import namespace
from stages.model.cost import softmax


class CostAlong:
    def __init__(self, cost, x, ξ, y, decay_slope=0.0, decay_curvature=0.0):
        """x, ξ, y: x(T), ξ(T), targets (..., neuron, sample); decay_slope, decay_curvature: µ4 <W, d>, µ4 |d|²."""
        self.cost, self.ξ, self.u = cost, cost.seen(ξ), cost.seen(x)
        fixed = (cost.mu1 + cost.mu3) * self.u - (cost.mu1 + cost.mu2) * cost.wanted(y)
        self.slope = (fixed * self.ξ).sum(axis=-2).mean(axis=-1) + decay_slope
        self.curvature = (cost.mu1 + cost.mu3) * (self.ξ**2).sum(axis=-2).mean(axis=-1) + decay_curvature
        self.at_zero = self.derivatives(namespace(x).zeros(x.shape[:-2]))

    def derivatives(self, η):
        """Return φ'(η) and φ''(η), (...), for η (...)."""
        slope, curvature = self.slope + η * self.curvature, self.curvature
        if self.cost.mu2:
            p = softmax(self.u + η[..., None, None] * self.ξ)
            p *= self.ξ
            mean = p.sum(axis=-2)  # of ξ over the components, with the probabilities p
            p *= self.ξ
            slope = slope + self.cost.mu2 * mean.mean(axis=-1)
            curvature = curvature + self.cost.mu2 * (p.sum(axis=-2) - mean**2).mean(axis=-1)
        return slope, curvature

    def largest_change(self):
        """Return the largest change of a component of any sample as η grows by 1, (...)."""
        return namespace(self.ξ).abs(self.ξ).max(axis=(-2, -1))
