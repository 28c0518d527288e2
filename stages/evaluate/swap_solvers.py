"""Test a trained network under each inference solver (paper, Table 1)."""

import logging

import numpy as np

from stages import arrays, program, stores
from stages.evaluate.correct import correct
from stages.model.ode45 import final_state_by
from stages.trained_network import add_inputs, read_network

log = logging.getLogger("stages")


def arguments(parser):
    add_inputs(parser)
    program.add_device(parser)


def main(options):
    xp = arrays.choose(options.device)
    settings = options.settings
    network = read_network(options.network, settings["trained"], xp)
    digits = stores.read_arrays(options.digits)
    names = settings["solvers"]["inference"]
    found, tested = {"train": [], "test": []}, []
    for name in names:
        solve = final_state_by(name, settings["ode45"])
        for part, accuracies in found.items():
            images, labels = xp.asarray(digits[f"{part}_image"]), xp.asarray(digits[f"{part}_label"])
            classes = settings["trained"]["network"]["classes"]
            outcomes = correct(network, images, labels, classes, solve)
            accuracies.append(float(outcomes.mean()))
            log.info("%s: %s accuracy %.2f %%", name, part, 100 * accuracies[-1])
        tested.append(outcomes)  # the last part is the test images
    stores.write(
        options.out,
        {
            f"{part}_accuracy": (
                ("inference_solver",),
                values,
                {"long_name": f"share of {part} images classified right"},
            )
            for part, values in found.items()
        }
        | {
            "correct": (
                ("inference_solver", "sample"),
                np.array(tested),
                {"long_name": "whether the test image is classified right"},
            )
        },
        coordinates={"inference_solver": (("inference_solver",), names, {"long_name": "solver used for inference"})},
        settings=settings,
        inputs={"digits": options.digits, "network": options.network},
        backend=arrays.describe(xp),
    )


if __name__ == "__main__":
    program.run(__doc__, arguments, main)
