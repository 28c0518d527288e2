"""Test a trained network under each inference solver (paper, Table 1)."""

import logging

import numpy as np

from stages.evaluate.correct import correct
from stages.evaluate.evaluation import run, variable
from stages.model.build import solver_of

log = logging.getLogger("stages")


def evaluate(network, digits, settings, xp):
    names, classes = settings["solvers"]["inference"], settings["trained"]["network"]["classes"]
    found, tested = {"train": [], "test": []}, []
    for name in names:
        solve = solver_of(name, settings)
        for part, accuracies in found.items():
            images, labels = xp.asarray(digits[f"{part}_image"]), xp.asarray(digits[f"{part}_label"])
            outcomes = correct(network, images, labels, classes, solve)
            accuracies.append(float(outcomes.mean()))
            log.info("%s: %s accuracy %.2f %%", name, part, 100 * accuracies[-1])
        tested.append(outcomes)  # the last part is the test images
    variables = {
        f"{part}_accuracy": variable("inference_solver", values, f"share of {part} images classified correctly")
        for part, values in found.items()
    }
    each = "whether the test image is classified correctly"
    variables["correct"] = variable(("inference_solver", "sample"), np.array(tested), each)
    return variables, {"inference_solver": variable("inference_solver", names, "solver used for inference")}


if __name__ == "__main__":
    run(__doc__, evaluate)
