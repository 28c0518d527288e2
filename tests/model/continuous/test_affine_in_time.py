import numpy as np
import pytest
from kit import tolerances

from stages.model.continuous.interpolation import AffineInTime, linear
from stages.model.layers.convolution import Convolution
from stages.model.layers.dense import Dense

DEPTH, SAMPLES, H = 6, 4, 0.3
MAPS = {"dense": Dense(5), "convolution": Convolution(channels=2, kernel=3, side=4)}


def example(affine, rng):
    out, columns = affine.shape
    x_one = np.ones((DEPTH + 1, affine.rows, SAMPLES))
    x_one[:, : affine.width] = rng.normal(0, 1, (DEPTH + 1, affine.width, SAMPLES))
    return rng.normal(0, 1, (DEPTH, out, columns + 1)), x_one


@pytest.mark.parametrize("affine", MAPS.values(), ids=MAPS)
def test_is_the_product_at_every_time(affine, rng):
    layers, x_one = example(affine, rng)
    function, Wb, x = AffineInTime(affine, x_one, H), linear(layers, H), linear(x_one, H)
    function.start(layers)
    nodes = H * np.arange(DEPTH + 1)
    between, after_the_last = rng.uniform(0, DEPTH * H, 20), rng.uniform((DEPTH - 1) * H, DEPTH * H, 5)
    for t in rng.permutation(np.concatenate([nodes, nodes[:-1] + H / 2, between, after_the_last])):
        found, expected = np.empty((2, affine.width, SAMPLES))
        assert function(t, found) is found
        affine.value(Wb(t), x(t), out=expected)
        np.testing.assert_allclose(found, expected, **tolerances.SHORT_SUMS)
    for layer in range(DEPTH):
        affine.value(layers[layer], x_one[layer], out=expected)
        np.testing.assert_array_equal(function.at_node(layer), expected)


def test_takes_two_products_an_interval_and_only_where_it_is_asked_for(rng, monkeypatch):
    affine, made = Dense(5), []
    layers, x_one = example(affine, rng)
    for name in ("value", "linear"):
        method = getattr(affine, name)
        monkeypatch.setattr(affine, name, lambda *a, m=method, **k: made.append(m) or m(*a, **k))
    function, out = AffineInTime(affine, x_one, H), np.empty((5, SAMPLES))
    function.start(layers)
    for θ in (0.2, 0.3, 0.8):
        function((2 + θ) * H, out)
    assert len(made) == 3  # both ends, and between
    function(3.1 * H, out)
    assert len(made) == 5
    for t in rng.uniform(0, DEPTH * H, 200):
        function(t, out)
    assert len(made) == 2 * DEPTH  # one for all nodes and the end, and between all but the last two
    function.start(layers)
    function(0.0, out)
    assert len(made) == 2 * DEPTH + 3
