"""Probabilities of right answers: against closed forms, SciPy's integrals and noise drawn on linear networks."""

import numpy as np
import pytest
import scipy.stats
from kit import tolerances
from kit.example_network import example

from stages.evaluate.predicted_accuracy import dimensions, probability_right, signed_radius_share
from stages.evaluate.uncertainty import score_covariances
from stages.model.direct import final_state
from stages.model.network import Network

STDS = [0.0, 0.05, 0.3, 2.0]
LINES, DRAWS = 2000, 20_000


def lines(samples, classes, seed=3):
    return np.random.default_rng(seed).standard_normal((samples, LINES, dimensions(classes)))


def test_the_share_within_a_radius_is_that_of_the_chi_distribution():
    t = np.array([-np.inf, -3.0, -0.1, 0.0, 1e-3, 2.0, 40.0, 1e9, np.inf])
    for k in (2, 4, 10):
        expected = np.sign(t) * scipy.stats.chi.cdf(np.abs(t), k)
        np.testing.assert_allclose(signed_radius_share(t, k), expected, **tolerances.SHORT_SUMS)


def test_two_classes_have_the_normal_distributions_probability(rng):
    """Directions at equal angles integrate a smooth function of the angle to rounding."""
    angle = np.pi * np.arange(2000) / 2000
    normal = np.broadcast_to(np.stack([np.cos(angle), np.sin(angle)], axis=-1), (6, 2000, 2))
    z, A, labels = rng.normal(size=(6, 2)), rng.normal(size=(6, 2, 2)), np.array([0, 1, 0, 1, 0, 1])
    covariance = A @ A.swapaxes(1, 2)
    found = probability_right(z, covariance, labels, [0.3, 2.0], normal)
    sign = 1 - 2 * labels
    spread = np.sqrt(covariance[:, 0, 0] + covariance[:, 1, 1] - 2 * covariance[:, 0, 1])
    for s, probability in zip([0.3, 2.0], found, strict=True):
        expected = scipy.stats.norm.cdf(sign * (z[:, 0] - z[:, 1]) / (s * spread))
        np.testing.assert_allclose(probability, expected, **tolerances.SHORT_SUMS)


@pytest.mark.parametrize("classes", [3, 4, 10])
def test_many_classes_have_the_probability_that_scipy_integrates(rng, classes):
    samples = 4
    z, A = rng.normal(size=(samples, classes)), rng.normal(size=(samples, classes, classes)) / np.sqrt(classes)
    labels, covariance = z.argsort(axis=1)[:, -2], A @ A.swapaxes(1, 2)  # the second best: both ends of the interval
    found = probability_right(z, covariance, labels, [0.7], lines(samples, classes))[0]
    for sample, y in enumerate(labels):
        D = np.delete(np.eye(classes)[y] - np.eye(classes), y, axis=0)  # differences to the others
        behind = scipy.stats.multivariate_normal(D @ z[sample], 0.49 * D @ covariance[sample] @ D.T)
        expected = scipy.stats.multivariate_normal.cdf(
            behind.mean, np.zeros(classes - 1), behind.cov, abseps=1e-5, maxpts=200_000, rng=1
        )
        assert 0.01 < expected < 0.9
        assert abs(found[sample] - expected) < 5 * np.sqrt(expected * (1 - expected) / (2 * LINES))


def brute_force(case, noisy_scores):
    """Hold predicted probabilities (std, sample) against the shares of draws."""
    found, labels = {}, case.labels
    for level, s in enumerate(STDS):
        found[level] = (noisy_scores(s).argmax(axis=1) == labels).mean(axis=0)
    return np.array([found[level] for level in range(len(STDS))])


def require_agreement(predicted, measured):
    error = np.sqrt(predicted * (1 - predicted) * (1 / DRAWS + 1 / (2 * LINES))) + 1 / DRAWS
    assert (np.abs(predicted - measured) < 4.5 * error).all()
    assert ((predicted > 0.05) & (predicted < 0.95)).sum() > 5


def test_noise_on_the_pixels_of_a_linear_network(rng):
    case = example("identity", width=6, depth=4, samples=8, classes=4)
    z, pixels, _ = score_covariances(case.network, case.x0, 4)
    predicted = probability_right(z.T, np.moveaxis(pixels, -1, 0), case.labels, STDS, lines(8, 4))

    def noisy_scores(s):
        images = case.images + s * rng.standard_normal((DRAWS, *case.images.shape))
        final = final_state(case.network, case.network.columns(images.reshape(-1, 6)))[:4]
        return final.reshape(4, DRAWS, 8).swapaxes(0, 1)

    measured = brute_force(case, noisy_scores)
    require_agreement(predicted, measured)
    with pytest.raises(AssertionError):  # half of the variance more is noticed
        require_agreement(
            probability_right(z.T, 1.5 * np.moveaxis(pixels, -1, 0), case.labels, STDS, lines(8, 4)), measured
        )


def test_noise_on_the_weights_of_a_single_linear_layer(rng):
    """One layer is linear in its weights, so that first order is all there is."""
    case = example("identity", width=6, depth=1, samples=8, classes=4)
    z, _, weights = score_covariances(case.network, case.x0, 4)
    predicted = probability_right(z.T, np.moveaxis(weights, -1, 0), case.labels, STDS, lines(8, 4))

    def noisy_scores(s):
        parameters = case.network.parameters[:, None] + s * rng.standard_normal((1, DRAWS, 6, 7))
        noisy = Network(parameters[..., :-1], parameters[..., -1], case.network.interval, case.network.activation)
        return final_state(noisy, np.repeat(case.x0[None], DRAWS, axis=0))[:, :4]

    require_agreement(predicted, brute_force(case, noisy_scores))


def test_scores_that_noise_does_not_reach_stay_as_they_are():
    z = np.array([[1.0, 2.0, 0.0], [1.0, 1.0, 0.0], [1.0, 1.0, 0.0], [3.0, 1.0, 0.0]])
    labels = np.array([1, 0, 1, 2])
    found = probability_right(z, np.zeros((4, 3, 3)), labels, [0.0, 0.1], lines(4, 3))
    np.testing.assert_array_equal(found, [[1, 1, 0, 0]] * 2)  # of equal scores the first is read


def test_a_singular_covariance_is_no_obstacle():
    """Only class 0 is noisy: it wins against the better of the others."""
    covariance = np.zeros((1, 3, 3))
    covariance[0, 0, 0] = 4.0
    found = probability_right(np.array([[0.0, 1.0, -1.0]]), covariance, np.array([0]), [1.0], lines(1, 3))
    expected = scipy.stats.norm.cdf(-1 / 2)
    assert abs(found[0, 0] - expected) < 5 * np.sqrt(expected * (1 - expected) / (2 * LINES))


def test_lines_are_worth_several_times_as_many_points(rng):
    """The error of 100 lines against that of counting 100 points, over many repetitions."""
    A = rng.normal(size=(10, 10)) / 3
    z, covariance = np.repeat(rng.normal(size=(1, 10)), 500, axis=0), np.repeat((A @ A.T)[None], 500, axis=0)
    labels = np.full(500, z[0].argmax())
    by_lines = probability_right(z, covariance, labels, [0.5], rng.standard_normal((500, 100, 10)))[0]
    points = z[:, None] + 0.5 * rng.standard_normal((500, 100, 10)) @ A.T
    by_points = (points.argmax(axis=-1) == labels[:, None]).mean(axis=1)
    assert abs(by_lines.mean() - by_points.mean()) < 4 * by_points.std() / np.sqrt(500)
    assert by_points.var() > 3 * by_lines.var()
