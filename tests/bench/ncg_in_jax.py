"""One NCG iteration as a user of JAX would write it: `scan` over the layers, everything in one `jit`.

Two ways to the derivatives: `grad` and `jvp`, each with its own forward solve, which is what one writes first; and
`linearize` with its transpose, which share one.
"""

import functools

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax

ACTIVATIONS = {"relu": jax.nn.relu, "tanh": jnp.tanh}
NEWTON_STEPS, NEWTON_ACCURACY = 30, 1e-5


class Trainer:
    def __init__(self, W, b, *, interval, activation, loss, classes, smoother=None, linearized=False):
        """loss: µ1, µ2, µ3; smoother: the matrix (layer, layer) that makes the Sobolev gradient, or None."""
        self.start = W, b
        self.h, self.σ, self.classes = interval / len(W), ACTIVATIONS[activation], classes
        self.mu1, self.mu2, self.mu3 = (loss[name] for name in ("mu1", "mu2", "mu3"))
        self.smoother = None if smoother is None else jnp.asarray(smoother, "float32")
        self.derivatives = self._by_linearize if linearized else self._by_grad_and_jvp
        self.iteration = jax.jit(self._iteration, donate_argnums=(0, 1))
        self.restart()

    def restart(self):
        self.parameters = tuple(jax.block_until_ready(jnp.array(part)) for part in self.start)

    def train_on_batch(self, x, y, iterations):
        """x (sample, pixel), y (sample, class); return the costs before each iteration."""
        direction = jax.tree.map(jnp.zeros_like, self.parameters)
        costs, squared = [], jnp.inf
        for _ in range(iterations):
            self.parameters, direction, squared, cost = self.iteration(self.parameters, direction, squared, x, y)
            costs.append(cost)
        jax.block_until_ready(self.parameters)
        return costs

    def outputs(self, parameters, x):
        def layer(x, parameters):
            W, b = parameters
            return x + self.h * self.σ(x @ W.T + b), None

        return lax.scan(layer, x, parameters)[0][:, : self.classes]

    def cost(self, u, y):
        squares = self.mu1 / 2 * jnp.sum((u - y) ** 2, axis=1) + self.mu3 / 2 * jnp.sum(u**2, axis=1)
        return jnp.mean(squares - self.mu2 * jnp.sum(y * jax.nn.log_softmax(u), axis=1))

    def _iteration(self, parameters, direction, previous, x, y):
        u, cost, partials, push = self.derivatives(parameters, x, y)
        G = jax.tree.map(lambda p: p / self.h, partials)
        if self.smoother is not None:
            G = jax.tree.map(lambda g: jnp.tensordot(self.smoother, g, 1), G)
        squared = self.h * sum(jnp.sum(g * g) for g in G)
        γ = squared / previous
        direction = jax.tree.map(lambda g, d: -g + γ * d, G, direction)
        η = self.step_length(u, push(direction), y)
        return jax.tree.map(lambda p, d: p + η * d, parameters, direction), direction, squared, cost

    def _by_grad_and_jvp(self, parameters, x, y):
        def cost(parameters):
            u = self.outputs(parameters, x)
            return self.cost(u, y), u

        (value, u), partials = jax.value_and_grad(cost, has_aux=True)(parameters)
        outputs = functools.partial(self.outputs, x=x)
        return u, value, partials, lambda d: jax.jvp(outputs, (parameters,), (d,))[1]

    def _by_linearize(self, parameters, x, y):
        u, push = jax.linearize(functools.partial(self.outputs, x=x), parameters)
        value, residual = jax.value_and_grad(self.cost)(u, y)
        (partials,) = jax.linear_transpose(push, parameters)(residual)
        return u, value, partials, push

    def step_length(self, u, ξ, y):
        """The zero of the derivative along u + η ξ, by Newton's method: one step where the cost is quadratic."""
        slope = jax.grad(lambda η: self.cost(u + η * ξ, y))
        curvature = jax.grad(slope)
        if not self.mu2:
            return -slope(0.0) / curvature(0.0)

        def not_done(state):
            steps, η, change = state
            return (steps < NEWTON_STEPS) & (jnp.abs(change) > NEWTON_ACCURACY * jnp.abs(η))

        def newton(state):
            steps, η, _ = state
            change = -slope(η) / curvature(η)
            return steps + 1, η + change, change

        return lax.while_loop(not_done, newton, (0, 0.0, 1.0))[1]


def smoothing_matrix(depth, h):
    """The Sobolev transform as a matrix: 150 x 150, so its inverse is cheap to make and a product to apply."""
    difference = np.diff(np.eye(depth), axis=0) / h
    return np.linalg.inv(np.eye(depth) + difference.T @ difference)
