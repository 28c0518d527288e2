"""An independent reference: the network and its cost written again from the paper, differentiated by JAX.

It shares no code with stages. Samples are rows here, the weights act from the right, and one function goes from the
parameters to the cost, so that every derivative is by JAX. It is compiled once for all mixtures of the loss terms.
"""

import jax
import jax.numpy as jnp

jax.config.update("jax_enable_x64", True)

ACTIVATIONS = {"relu": jax.nn.relu, "tanh": jnp.tanh, "gelu": jax.nn.gelu, "identity": lambda a: a}


def outputs(images, W, b, interval, activation):
    """Return x(T), (sample, neuron), for images (sample, neuron), W (layer, out, in), b (layer, out)."""
    h = interval / len(W)

    def layer(x, weights_and_bias):
        weights, bias = weights_and_bias
        return x + h * ACTIVATIONS[activation](x @ weights.T + bias), None

    return jax.lax.scan(layer, jnp.asarray(images), (W, b))[0]  # compiled once, not once per layer


def data_cost(x, labels, mu1, mu2, mu3, components, in_softmax=None):
    """Return the mean loss of x (sample, neuron) for labels (sample,), over its first `components`.

    in_softmax: how many of them cross-entropy sees; None: all.
    """
    seen = x[:, :components]
    target = jax.nn.one_hot(labels, components, dtype=x.dtype)
    squares = jnp.sum((seen - target) ** 2, axis=1)
    logits = jax.nn.log_softmax(seen[:, :in_softmax], axis=1)
    cross_entropy = -jnp.sum(target[:, :in_softmax] * logits, axis=1)
    size = jnp.sum(seen**2, axis=1)
    return jnp.mean(mu1 / 2 * squares + mu2 * cross_entropy + mu3 / 2 * size)


def total_cost(images, W, b, labels, *, interval, activation, mu1, mu2, mu3, mu4, components, in_softmax=None):
    """Return E, with the weights' norms those of L²(0, T)."""
    x = outputs(images, W, b, interval, activation)
    h = interval / len(W)
    loss = data_cost(x, labels, mu1, mu2, mu3, components, in_softmax)
    return loss + mu4 / 2 * h * (jnp.sum(W**2) + jnp.sum(b**2))


def cost_along(eta, x, direction, labels, mu1, mu2, mu3, components, in_softmax=None):
    """Return the loss terms at x + η direction."""
    return data_cost(x + eta * direction, labels, mu1, mu2, mu3, components, in_softmax)


def push_forward(point, direction, *, interval, activation):
    """Return x(T) and its derivative along a direction (images, W, b)."""
    return jax.jvp(lambda *inputs: outputs(*inputs, interval, activation), point, direction)


def jacobian(images, W, b, *, interval, activation):
    """Return d x(T) / d x(0) of each image, (sample, neuron, pixel)."""
    return jax.vmap(jax.jacobian(lambda image: outputs(image[None], W, b, interval, activation)[0]))(images)


def score_derivatives(image, W, b, *, interval, activation, classes):
    """Return the derivatives of one image's class scores with respect to image, weights and biases."""

    def scores(image, W, b):
        return outputs(image[None], W, b, interval, activation)[0, :classes]

    return jax.jacrev(scores, (0, 1, 2))(jnp.asarray(image), jnp.asarray(W), jnp.asarray(b))


SEEN = ("components", "in_softmax")
value = jax.jit(data_cost, static_argnames=SEEN)
derivative = jax.jit(jax.grad(data_cost), static_argnames=SEEN)
slope_along = jax.jit(jax.grad(cost_along), static_argnames=SEEN)
curvature_along = jax.jit(jax.grad(jax.grad(cost_along)), static_argnames=SEEN)
cost = jax.jit(total_cost, static_argnames=("activation", *SEEN))
gradient = jax.jit(jax.grad(total_cost, (0, 1, 2)), static_argnames=("activation", *SEEN))
push_forward = jax.jit(push_forward, static_argnames="activation")
jacobian = jax.jit(jacobian, static_argnames="activation")
score_derivatives = jax.jit(score_derivatives, static_argnames=("activation", "classes"))
