"""The step length: the minimum of the linearised cost along a direction (paper, appendix on the learning rate).

φ(η) is the cost of u + η υ, with u and υ the components of x(T) and ξ(T) in the loss:

    u_k(η) = u_k + η υ_k
    φ'(η) = (1/K) Σ_k <µ1 (u_k(η) - y_k) + µ2 (softmax u_k(η) - y_k) + µ3 u_k(η), υ_k> + µ4 <W, d> + η µ4 |d|²

φ is convex. Only the softmax is nonlinear in η; the rest is summed once. Without cross-entropy φ' is linear and its
zero has a closed form. With it, the zero is bracketed by doubling and computed by Newton's method, with bisection
whenever Newton would leave the bracket. All arrays are on the host: u and υ are a few numbers per image.
"""

import numpy as np

from stages.model.cost import softmax

DOUBLINGS = 20  # a minimiser beyond 2^20 first guesses counts as none: plain cross-entropy may have none
LARGEST_CHANGE = 1000.0  # of a score by the first guess: where the softmax is flat, Newton's step is far too long
REFINEMENTS = 60
RELATIVE_ACCURACY = 1e-10


class CostAlong:
    def __init__(self, cost, u, υ, y, decay_slope=0.0, decay_curvature=0.0):
        """u, υ, y: cost.seen(x(T)), cost.seen(ξ(T)), cost.wanted(targets); decay_*: µ4 <W, d> and µ4 |d|²."""
        self.cost, self.u, self.υ = cost, u, υ
        fixed = (cost.mu1 + cost.mu3) * u - (cost.mu1 + cost.mu2) * y
        self.slope = (fixed * self.υ).sum(axis=-2).mean(axis=-1) + decay_slope
        self.curvature = (cost.mu1 + cost.mu3) * (self.υ**2).sum(axis=-2).mean(axis=-1) + decay_curvature
        self.at_zero = self.derivatives(np.zeros(u.shape[:-2]))

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
        return np.abs(self.υ).max(axis=(-2, -1))


def step_length(cost_along):
    """Return η (...), float64, for a CostAlong; 0 if the direction does not descend."""
    slope, curvature = cost_along.at_zero
    eta = _divide(-slope, curvature)
    if cost_along.cost.mu2:
        change = cost_along.largest_change()
        far = LARGEST_CHANGE / np.where(change > 0, change, 1.0)
        eta = _safeguarded_newton(cost_along.derivatives, np.where((eta > 0) & (eta < far), eta, far))
    return np.where(slope < 0, eta, 0.0)


def _safeguarded_newton(derivatives, guess):
    """Return the zero of φ', which is negative at 0 and increasing, separately for each run."""
    low, high = np.zeros_like(guess), guess
    slope, curvature = derivatives(high)
    for _ in range(DOUBLINGS):
        short = slope < 0
        if not short.any():
            break
        low, high = np.where(short, high, low), np.where(short, 2 * high, high)
        slope, curvature = derivatives(high)
    eta = high
    active = np.ones(eta.shape, bool)  # a run that has converged no longer changes
    for _ in range(REFINEMENTS):
        low, high = np.where(slope < 0, eta, low), np.where(slope < 0, high, eta)
        newton = eta - _divide(slope, curvature)
        inside = (newton > low) & (newton < high)
        candidate = np.where(inside, newton, 0.5 * (low + high))
        moved = np.abs(candidate - eta) > RELATIVE_ACCURACY * np.abs(eta)
        active = active & (slope != 0)  # stop exactly at the zero
        eta = np.where(active, candidate, eta)
        active = active & moved
        if not active.any():
            break
        slope, curvature = derivatives(eta)
    return eta


def _divide(a, b):
    """Return a / b for b >= 0, and 0 where b is 0 or so small that the quotient would overflow."""
    usable = b > 1e-300 * np.abs(a)
    return np.where(usable, a / np.where(usable, b, 1.0), 0.0)
