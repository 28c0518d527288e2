"""Test a trained network under each inference solver (paper, Table 1)."""

import logging

import numpy as np

from stages.evaluate import evaluation
from stages.evaluate.correct import correct
from stages.model.ode45 import final_state_by

log = logging.getLogger("stages")


def evaluate(network, digits, settings, xp):
    names, classes = settings["solvers"]["inference"], settings["trained"]["network"]["classes"]
    found, tested = {"train": [], "test": []}, []
    for name in names:
        solve = final_state_by(name, settings["ode45"])
        for part, accuracies in found.items():
            images, labels = xp.asarray(digits[f"{part}_image"]), xp.asarray(digits[f"{part}_label"])
            outcomes = correct(network, images, labels, classes, solve)
            accuracies.append(float(outcomes.mean()))
            log.info("%s: %s accuracy %.2f %%", name, part, 100 * accuracies[-1])
        tested.append(outcomes)  # the last part is the test images
    variables = {
        f"{part}_accuracy": (("inference_solver",), values, {"long_name": f"share of {part} images classified right"})
        for part, values in found.items()
    }
    variables["correct"] = (
        ("inference_solver", "sample"),
        np.array(tested),
        {"long_name": "whether the test image is classified right"},
    )
    return variables, {"inference_solver": (("inference_solver",), names, {"long_name": "solver used for inference"})}


if __name__ == "__main__":
    evaluation.run(__doc__, evaluate)
