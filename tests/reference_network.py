"""A judge: the network and its cost written a second time, from the paper, for JAX to differentiate.

Nothing is shared with stages. Samples are rows here, the weights act from the right, and one function goes from the
parameters to the cost, so that every derivative is JAX's own.
"""

import jax
import jax.numpy as jnp

jax.config.update("jax_enable_x64", True)

ACTIVATIONS = {"relu": jax.nn.relu, "tanh": jnp.tanh, "identity": lambda a: a}


def outputs(images, W, b, interval, activation):
    """Return x(T), (sample, neuron), for images (sample, neuron), W (layer, out, in), b (layer, out)."""
    x = jnp.asarray(images)
    for weights, bias in zip(jnp.asarray(W), jnp.asarray(b), strict=True):
        x = x + interval / len(W) * ACTIVATIONS[activation](x @ weights.T + bias)
    return x


def data_cost(x, labels, mu1, mu2, mu3, components):
    """Return the mean loss of x (sample, neuron) for labels (sample,), seen through its first `components`."""
    seen = x[:, :components]
    target = jax.nn.one_hot(labels, components, dtype=x.dtype)
    squares = jnp.sum((seen - target) ** 2, axis=1)
    cross_entropy = -jnp.sum(target * jax.nn.log_softmax(seen, axis=1), axis=1)
    size = jnp.sum(seen**2, axis=1)
    return jnp.mean(mu1 / 2 * squares + mu2 * cross_entropy + mu3 / 2 * size)


def total_cost(images, W, b, labels, *, interval, activation, mu1, mu2, mu3, mu4, components):
    """Return E, with the weights' norms those of L²(0, T)."""
    x = outputs(images, W, b, interval, activation)
    h = interval / len(W)
    return data_cost(x, labels, mu1, mu2, mu3, components) + mu4 / 2 * h * (jnp.sum(W**2) + jnp.sum(b**2))
