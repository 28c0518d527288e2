"""The direct problem (paper, eq. 1): x'(t) = σ(W(t) x(t) + b(t)), x(0) given, by Euler's method.

    a_l = W_l x_l + b_l,     x_{l+1} = x_l + h σ(a_l),     l = 0 .. L-1

which is a ResNet of L layers whose activations are scaled by h = T / L.
"""

from stages.arrays import namespace


class Trajectory:
    """What the adjoint and the sensitivity problem need of a direct solve, in arrays that are made once and reused.

    x: (layer + 1, ..., neuron, sample), the states; slope: (layer, ..., neuron, sample), σ'(a_l).
    """

    def __init__(self, network, samples):
        xp = namespace(network.W)
        shape = (*network.leading, network.width, samples)
        self.x = xp.empty((network.depth + 1, *shape), network.W.dtype)
        self.slope = xp.empty((network.depth, *shape), network.W.dtype)
        self.scratch = xp.empty(shape, network.W.dtype)


def solve_direct(network, x0, trajectory, before_layer=None):
    """Solve for the states x0 (..., neuron, sample), keep them in `trajectory` and return the last.

    before_layer(l) is called just before the weights of layer l are used: a trainer moves them there, while they
    are on their way through the cache anyway.
    """
    xp, h, σ = namespace(network.W), network.h, network.activation
    x, slope, s = trajectory.x, trajectory.slope, trajectory.scratch
    x[0] = x0
    for layer in range(network.depth):
        if before_layer is not None:
            before_layer(layer)
        xp.matmul(network.W[layer], x[layer], out=s)
        s += network.b[layer][..., None]
        σ.value(s, out=s)
        σ.derivative(s, out=slope[layer])
        s *= h
        xp.add(x[layer], s, out=x[layer + 1])
    return x[-1]


def final_state(network, x0):
    """Solve for x(T) alone, in the memory of two states."""
    xp, h, σ = namespace(network.W), network.h, network.activation
    x = x0.astype(network.W.dtype)  # a copy: it is overwritten layer by layer
    s = xp.empty_like(x)
    for layer in range(network.depth):
        xp.matmul(network.W[layer], x, out=s)
        s += network.b[layer][..., None]
        σ.value(s, out=s)
        s *= h
        x += s
    return x
