"""Reference numbers for the playground, computed by the pipeline's code in float64 from the page's weights.

`questions` are for the page's worker; `compare` checks its answers.
"""

import base64
import json
import math
import re
import zlib

import numpy as np

from stages.attack.loss_gradient import attacked_cost, loss_direction
from stages.attack.methods.sensitivity import nearest_direction
from stages.attack.victim import Victim
from stages.attack.walk import Walk, walk_on
from stages.catalogues import ACTIVATIONS
from stages.evaluate.confidence_measures import confidence, nearest_boundary
from stages.evaluate.uncertainty import score_covariances
from stages.model.direct import Trajectory, enter, solve_direct
from stages.model.layers.dense import Dense
from stages.model.network import Network
from stages.model.sensitivity import solve_sensitivity
from stages.perturbations.class_rows import class_rows

TOLERANCE = 1e-6  # 1e-4 is required; both compute in float64
IMAGES = 10
ATTACKS = [
    {"method": "sensitivity", "step": 0.06, "kappa": 1, "radius": 1e9, "hold": False},
    {"method": "sensitivity", "step": 0.06, "kappa": 0.95, "radius": 0.4, "hold": True},
    {"method": "pgd", "step": 0.06, "kappa": 1, "radius": 0.5, "hold": False},
    {"method": "pgd", "step": 0.6, "kappa": 1, "radius": 1e9, "hold": True},
]
ITERATIONS = 15


class Page:
    """The content of a page, read without the code that wrote it."""

    def __init__(self, path):
        text = path.read_text()
        self.data = json.loads(re.search(r'id="data">(.*?)</script>', text, re.DOTALL)[1])
        self.packed = re.findall(r'id="network-\d+">([^<]*)</script>', text)
        images = np.frombuffer(base64.b64decode(self.data["images"]), "<f4")
        self.images = images.reshape(-1, self.data["side"] ** 2).astype("float64")[:IMAGES]

    def network(self, number):
        """Return network `number` in float64."""
        about, block = self.data["networks"][number], zlib.decompress(base64.b64decode(self.packed[number]))
        depth, width = about["depth"], about["width"]
        steps = np.frombuffer(block, "<f4", depth * width).reshape(depth, width, 1).astype("float64")
        rows = np.frombuffer(block, "i1", offset=4 * depth * width).reshape(depth, width, width + 1)
        Wb = steps * (rows.cumsum(axis=0, dtype="i1") if about["changes"] else rows)
        affine = Dense(width, about["own"])
        return Network(Wb[..., :-1], Wb[..., -1], about["interval"], ACTIVATIONS.find(about["activation"]), affine)

    def attacks(self, number):
        """Return the attacks on a network: all on a small one; one per method on a deep one, which takes longer."""
        return ATTACKS if self.data["networks"][number]["depth"] < 20 else ATTACKS[::2]

    def iterations(self, number):
        return ITERATIONS if self.data["networks"][number]["depth"] < 20 else ITERATIONS // 3

    def questions(self):
        """Return the questions, in the order of `compare`."""
        noise = np.random.default_rng(3).normal(0, 0.05, self.images.shape)
        asked = []
        for number in range(len(self.packed)):
            asked.append({"kind": "load", "number": number})
            for image, change in zip(self.images.tolist(), noise.tolist(), strict=True):
                here = {"number": number, "image": image}
                asked += [
                    here | {"kind": "solve"},
                    here | {"kind": "boundary"},
                    here | {"kind": "noise", "noise": change},
                ]
                walks = self.attacks(number)
                length = {"kind": "walk", "iterations": self.iterations(number)}
                asked += [here | length | {"asked": attack} for attack in walks]
        return asked

    def compare(self, answers):
        """Compare the answers with the pipeline's, number by number."""
        answers, asked = iter(answers), self.questions()
        noise = np.array([each["noise"] for each in asked if "noise" in each])
        for number in range(len(self.packed)):
            next(answers)  # load
            attacks = self.attacks(number)
            noisy = noise[: len(self.images)]
            walks = [attack | {"iterations": self.iterations(number)} for attack in attacks]
            wanted = Wanted(self.network(number), self.images, noisy, self.data["classes"], walks)
            for sample in range(len(self.images)):
                wanted.compare(sample, [next(answers) for _ in range(3 + len(attacks))])


class Wanted:
    """The pipeline's numbers for all images (sample, pixel) at once."""

    def __init__(self, network, images, noise, classes, attacks):
        x0 = np.ascontiguousarray(images.T)
        trajectory = Trajectory(network, x0.shape[1])
        self.z = solve_direct(network, x0, trajectory)[:classes].copy()
        self.x, slopes = trajectory.x.copy(), trajectory.slope.copy()
        self.xi = np.empty_like(trajectory.scratch)
        enter(network, self.xi, np.ascontiguousarray(noise.T))
        self.xi = solve_sensitivity(network, trajectory, self.xi)
        self.rows = class_rows(network, slopes, classes)
        _, covariance, _ = score_covariances(network, x0, classes)
        self.boundary = nearest_boundary(self.z.T, np.moveaxis(covariance, -1, 0))
        self.confidence = confidence(self.z.T)
        self.attacked = [attacked(network, classes, x0, self.z.argmax(axis=0), attack) for attack in attacks]

    def compare(self, sample, answers):
        solved, boundary, noisy, *walks = answers
        depth, width, _ = self.x.shape
        close(np.reshape(solved["states"], (depth, width)), self.x[:, :, sample])
        close(solved["z"], self.z[:, sample])
        assert solved["read"] == self.z[:, sample].argmax()
        close(solved["confidence"], self.confidence[sample])
        close(boundary["rows"], self.rows[:, :, sample].T)
        close(boundary["distance"], self.boundary[0][sample])
        assert boundary["behind"] == self.boundary[1][sample]
        close(noisy["xiEnd"], self.xi[:, sample])
        for walk, (x, predicted) in zip(walks, self.attacked, strict=True):
            close(walk["image"], x[:, sample])
            assert walk["read"] == predicted[sample]


def attacked(network, classes, x0, labels, attack):
    """Return (images (pixel, sample), classes) at the end of an attack by the pipeline's code."""
    victim = Victim(network, classes)
    victim.hold("scores" if attack["hold"] else None)
    if attack["method"] == "sensitivity":

        def direction(x, indices):
            return nearest_direction(victim, x, labels[indices], attack["kappa"])
    else:
        cost = attacked_cost(victim, "ce")

        def direction(x, indices):
            return loss_direction(victim, cost, x, labels[indices])

    walk = Walk(direction, victim, attack["step"], attack["iterations"], attack["method"] == "sensitivity")
    x, samples = x0.copy(), np.arange(x0.shape[1])
    radius = attack["radius"] if attack["radius"] < 1e6 else math.inf
    walk_on(walk, x0, x, np.zeros(len(samples), int), labels, samples, radius)
    return x, victim.predict(x)


def close(found, wanted):
    found, wanted = np.asarray(found, "float64"), np.asarray(wanted, "float64")
    assert found.shape == wanted.shape
    scale = max(1.0, float(abs(wanted).max()))
    assert abs(found - wanted).max() <= TOLERANCE * scale, (abs(found - wanted).max(), scale)
