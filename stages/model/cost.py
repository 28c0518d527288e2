"""The cost functional (paper, eq. 3) and its derivative.

    E = (1/K) Σ_k [ µ1/2 |u_k - y_k|² + µ2 H(y_k, softmax u_k) + µ3/2 |u_k|² ] + µ4/2 (|W|² + |b|²)

u are the components of x(T) in the loss: the class scores, or all components with the target y padded by zeros; the
softmax may see fewer of them, the first ones. The norms of W and b are those of L²(0, T). Samples are columns.
"""

from dataclasses import dataclass

from stages.model.products import inner_product
from stages.model.readout import FIRST_COMPONENTS, FirstComponents
from stages.runtime.arrays import namespace


@dataclass(frozen=True)
class Cost:
    mu1: float
    mu2: float
    mu3: float
    weight_decay: float  # µ4
    components: int  # number of scores, or components of x(T), in the loss
    readout: FirstComponents = FIRST_COMPONENTS  # or another with its methods
    in_softmax: int | None = None  # number of these, the first ones, in the softmax; None: all

    def value(self, x, y):
        """Return the three loss terms (...), in float64, for states x (..., neuron, sample) and targets y."""
        return self.loss(self.seen(x), self.wanted(y))

    def derivative(self, x, y):
        """Return λ(T): the derivative with respect to x, in x's type, zero in components outside the loss."""
        return self.readout.cotangent(self.slope(self.seen(x), self.wanted(y)), x.shape[-2], x.dtype)

    def loss(self, u, y):
        """The same as `value`, from the components u and y (..., component, sample)."""
        total = 0.5 * self.mu1 * ((u - y) ** 2).sum(axis=-2) + 0.5 * self.mu3 * (u**2).sum(axis=-2)
        if self.mu2:
            u, y = self.probable(u), self.probable(y)
            total = total + self.mu2 * (y.sum(axis=-2) * log_sum_exp(u) - (y * u).sum(axis=-2))
        return total.mean(axis=-1)

    def slope(self, u, y):
        """The derivative of `loss` with respect to u. It includes the factor 1/K, which saves a pass later."""
        residual = (self.mu1 + self.mu3) * u - (self.mu1 + self.mu2) * y
        if self.mu2:
            probable = self.probable(residual)
            probable += self.mu2 * softmax(self.probable(u))
        return residual / u.shape[-1]

    def probable(self, u):
        """Return the components of u (..., component, sample) that the softmax sees, a view."""
        return u[..., : self.in_softmax, :]

    def decay(self, network):
        """Return the weight-decay term µ4/2 (|W|² + |b|²)."""
        return 0.5 * self.weight_decay * inner_product(network, network, network) if self.weight_decay else 0.0

    def seen(self, x):
        """Return u from x(T), in float64: few numbers, and the step length depends on them."""
        return self.readout.scores(x, self.components).astype("float64")

    def wanted(self, y):
        """The same for targets y (..., neuron, sample), whose first components are the scores' targets."""
        return y[..., : self.components, :].astype("float64")


def softmax(u):
    """Softmax over the components (axis -2)."""
    e = namespace(u).exp(u - u.max(axis=-2, keepdims=True))
    return e / e.sum(axis=-2, keepdims=True)


def log_sum_exp(u):
    """log Σ exp u over the components (axis -2)."""
    xp, largest = namespace(u), u.max(axis=-2)
    return largest + xp.log(xp.exp(u - largest[..., None, :]).sum(axis=-2))


def one_hot(labels, width, dtype, xp):
    """Return targets (..., width, sample) for labels (..., sample): 1 at the label's component, 0 elsewhere."""
    return (xp.arange(width)[:, None] == labels[..., None, :]).astype(dtype)
