"""How far to go along a direction: the zero of the linearised cost's derivative (paper, appendix on the learning rate).

    φ'(η) = (1/K) Σ_k <∇loss(u_k + η ξ_k), ξ_k> + µ4 <W, d> + η µ4 |d|²

φ is convex. Without cross-entropy φ' is linear and its zero has a closed form; with it the zero is bracketed by
doubling and found by Newton's method, which falls back on bisection wherever it would leave the bracket.
"""

from stages.arrays import namespace

DOUBLINGS = 20  # a minimiser further off than 2^20 first guesses is taken as none: plain cross-entropy may have none
LARGEST_CHANGE = 1000.0  # of a score, by the first guess: where the softmax is flat, Newton's step is no measure
REFINEMENTS = 60
RELATIVE_ACCURACY = 1e-10


def step_length(cost, x, ξ, y, decay_slope=0.0, decay_curvature=0.0):
    """Return η (...), float64: 0 where the direction does not descend.

    x, ξ: x(T) and ξ(T) (..., neuron, sample); decay_slope, decay_curvature: µ4 <W, d> and µ4 |d|².
    """
    xp = namespace(x)

    def slope(eta):
        return cost.slope_along(x, ξ, y, eta) + decay_slope + eta * decay_curvature

    def curvature(eta):
        return cost.curvature_along(x, ξ, y, eta) + decay_curvature

    start = xp.zeros(x.shape[:-2])
    first_slope = slope(start)
    descends = first_slope < 0
    eta = _divide(xp, -first_slope, curvature(start))
    if cost.mu2:
        change = xp.abs(ξ[..., : cost.components, :]).max(axis=(-2, -1)).astype("float64")
        far = LARGEST_CHANGE / xp.where(change > 0, change, 1.0)
        eta = _safeguarded_newton(xp, slope, curvature, xp.where((eta > 0) & (eta < far), eta, far))
    return xp.where(descends, eta, 0.0)


def _safeguarded_newton(xp, slope, curvature, guess):
    """Return the zero of an increasing function that is negative at 0, for each of the leading axes by itself."""
    low, high = xp.zeros_like(guess), guess
    for _ in range(DOUBLINGS):
        short = slope(high) < 0
        if not bool(short.any()):
            break
        low, high = xp.where(short, high, low), xp.where(short, 2 * high, high)
    eta = high
    active = xp.ones(eta.shape, bool)  # a run that has converged stays as it is, whatever the others do
    for _ in range(REFINEMENTS):
        value = slope(eta)
        low, high = xp.where(value < 0, eta, low), xp.where(value < 0, high, eta)
        newton = eta - _divide(xp, value, curvature(eta))
        inside = (newton > low) & (newton < high)
        candidate = xp.where(inside, newton, 0.5 * (low + high))
        moved = xp.abs(candidate - eta) > RELATIVE_ACCURACY * xp.abs(eta)
        active = active & (value != 0)  # exactly at the zero: stay
        eta = xp.where(active, candidate, eta)
        active = active & moved
        if not bool(active.any()):
            break
    return eta


def _divide(xp, a, b):
    """Return a / b for b >= 0, and 0 where b is 0 or so small that the quotient would overflow."""
    usable = b > 1e-300 * xp.abs(a)
    return xp.where(usable, a / xp.where(usable, b, 1.0), 0.0)
