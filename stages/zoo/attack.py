"""Attacks on a user's images: the lines of config.yaml, with norms scaled to the images' side."""

import math
from numbers import Real
from typing import NamedTuple

import numpy as np

from stages import PROJECT
from stages.attack import catalogue
from stages.attack.attack_network import attack_images, victim_of
from stages.config import configuration
from stages.plan import stage_settings
from stages.runtime.errors import UserError


class Attacked(NamedTuple):
    """One entry per image."""

    adversarial: np.ndarray  # (sample, side, side), or (sample, pixel) with several channels; the original on failure
    success: np.ndarray  # whether the network classifies the attacked image as another class
    norm: np.ndarray  # l2 norm of the perturbation; nan without success
    predicted: np.ndarray  # class of the attacked image
    correct: np.ndarray  # whether the original was classified correctly: others are not attacked


def attack_network(net, x, labels, name, norm, settings, single):
    """Return the Attacked of images x (sample, pixel) with labels (sample,); net: a LoadedNetwork."""
    if norm is not None and not (isinstance(norm, Real) and math.isfinite(norm) and norm > 0):
        raise UserError(f"norm: wanted a number above 0, or None for as far as it takes; found {norm!r}")
    config = configuration.load(PROJECT, "paper")
    line = named_attack(config, name, net.side / config["data"]["side"])["attack"] | settings
    radius = float(norm if norm is not None else 2 * np.sqrt(x.shape[1]))  # farther than any valid image
    radii = {"first": radius, "last": radius, "step": radius} if catalogue.is_confined(line["method"]) else None
    variables, _ = attack_images(victim_of(net.network, net.trained), x, labels, line, radii)
    values = {key: each[1] for key, each in variables.items()}
    places, count = values["image_index"], len(x)
    within = values["success"] & ~(values["norm"] > radius)  # an attack that is not confined to balls may go farther
    adversarial, norms = x.copy(), np.full(count, np.nan)
    success, correct = np.zeros(count, bool), np.zeros(count, bool)
    predicted = net.scores(x).argmax(axis=-1)
    adversarial[places[within]], norms[places[within]] = values["adversarial"][within], values["norm"][within]
    success[places], predicted[places[within]] = within, values["predicted"][within]
    correct[places] = True
    if net.channels == 1:
        adversarial = adversarial.reshape(count, net.side, net.side)
    attacked = Attacked(adversarial, success, norms, predicted, correct)
    return Attacked(*(each[0] for each in attacked)) if single else attacked


def named_attack(config, name, scale):
    """Return {attack: its line, radii: of the balls, if it is confined to any} of an attack on a single network.

    Norms are multiplied by `scale`.
    """
    lines = config["attack"]["attacks"]
    alone = [key for key, line in lines.items() if not catalogue.has_surrogate(line["method"])]
    if name not in alone:
        twin = ", which needs the network's twin" if name in list(lines) else ""
        raise UserError(f"attack: wanted one of {', '.join(alone)}, found {name!r}{twin}")
    return stage_settings.attack_line(config, name, scale)
