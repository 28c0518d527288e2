"""An independent reference: the Adversarial Robustness Toolbox, with our network as one of its classifiers.

The derivatives follow from the rows of P by the textbook formulas for softmax and cross-entropy.
"""

import fcntl
import os
import tempfile
import warnings
from pathlib import Path

import numpy as np

# At its first import the toolbox writes a file to the home, and fails if another process does so at the same time.
with open(Path(tempfile.gettempdir(), f"snode-tests-{os.getuid()}.lock"), "w") as lock, warnings.catch_warnings():
    fcntl.flock(lock, fcntl.LOCK_EX)
    warnings.simplefilter("ignore")  # it warns about missing libraries that are not needed here
    from art.attacks.evasion import CarliniL2Method, FastGradientMethod
    from art.attacks.evasion.projected_gradient_descent.projected_gradient_descent_numpy import (
        ProjectedGradientDescentNumpy,
    )
    from art.estimators.classification.classifier import ClassGradientsMixin, ClassifierMixin
    from art.estimators.estimator import BaseEstimator, LossGradientsMixin


__all__ = ["CarliniL2Method", "FastGradientMethod", "ProjectedGradientDescentNumpy", "ToolboxClassifier"]


class ToolboxClassifier(ClassGradientsMixin, ClassifierMixin, LossGradientsMixin, BaseEstimator):
    def __init__(self, victim, outputs="scores"):
        super().__init__(model=None, clip_values=(0.0, 1.0))
        self.victim, self.outputs = victim, outputs
        self.nb_classes = victim.classes

    @property
    def input_shape(self):
        return (self.victim.network.width,)

    def fit(self, x, y, **kwargs):
        raise NotImplementedError

    def predict(self, x, **kwargs):
        scores = self.victim.scores(self.victim.network.columns(x)).T
        return softmax(scores) if self.outputs == "softmax" else scores

    def loss_gradient(self, x, y, **kwargs):
        """Gradient of cross-entropy of the scores for one-hot y."""
        scores, rows = self._derivatives(x)
        return np.einsum("kc,nck->kn", softmax(scores) - y, rows).astype(x.dtype)

    def class_gradient(self, x, label=None, **kwargs):
        """Gradient (sample, 1, pixel) of the output for one class per sample."""
        scores, rows = self._derivatives(x)
        weight = np.eye(self.nb_classes)[label]
        if self.outputs == "softmax":
            p = softmax(scores)
            weight = p[np.arange(len(p)), label][:, None] * (weight - p)
        return np.einsum("kc,nck->kn", weight, rows)[:, None].astype(x.dtype)

    def _derivatives(self, x):
        scores = self.victim.solve(self.victim.network.columns(x))[: self.nb_classes].T.copy()
        return scores, self.victim.class_rows()


def softmax(scores):
    exponentials = np.exp(scores - scores.max(axis=1, keepdims=True))
    return exponentials / exponentials.sum(axis=1, keepdims=True)
