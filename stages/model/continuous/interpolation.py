"""Functions of time given at the nodes t_l = l h, as an adaptive solver needs them.

W, b and x are linear between the nodes, so W x + b is a quadratic in each interval, which follows from two products:

    a(t_l + θ h) = (1 - θ) a_l + θ a_{l+1} - θ (1 - θ) (W_{l+1} - W_l) (x_{l+1} - x_l),     a_l = W_l x_l + b_l

After the last node W and b are constant while x continues to x_L = x(T): there a is linear.
"""

from stages.runtime.arrays import namespace


class Remembered:
    """A function of time that caches its last value: the last two stages of a step are at the same time."""

    def __init__(self, function, out):
        self.function, self.out, self.time = function, out, None

    def __call__(self, t):
        if t != self.time:
            self.time, self.value = t, self.function(t, self.out)
        return self.value


def linear(values, h):
    """Return the function of time that is values[l] at t_l = l h, linear in between and constant after the last."""
    xp, last = namespace(values[0]), len(values) - 1

    def value(t, out):
        layer = min(int(t / h), last)
        fraction = t / h - layer
        if layer == last or fraction == 0:
            return values[layer]
        # Measured: combining the weights and then multiplying beats combining two products.
        xp.subtract(values[layer + 1], values[layer], out=out)
        out *= fraction
        out += values[layer]
        return out

    return Remembered(value, xp.empty_like(values[0]))


class AffineInTime:
    """The function a(t) for states x_one (node, rows, sample), in an array that is allocated once and reused."""

    def __init__(self, affine, x_one, h):
        xp, (nodes, _, samples) = namespace(x_one), x_one.shape
        self.affine, self.x_one, self.h, self.last = affine, x_one, h, nodes - 2
        # a_0, ΔW Δx, a_1, ΔW Δx, .. a_L: the three terms of an interval are adjacent. The last ΔW Δx stays zero.
        self.terms = xp.zeros((2 * nodes - 1, affine.width, samples), x_one.dtype)

    def start(self, layers):
        """Use layers[l] = [W_l b_l] and the current states; products are computed on demand."""
        self.layers, self.known = layers, {2 * self.last + 1}

    def at_node(self, layer):
        """a_l"""
        return self._known_terms(2 * layer, 2 * layer + 1)[0]

    def __call__(self, t, out):
        layer = min(int(t / self.h), self.last)
        θ = t / self.h - layer
        terms = self._known_terms(2 * layer, 2 * layer + 3)
        # A product with the terms as rows takes one pass, sums take five.
        xp = namespace(out)
        factors = xp.asarray([1 - θ, -θ * (1 - θ), θ], out.dtype)
        xp.matmul(factors, terms.reshape(3, -1), out=out.reshape(-1))
        return out

    def _known_terms(self, start, stop):
        for term in range(start, stop):
            if term not in self.known:
                self._make(*divmod(term, 2), out=self.terms[term])
                self.known.add(term)
        return self.terms[start:stop]

    def _make(self, layer, between, out):
        affine, layers, x_one = self.affine, self.layers, self.x_one
        if between:
            x, x_next = x_one[layer : layer + 2, : affine.width]
            affine.linear(layers[layer + 1] - layers[layer], x_next - x, out=out)
        else:
            affine.value(layers[min(layer, self.last)], x_one[layer], out=out)
