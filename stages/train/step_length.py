"""The step length: the zero of the linearised cost's derivative (paper, appendix on the learning rate).

Without cross-entropy the derivative is linear and its zero has a closed form. With it, the zero is bracketed by
doubling and computed by Newton's method, with bisection whenever Newton would leave the bracket.
"""

from stages.runtime.arrays import namespace

DOUBLINGS = 20  # a minimiser beyond 2^20 first guesses counts as none: plain cross-entropy may have none
LARGEST_CHANGE = 1000.0  # of a score by the first guess: where the softmax is flat, Newton's step is far too long
REFINEMENTS = 60
RELATIVE_ACCURACY = 1e-10


def step_length(cost_along):
    """Return η (...), float64, for a stages.model.cost_along.CostAlong; 0 if the direction does not descend."""
    slope, curvature = cost_along.at_zero
    xp = namespace(slope)
    eta = _divide(xp, -slope, curvature)
    if cost_along.cost.mu2:
        change = cost_along.largest_change()
        far = LARGEST_CHANGE / xp.where(change > 0, change, 1.0)
        eta = _safeguarded_newton(xp, cost_along.derivatives, xp.where((eta > 0) & (eta < far), eta, far))
    return xp.where(slope < 0, eta, 0.0)


def _safeguarded_newton(xp, derivatives, guess):
    """Return the zero of φ', which is negative at 0 and increasing, separately for each run."""
    low, high = xp.zeros_like(guess), guess
    slope, curvature = derivatives(high)
    for _ in range(DOUBLINGS):
        short = slope < 0
        if not bool(short.any()):
            break
        low, high = xp.where(short, high, low), xp.where(short, 2 * high, high)
        slope, curvature = derivatives(high)
    eta = high
    active = xp.ones(eta.shape, bool)  # a run that has converged no longer changes
    for _ in range(REFINEMENTS):
        low, high = xp.where(slope < 0, eta, low), xp.where(slope < 0, high, eta)
        newton = eta - _divide(xp, slope, curvature)
        inside = (newton > low) & (newton < high)
        candidate = xp.where(inside, newton, 0.5 * (low + high))
        moved = xp.abs(candidate - eta) > RELATIVE_ACCURACY * xp.abs(eta)
        active = active & (slope != 0)  # stop exactly at the zero
        eta = xp.where(active, candidate, eta)
        active = active & moved
        if not bool(active.any()):
            break
        slope, curvature = derivatives(eta)
    return eta


def _divide(xp, a, b):
    """Return a / b for b >= 0, and 0 where b is 0 or so small that the quotient would overflow."""
    usable = b > 1e-300 * xp.abs(a)
    return xp.where(usable, a / xp.where(usable, b, 1.0), 0.0)
