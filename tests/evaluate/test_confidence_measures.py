"""Distance, confidence and gap: exact on linear networks, the attack's own lengths on others."""

import numpy as np
import scipy.special
from kit import attacked_digits, tolerances
from kit.example_network import example

from stages.evaluate import confidence_measures
from stages.evaluate.uncertainty import score_covariances
from stages.perturbations.least_perturbations import least_perturbations


def boundary(network, x0, classes):
    z, pixels, _ = score_covariances(network, x0, classes)
    return confidence_measures.nearest_boundary(z.T, np.moveaxis(pixels, -1, 0))


def linear_map(network):
    """Return P and the scores of a black image, of a network whose activation is the identity: (I + h W_l) ... ."""
    P, offset = np.eye(network.width), np.zeros(network.width)
    for W, b in zip(network.W, network.b, strict=True):
        P, offset = P + network.h * W @ P, offset + network.h * (W @ offset + b)
    return P, offset


def test_the_distance_of_a_linear_network_is_that_to_the_nearest_hyperplane():
    case = example("identity", width=8, depth=4, samples=40, classes=5)
    distance, behind = boundary(case.network, case.x0, 5)
    P, offset = linear_map(case.network)
    for sample, x in enumerate(case.images):
        scores = (P @ x + offset)[:5]
        j = scores.argmax()
        planes = {i: (scores[j] - scores[i]) / np.linalg.norm(P[j] - P[i]) for i in range(5) if i != j}
        assert behind[sample] == min(planes, key=planes.get)
        np.testing.assert_allclose(distance[sample], min(planes.values()), **tolerances.LONG_SUMS)
        # On the boundary the two classes are equal, and nothing is behind it.
        normal = P[behind[sample]] - P[j]
        there = (P @ (x + distance[sample] * normal / np.linalg.norm(normal)) + offset)[:5]
        np.testing.assert_allclose(there[behind[sample]], there.max(), **tolerances.LONG_SUMS)
        np.testing.assert_allclose(there[j], there.max(), **tolerances.LONG_SUMS)
    assert len(set(behind)) > 2


def test_the_distance_is_the_length_of_the_attacks_shortest_perturbation():
    victim = attacked_digits.victim("tanh", "float64")
    x = victim.network.columns(attacked_digits.digits()[0][:30])
    distance, behind = boundary(victim.network, x, 10)
    z = victim.solve(x)[:10].copy()
    *_, length = least_perturbations(victim.class_rows(), z, z.argmax(axis=0), 1.0)
    np.testing.assert_allclose(distance, length.min(axis=0), **tolerances.LONG_SUMS)
    np.testing.assert_array_equal(behind, length.argmin(axis=0))


def test_classes_that_move_as_one_are_infinitely_far_apart():
    together = np.ones((1, 2, 2))
    distance, _ = confidence_measures.nearest_boundary(np.array([[2.0, 1.0]]), together)
    assert np.isinf(distance).all()


def test_a_tie_has_no_distance_and_no_gap():
    z = np.array([[1.0, 3.0, 3.0]])
    distance, behind = confidence_measures.nearest_boundary(z, np.eye(3)[None])
    assert distance == [0]
    assert behind == [2]
    assert confidence_measures.gap(z) == [0]


def test_confidence_and_gap_are_what_their_names_say(rng):
    z = rng.normal(0, 3, (50, 10))
    z[0] += 1e4  # softmax does not mind
    np.testing.assert_allclose(
        confidence_measures.confidence(z), scipy.special.softmax(z, axis=1).max(axis=1), **tolerances.SHIFTED_BY_1E4
    )
    in_order = np.sort(z, axis=1)
    np.testing.assert_array_equal(confidence_measures.gap(z), in_order[:, -1] - in_order[:, -2])
