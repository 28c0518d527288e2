"""How the class scores of an image spread under noise on its pixels or on the weights, to first order.

Noise is independent and of equal variance: s² per pixel, or τ² per entry of W_l and b_l. With P_c the row of
dx(T)/dx(0) for class c, λ^c the cotangent that is pulled back to this row, and g^c_l = σ'(a_l) ⊙ λ^c_{l+1}:

    on pixels:     Cov(z_c, z_c') = s² <P_c, P_c'>
    on weights:    Cov(z_c, z_c') = τ² Σ_l <h g^c_l, h g^c'_l> (|x_l|² + 1)

since dz_c/d[W_l b_l] = h g^c_l [x_l; 1]ᵀ, and the inner product of two such matrices is the product of those of their
vectors. So one direct solve and one pull-back give both, without drawing noise and without a gradient in the shape of
the weights. This holds for dense layers; a convolution's affine map has its own formula (`gradient_products`).
"""

from stages.model.direct import Trajectory, solve_direct
from stages.model.products import gram_matrices
from stages.perturbations.class_rows import class_rows
from stages.runtime.arrays import namespace


def score_covariances(network, x0, classes, trajectory=None):
    """Return scores (class, sample) and their covariances (class, class, sample), in float64, for states x0.

    The first covariance is for noise on pixels, the second for noise on weights and biases, both of variance 1.
    trajectory: memory for these samples, to be reused.
    """
    xp = namespace(x0)
    trajectory = trajectory or Trajectory(network, x0.shape[-1])
    z = network.readout.scores(solve_direct(network, x0, trajectory), classes).astype("float64")
    by_weights = xp.zeros((classes, classes, x0.shape[-1]), "float64")

    def add_layer(layer, hg):
        xp.add(by_weights, network.affine.gradient_products(hg, trajectory.x_one[layer]), out=by_weights)

    rows = class_rows(network, trajectory.slope, classes, add_layer)
    # Distances are differences of these entries: in float32, similar rows would leave few correct digits.
    return z, gram_matrices(rows.astype("float64")), by_weights
