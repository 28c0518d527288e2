"""Dormand and Prince's adaptive Runge-Kutta method of order 5 (4), with the rules of MATLAB's ode45.

    k_i = f(t + c_i h, y + h Σ_j a_ij k_j),     y(t + h) = y + h Σ_i b_i k_i,     error = h Σ_i e_i k_i

First step, step factors and largest step are those of ode45, except that the first step ignores the output times: the
solution does not depend on them. A step is accepted if  |error / max(|y|, |y_new|, atol/rtol)| <= rtol  in one of two
norms over all components of the state: "max", as in MATLAB, or "rms", the root mean square, which tolerates a few
components near zero and needs several times fewer steps. One sequence of steps serves the whole batch.

Output at given nodes comes from the method's quartic interpolant, so that nodes do not shorten steps. The state and
the seven stages are the rows of one matrix; every sum above is one product with it. Per step a single number leaves
the device: the norm of the error.
"""

import math

import numpy as np

from stages.model.continuous.integrator import NoSolution
from stages.runtime.arrays import namespace
from stages.runtime.errors import UserError

C = (0.0, 1 / 5, 3 / 10, 4 / 5, 8 / 9, 1.0, 1.0)

# Row i: the weights of the earlier stages in stage i. The last row is the solution of order 5, whose slope is also the
# first stage of the next step.
A = np.array(
    [
        [0, 0, 0, 0, 0, 0, 0],
        [1 / 5, 0, 0, 0, 0, 0, 0],
        [3 / 40, 9 / 40, 0, 0, 0, 0, 0],
        [44 / 45, -56 / 15, 32 / 9, 0, 0, 0, 0],
        [19372 / 6561, -25360 / 2187, 64448 / 6561, -212 / 729, 0, 0, 0],
        [9017 / 3168, -355 / 33, 46732 / 5247, 49 / 176, -5103 / 18656, 0, 0],
        [35 / 384, 0, 500 / 1113, 125 / 192, -2187 / 6784, 11 / 84, 0],
    ]
)

# Order 5 minus order 4.
E = np.array([71 / 57600, 0, -71 / 16695, 71 / 1920, -17253 / 339200, 22 / 525, -1 / 40])

# y(t + θ h) = y + h Σ_i (Σ_p P[i, p] θ^(p + 1)) k_i, of order 4 uniformly in θ (Shampine's choice, as in ode45).
P = np.array(
    [
        [1, -183 / 64, 37 / 12, -145 / 128],
        [0, 0, 0, 0],
        [0, 1500 / 371, -1000 / 159, 1000 / 371],
        [0, -125 / 32, 125 / 12, -375 / 64],
        [0, 9477 / 3392, -729 / 106, 25515 / 6784],
        [0, -11 / 7, 11 / 3, -55 / 28],
        [0, 3 / 2, -4, 5 / 2],
    ]
)

NORMS = ("rms", "max")
LARGEST_STEP = 0.1  # of the interval
SAFETY, LARGEST_GROWTH, LARGEST_CUT = 0.8, 5.0, 0.1
ORDER = 5


class DormandPrince:
    """The interface of stages.model.continuous.integrator.Integrator, for states of one shape."""

    def __init__(self, like, *, rtol, atol, norm):
        """like: a state that gives shape, type and device."""
        resolution = 100 * float(np.finfo(like.dtype).eps)
        if not (rtol >= resolution and atol > 0 and norm in NORMS):
            raise UserError(
                f"wanted ode45.rtol of at least {resolution:.0e} in {like.dtype}, ode45.atol above 0 and ode45.norm "
                f"one of {', '.join(NORMS)}; found rtol {rtol}, atol {atol}, norm {norm}"
            )
        xp, size = namespace(like), math.prod(like.shape)
        self.rtol, self.atol, self.norm = rtol, atol, norm
        self.rows = xp.empty((1 + len(C), size), like.dtype)  # y, k_1 .. k_7
        self.y, *self.k = [row.reshape(like.shape) for row in self.rows]
        self.stage, self.error, self.scale = xp.empty((3, size), like.dtype)
        self.a = xp.asarray(A, like.dtype)
        self.e = xp.asarray(E, like.dtype)
        self.combination = xp.ones((len(C), 1 + len(C)), like.dtype)  # 1 for y, then h a_ij
        self.steps = self.rejections = self.evaluations = 0  # of the last solve
        self.length = 0.0  # of the current step, for rates that use it

    def solve(self, rate, y0, start, stop, nodes=(), out=None, *, unit=1.0):
        """See Integrator. If solution and `unit` are scaled alike, the steps are the same."""
        # In the precision of the state, as in MATLAB: a diverging state would otherwise take tiny steps forever.
        shortest = 16 * float(np.spacing(self.y.dtype.type(max(abs(start), abs(stop)))))
        self.threshold = unit * self.atol / self.rtol  # below which a component counts as zero
        longest = LARGEST_STEP * abs(stop - start)
        pending = np.asarray(nodes, "float64")
        self.steps = self.rejections = 0
        self.evaluations, self.length = 1, 0.0
        self.y[...] = y0
        rate(start, self.y, self.k[0])
        t, length, rejected = start, self._first_length(start), False
        while t != stop:
            length = min(longest, max(shortest, length))
            ends = 1.1 * length >= abs(stop - t)  # stretching a step by up to 10 % avoids a tiny last one
            t_new = stop if ends else t + math.copysign(length, stop - start)
            h = t_new - t
            self.length = abs(h)
            error = self._try_step(rate, t, t_new)
            factor = SAFETY * error ** (-1 / ORDER) if error > 0 else LARGEST_GROWTH
            if error > 1:
                self.rejections += 1
                if length <= shortest:  # not h, which rounding of t may have lengthened
                    raise NoSolution(t)
                length = abs(h) * (0.5 if rejected else max(LARGEST_CUT, factor))
                rejected = True
                continue
            pending, out = self._pass_nodes(pending, out, t, t_new)
            self.steps += 1
            self.rows[0], self.rows[1] = self.stage, self.rows[-1]
            length = abs(h) * (1.0 if rejected else min(LARGEST_GROWTH, factor))
            t, rejected = t_new, False
        return self.y

    def _first_length(self, start):
        """Return ode45's first step, from the size of y' relative to y."""
        xp = namespace(self.rows)
        xp.maximum(xp.abs(self.rows[0], out=self.scale), self.threshold, out=self.scale)
        xp.divide(self.rows[1], self.scale, out=self.error)
        relative = self._norm(self.error)
        if not bool(xp.isfinite(self.rows[:2]).all()):
            raise NoSolution(start)
        return SAFETY * self.rtol ** (1 / ORDER) / relative if relative else math.inf

    def _try_step(self, rate, t, t_new):
        """Fill the stages, leave y(t_new) in self.stage and return the error relative to the tolerance."""
        xp, h = namespace(self.rows), t_new - t
        xp.multiply(self.a, h, out=self.combination[:, 1:])
        for i in range(1, len(C)):
            xp.matmul(self.combination[i, : i + 1], self.rows[: i + 1], out=self.stage)
            rate(t_new if C[i] == 1 else t + C[i] * h, self.stage.reshape(self.y.shape), self.k[i])
        self.evaluations += len(C) - 1
        xp.abs(self.rows[0], out=self.scale)
        xp.maximum(self.scale, xp.abs(self.stage, out=self.error), out=self.scale)
        xp.maximum(self.scale, self.threshold, out=self.scale)
        xp.matmul(self.e, self.rows[1:], out=self.error)
        xp.divide(self.error, self.scale, out=self.error)
        error = abs(h) * self._norm(self.error) / self.rtol
        return math.inf if math.isnan(error) else error  # overflow: reject the step

    def _norm(self, error):
        """The only number per step that the host waits for."""
        xp = namespace(error)
        if self.norm == "max":
            return float(xp.abs(error, out=error).max())
        return math.sqrt(float(xp.vdot(error, error)) / error.size)

    def _pass_nodes(self, nodes, out, t, t_new):
        """Write y at the nodes within this step; return the remaining nodes and out."""
        if t_new > t:
            count = int(np.searchsorted(nodes, t_new, side="right"))
            passed, rest = slice(None, count), slice(count, None)
        else:
            count = int(np.searchsorted(nodes, t_new, side="left"))
            passed, rest = slice(count, None), slice(None, count)
        θ = (nodes[passed] - t) / (t_new - t)
        if θ.size:
            xp = namespace(self.rows)
            powers = θ[:, None] ** np.arange(1, 1 + P.shape[1])
            combination = np.column_stack([np.ones_like(θ), (t_new - t) * powers @ P.T])
            xp.matmul(xp.asarray(combination, out.dtype), self.rows, out=out[passed].reshape(θ.size, -1))
        return nodes[rest], (out[rest] if θ.size else out)
