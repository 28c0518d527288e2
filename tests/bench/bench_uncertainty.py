"""What an image's uncertainty costs, counted in forward solves (150 layers)."""

import numpy as np
import subjects
from agreement import require_agreement
from findings import compared_with_a_floor
from subjects import CLASSES
from timing import interleaved

from stages.evaluate.estimate_uncertainty import BLOCK, estimated
from stages.evaluate.uncertainty import score_covariances
from stages.model.classify import class_scores
from stages.model.direct import Trajectory

TITLE = "Uncertainty"
GOAL = 15  # forward solves an image
IMAGES = 2 * BLOCK
LEVELS = [0.0, 0.01, 0.03, 0.05, 0.08, 0.1, 0.13, 0.15, 0.18, 0.2]
SAME_SCORES = 1e-5  # the same float32 sums in blocks of another size
SETTINGS = {
    "seed": 1,
    "noise": {"std": LEVELS},
    "uncertainty": {"weight_std": LEVELS, "lines": 30},
    "trained": {"network": {"classes": CLASSES}},
}


def run(repetitions):
    images, labels = (array[:IMAGES] for array in subjects.digits("t10k"))
    for activation, loss in (("relu", "ce"), ("tanh", "l2")):
        network = subjects.trained_network(activation, loss)
        memory = Trajectory(network, BLOCK)

        def covariances(network=network, memory=memory):
            blocks = (images[start : start + BLOCK] for start in range(0, IMAGES, BLOCK))
            return [score_covariances(network, network.columns(block), CLASSES, memory) for block in blocks]

        scores = np.concatenate([z for z, _, _ in covariances()], axis=1).T
        require_agreement("scores", scores, class_scores(network, images, CLASSES), SAME_SCORES)
        seconds = interleaved(
            {
                "forward": lambda network=network: class_scores(network, images, CLASSES),
                "covariances": covariances,
                "all": lambda network=network: estimated(network, images, labels, SETTINGS, np),
            },
            repetitions,
        )
        for name, what in (("covariances", "both covariances"), ("all", "the same, confidence and 20 predictions")):
            subject = f"{what}, {activation}, {IMAGES} images"
            yield compared_with_a_floor(subject, seconds[name], seconds["forward"], GOAL, against="a forward solve")
