"""What an attack may see of a network, against JAX: the outputs, and the gradient of a weighted sum of them."""

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from kit import reference_network, tolerances
from kit.example_convolution import convolutional_example
from kit.example_network import example

from stages.attack.heads import HEADS
from stages.attack.victim import Victim
from stages.runtime.errors import UserError

CLASSES = 3
JUDGES = {
    "scores": lambda x: x[:, :CLASSES],
    "softmax": lambda x: jax.nn.softmax(x[:, :CLASSES], axis=1),
    "softmax-twice": lambda x: jax.nn.softmax(jax.nn.softmax(x[:, :CLASSES], axis=1), axis=1),
    "softmax-all": lambda x: jax.nn.softmax(x, axis=1)[:, :CLASSES],
}


@pytest.mark.parametrize("activation", ["tanh", "relu"])
@pytest.mark.parametrize("name", HEADS)
def test_outputs_and_their_gradient_with_respect_to_the_image_agree_with_jax(name, activation):
    case = example(activation)
    network, w = case.network, np.random.default_rng(3).normal(0, 1, (7, CLASSES))

    def weighted(images):
        x = reference_network.outputs(images, np.array(network.W), np.array(network.b), network.interval, activation)
        return jnp.sum(w * JUDGES[name](x)), JUDGES[name](x)

    (_, outputs), gradient = jax.value_and_grad(weighted, has_aux=True)(case.images)
    victim = Victim(network, CLASSES)
    head = HEADS[name](victim)
    np.testing.assert_allclose(victim.in_blocks(head.outputs, case.x0).T, outputs, **tolerances.ROUNDING)
    found = victim.pull_back(head.cotangent(victim.solve(case.x0), w.T))[:, 0]
    np.testing.assert_allclose(found.T, gradient, **tolerances.ROUNDING)


def test_a_convolution_has_no_components_that_are_scores():
    victim = Victim(convolutional_example("relu").network, CLASSES)
    with pytest.raises(UserError, match="outputs: softmax-all: wanted a network whose scores are components"):
        HEADS["softmax-all"](victim)
