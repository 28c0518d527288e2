"""PGD, FGSM and Carlini-Wagner against the toolbox, on the same network and images."""

import numpy as np
import pytest
from kit import attacked_digits, tolerances
from kit.toolbox_classifier import CarliniL2Method, FastGradientMethod, ProjectedGradientDescentNumpy, ToolboxClassifier

from stages.attack.methods import cw as carlini_wagner
from stages.attack.methods import fgsm as fast_gradient
from stages.attack.methods import pgd as projected_gradient


def norms(images, originals):
    return np.linalg.norm((images - originals).astype("float64"), axis=1)


@pytest.mark.parametrize("activation", ["relu", "tanh"])
@pytest.mark.parametrize(("step", "radius"), [(0.06, 0.3), (0.6, 0.3), (0.06, 5.0), (0.6, 1.0)])
def test_pgd_ends_at_the_toolbox_s_images(activation, step, radius):
    victim = attacked_digits.victim(activation)
    images, labels = attacked_digits.readable(victim, 40)
    classifier = ToolboxClassifier(victim)
    judge = ProjectedGradientDescentNumpy(
        classifier, norm=2, eps=radius, eps_step=step, max_iter=15, batch_size=40, verbose=False
    )
    wanted = judge.generate(images, labels)
    misread = classifier.predict(wanted).argmax(axis=1) != labels
    outcome = projected_gradient.attack(
        victim, images, labels, [radius], attacked_digits.silent, loss="ce", step=step, iterations=15
    )
    np.testing.assert_array_equal(~np.isnan(outcome.radius), misread)
    assert misread.any()
    np.testing.assert_allclose(outcome.adversarial[misread], wanted[misread], **tolerances.STEPS_IN_FLOAT32)
    np.testing.assert_array_equal(outcome.adversarial[~misread], images[~misread])


@pytest.mark.parametrize("activation", ["relu", "tanh"])
def test_fgsm_ends_at_the_toolbox_s_images(activation):
    victim = attacked_digits.victim(activation)
    images, labels = attacked_digits.readable(victim, 60)
    classifier = ToolboxClassifier(victim)
    for radius in (0.1, 0.5, 1.5):
        wanted = FastGradientMethod(classifier, norm=2, eps=radius, batch_size=60).generate(images, labels)
        misread = classifier.predict(wanted).argmax(axis=1) != labels
        outcome = fast_gradient.attack(victim, images, labels, [radius], attacked_digits.silent, loss="ce")
        np.testing.assert_array_equal(~np.isnan(outcome.radius), misread)
        np.testing.assert_allclose(outcome.adversarial[misread], wanted[misread], **tolerances.STEPS_IN_FLOAT32)
    assert misread.any()


@pytest.mark.parametrize(
    ("activation", "outputs", "confidence"),
    [("tanh", "scores", 0.0), ("relu", "softmax", 0.0), ("tanh", "scores", 0.2)],
)
def test_carlini_wagner_succeeds_as_often_as_the_toolbox_s_at_the_same_distance(activation, outputs, confidence):
    victim = attacked_digits.victim(activation)
    images, labels = attacked_digits.readable(victim, 16)
    classifier = ToolboxClassifier(victim, outputs)
    wanted = CarliniL2Method(classifier, confidence=confidence, verbose=False).generate(images, labels)
    misread = classifier.predict(wanted).argmax(axis=1) != labels
    outcome = carlini_wagner.attack(
        victim,
        images,
        labels,
        [],
        attacked_digits.silent,
        outputs=outputs,
        confidence=confidence,
        rate=0.01,
        searches=10,
        iterations=10,
        constant=0.01,
    )
    ours = classifier.predict(outcome.adversarial).argmax(axis=1) != labels
    assert misread.sum() >= 12
    assert abs(int(ours.sum()) - int(misread.sum())) <= 1
    both = ours & misread
    # The line search decides by comparing numbers: where two are equal to rounding, an image may take another path.
    same = np.isclose(norms(outcome.adversarial, images), norms(wanted, images), **tolerances.STEPS_IN_FLOAT32)
    assert same[both].mean() >= 0.9
    np.testing.assert_allclose(
        norms(outcome.adversarial, images)[both].mean(), norms(wanted, images)[both].mean(), **tolerances.LINE_SEARCHES
    )
