"""An independent reference for convolutional networks: network and cost written again with JAX's convolutions.

It shares no code with stages. Images are (sample, pixel), kernels K (layer, out, row, column, in), R (class, neuron).
"""

import jax
import jax.numpy as jnp

from kit.reference_network import ACTIVATIONS, data_cost

jax.config.update("jax_enable_x64", True)


def affine(x, K, b):
    """Return K * x + b for x (sample, channel, row, column), padded with zeros."""
    layout = ("NCHW", "OHWI", "NCHW")
    return jax.lax.conv_general_dilated(x, K, (1, 1), "SAME", dimension_numbers=layout) + b[:, None, None]


def into_cells(x, cell):
    """Turn (sample, image, row, column) into (sample, channel, row, column): a cell's pixels become channels."""
    samples, images, side, _ = x.shape
    x = x.reshape(samples, images, side // cell, cell, side // cell, cell).transpose(0, 1, 3, 5, 2, 4)
    return x.reshape(samples, -1, side // cell, side // cell)


def outputs(images, K, b, *, side, interval, activation, cell):
    """Return x(T), (sample, neuron), for images (sample, pixel), which are the first neurons of a state."""
    images = images.reshape(len(images), -1, side, side)
    others = jnp.zeros((len(images), K.shape[1] // cell**2 - images.shape[1], side, side))
    x, pull_back = jax.vjp(lambda x: into_cells(x, cell), jnp.concatenate([images, others], axis=1))
    h = interval / len(K)
    x, _ = jax.lax.scan(lambda x, layer: (x + h * ACTIVATIONS[activation](affine(x, *layer)), None), x, (K, b))
    return pull_back(x)[0].reshape(len(images), -1)  # the inverse, as the map is a permutation


def scores(images, K, b, R, **shape):
    """Return the class scores (sample, class)."""
    return outputs(images, K, b, **shape) @ R.T


def cost(images, K, b, R, labels, *, mu1, mu2, mu3, mu4, **shape):
    """Return E, with the weights' norms those of L²(0, T)."""
    h = shape["interval"] / len(K)
    data = data_cost(scores(images, K, b, R, **shape), labels, mu1, mu2, mu3, len(R))
    return data + mu4 / 2 * h * (jnp.sum(K**2) + jnp.sum(b**2))


def push_forward(point, direction, **shape):
    """Return x(T) and its derivative along a direction (images, K, b)."""
    return jax.jvp(lambda *inputs: outputs(*inputs, **shape), point, direction)


def jacobian(images, K, b, R, **shape):
    """Return the derivative of each image's scores with respect to it, (sample, class, pixel)."""
    return jax.vmap(jax.jacobian(lambda image: scores(image[None], K, b, R, **shape)[0]))(images)


def score_gradients(images, K, b, R, **shape):
    """Return the derivatives of each image's scores with respect to it, K and b, each (sample, class, ...)."""

    def of_one(image):
        return jax.jacobian(lambda image, K, b: scores(image[None], K, b, R, **shape)[0], (0, 1, 2))(image, K, b)

    return jax.vmap(of_one)(images)


STATIC = ("side", "activation", "cell")
affine = jax.jit(affine)
gradient = jax.jit(jax.grad(cost, (0, 1, 2)), static_argnames=STATIC)
push_forward = jax.jit(push_forward, static_argnames=STATIC)
score_gradients = jax.jit(score_gradients, static_argnames=STATIC)
jacobian = jax.jit(jacobian, static_argnames=STATIC)
