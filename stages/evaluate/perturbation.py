"""Estimated and measured perturbation at every depth (paper, section 5, and appendix on sensitivity).

For each image, with ξ(t) from the sensitivity problem and δ(t) = x̃(t) - x(t) from a second direct problem:

    |ξ| / |x|,     |δ| / |x|,     |ξ - δ| / |ξ|

x, x̃ and ξ go through each layer together: its weights are fetched once, and no state is kept.
"""

from stages.arrays import namespace
from stages.model.direct import enter, first_state


def perturbation_ratios(network, x0, ξ0, perturbed=None):
    """Return the three ratios, (3, depth + 1, sample), for images x0 and perturbations ξ0 of them (pixel, sample).

    perturbed: Parameters [ω β], perturbations of weights and biases, or None.
    """
    xp, h, σ, affine = namespace(x0), network.h, network.activation, network.affine
    x_one, x = first_state(network, x0)
    noisy_one, x_noisy = first_state(network, x0 + ξ0)
    ξ, δ, a, rate, slope, scratch = xp.empty((6, *x.shape), x.dtype)
    for perturbation in (ξ, δ):  # at node 0 δ = ξ⁰ exactly, which x0 + ξ⁰ - x0 is not
        enter(perturbation, ξ0)

    norms = xp.empty((4, network.depth + 1, x.shape[-1]), x.dtype)  # of x, ξ, δ, ξ - δ

    def record(node):
        for number, columns in enumerate((x, ξ, δ)):
            norms[number, node] = lengths(columns, scratch)
        norms[3, node] = lengths(xp.subtract(ξ, δ, out=δ), scratch)

    record(0)
    for layer, Wb in enumerate(network.parameters):
        affine.value(Wb, x_one, out=a)
        if perturbed is None:
            affine.linear(Wb, ξ, out=rate)
        else:
            ωβ = perturbed.parameters[layer]
            affine.perturbed(Wb, ξ, ωβ, x_one, rate, scratch)
            Wb = Wb + ωβ
        x += σ.advance(a, h, slope, scratch)
        rate *= slope
        ξ += rate
        affine.value(Wb, noisy_one, out=a)
        σ.value(a, out=a)
        a *= h
        x_noisy += a
        xp.subtract(x_noisy, x, out=δ)
        record(layer + 1)
    of_x, of_ξ, of_δ, of_error = norms
    return xp.stack([ratio(of_ξ, of_x), ratio(of_δ, of_x), ratio(of_error, of_ξ)])


def lengths(columns, scratch):
    """Return the norm of each column."""
    xp = namespace(columns)
    return xp.sqrt(xp.multiply(columns, columns, out=scratch).sum(axis=-2))


def ratio(a, b):
    """Return a / b, and 0 where both are 0: no perturbation of nothing."""
    xp = namespace(a)
    return xp.where(b > 0, a / xp.where(b > 0, b, 1), xp.where(a > 0, float("inf"), 0)).astype(a.dtype)
