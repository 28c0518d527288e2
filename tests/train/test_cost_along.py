import itertools

import numpy as np
import pytest
from kit import reference_network, tolerances
from kit.example_network import LOSSES, example

from stages.train.step_length import CostAlong

CASES = list(itertools.product(LOSSES, ["classes", "all", "norms"]))


def cost_along(cost, x, ξ, y, *of_decay):
    return CostAlong(cost, cost.seen(x), cost.seen(ξ), cost.wanted(y), *of_decay)


@pytest.mark.parametrize(("loss", "components"), CASES)
def test_both_derivatives_agree_with_the_judge(loss, components, rng):
    case = example()
    cost, x, ξ = case.cost(loss, components=components), *rng.normal(0, 2, (2, 6, 7))
    settings = LOSSES[loss] | {"components": cost.components, "in_softmax": cost.in_softmax}
    along = cost_along(cost, x, ξ, case.y)
    for η in (0.0, 0.37, 2.5):
        slope, curvature = along.derivatives(np.array(η))
        judge = (η, x.T, ξ.T, case.labels)
        np.testing.assert_allclose(slope, reference_network.slope_along(*judge, **settings), **tolerances.ROUNDING)
        np.testing.assert_allclose(
            curvature, reference_network.curvature_along(*judge, **settings), **tolerances.ROUNDING
        )


@pytest.mark.parametrize("loss", LOSSES)
def test_weight_decay_adds_a_parabola(loss, rng):
    case = example()
    x, ξ = rng.normal(0, 2, (2, 6, 7))
    η = np.array(0.7)
    plain = cost_along(case.cost(loss), x, ξ, case.y).derivatives(η)
    decayed = cost_along(case.cost(loss), x, ξ, case.y, -0.3, 0.2).derivatives(η)
    np.testing.assert_allclose(np.subtract(decayed, plain), [-0.3 + 0.7 * 0.2, 0.2], **tolerances.ROUNDING)


def test_the_slope_at_zero_is_the_derivative_along_the_direction(rng):
    case = example()
    cost, x, ξ = case.cost("all"), *rng.normal(0, 2, (2, 6, 7))
    slope, _ = cost_along(cost, x, ξ, case.y).at_zero
    np.testing.assert_allclose(slope, (cost.derivative(x, case.y) * ξ).sum(), **tolerances.ROUNDING)
