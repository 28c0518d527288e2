"""Inference, the noise stage and the sensitivity stage against their floors (150 layers, scaled down in images)."""

import numpy as np
import subjects
from findings import compared_with_a_floor
from floor import Floor
from subjects import CLASSES, DEPTH, WIDTH
from timing import fastest, interleaved

from stages.evaluate.estimate_sensitivity import BLOCK as SENSITIVITY_BLOCK
from stages.evaluate.evaluate_noise import correct_on_noisy
from stages.evaluate.perturbation import PerturbationRatios
from stages.model.classify import class_scores

TITLE = "Evaluation"
GOAL_INFERENCE, GOAL_NOISE, GOAL_SENSITIVITY = 1.25, 1.4, 1.4
IMAGES = 1000
LEVELS = [0.0, 0.01, 0.03, 0.05, 0.08, 0.1, 0.13, 0.15, 0.18, 0.2]
FLOOR_BLOCKS = (100, 250, 500)  # images a product: the fastest is the floor


def run(repetitions):
    images, labels = (array[:IMAGES] for array in subjects.digits("t10k"))
    settings = {
        "seed": 1,
        "noise": {"std": LEVELS, "draws": 1, "clip": False},
        "trained": {"network": {"classes": CLASSES}},
    }
    for activation, loss in (("relu", "ce"), ("tanh", "l2")):
        network = subjects.trained_network(activation, loss)
        floors = {f"{layout} {block}": inference_floor(layout, block, activation) for layout, block in floor_kinds()}
        seconds = interleaved({"ours": lambda: class_scores(network, images, CLASSES), **floors}, repetitions)
        best = fastest(seconds, floors)
        yield compared_with_a_floor(
            f"inference, {activation}, {IMAGES} images", seconds["ours"], seconds[best], GOAL_INFERENCE
        )
        seconds = interleaved(
            {
                "ours": lambda: correct_on_noisy(network, images, labels, settings, np),
                "floor": lambda: [floors[best]() for _ in LEVELS],
            },
            max(3, repetitions // 2),
        )
        yield compared_with_a_floor(
            f"noise, {activation}, {IMAGES} images, 10 levels", seconds["ours"], seconds["floor"], GOAL_NOISE, "s", 1
        )
        yield sensitivity(network, activation, images, repetitions)


def floor_kinds():
    return [(layout, block) for layout in ("columns", "transposed") for block in FLOOR_BLOCKS]


def inference_floor(layout, block, activation):
    floor = Floor(layout, WIDTH, DEPTH, block, activation)
    return lambda: [floor.inference() for _ in range(IMAGES // block)]


def sensitivity(network, activation, images, repetitions):
    """Two direct solves and the sensitivity problem: three products a layer, or one of all three states together."""
    x0 = network.columns(images[:SENSITIVITY_BLOCK])
    ξ0 = np.float32(0.01) * np.random.default_rng(0).standard_normal(x0.shape, dtype=np.float32)
    floor = Floor("columns", WIDTH, DEPTH, SENSITIVITY_BLOCK, activation)
    together = Floor("columns", WIDTH, DEPTH, 3 * SENSITIVITY_BLOCK, activation)

    def one_by_one():
        floor.inference()
        floor.inference()
        for W in floor.W:
            floor.apply(W, floor.g, floor.out)

    def all_together():
        for W in together.W:
            together.apply(W, together.g, together.out)
            together.activation(together.out[:, : 2 * SENSITIVITY_BLOCK])

    floors = {"one by one": one_by_one, "all together": all_together}
    seconds = interleaved({"ours": lambda: PerturbationRatios(network, x0.shape[-1])(x0, ξ0), **floors}, repetitions)
    subject = f"sensitivity, {activation}, {SENSITIVITY_BLOCK} images, with norms at every node"
    return compared_with_a_floor(subject, seconds["ours"], seconds[fastest(seconds, floors)], GOAL_SENSITIVITY)
