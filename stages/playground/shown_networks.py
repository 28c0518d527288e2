"""The networks on the page: read from train stores, rounded to 8 bits; with a reason for stores that are left out."""

from pathlib import Path

import numpy as np

from stages.model.build import layer_kind
from stages.model.classify import class_scores
from stages.names.labels import model_label, trainer_label
from stages.names.model_name import model_of, split_model
from stages.playground.rounded_weights import packed, restored, round_rows
from stages.runtime.errors import UserError
from stages.storage import stores
from stages.storage.network_store import read_network

ACTIVATIONS = ("relu", "tanh", "gelu")  # those of js/activations.js


class ShownNetwork:
    """A network as on the page, and its description for readers."""

    def __init__(self, store, digits):
        """digits: (settings of the digits, images (sample, pixel), labels) that its accuracy is measured on."""
        settings = stores.read_manifest(store)["settings"]
        images_of, images, labels = digits
        _require_showable(settings, images_of)
        self.model = model_of(store)
        self.settings = settings
        network = read_network(store, settings, np)
        if network.affine.inputs != images.shape[1]:
            raise UserError(f"it takes images of {network.affine.inputs} pixels, the page's have {images.shape[1]}")
        if not np.isfinite(network.parameters).all():
            raise UserError("its weights are not finite numbers; train it again")
        rows, steps = round_rows(network.parameters)
        self.text, self.changes = packed(rows, steps)
        self.network = network.like(restored(rows, steps).astype(network.dtype))
        classes = settings["network"]["classes"]
        as_trained, self.scores = (class_scores(each, images, classes) for each in (network, self.network))
        predicted = self.scores.argmax(axis=1)
        self.correct = predicted == labels
        self.accuracy = float(self.correct.mean())
        self.agreement = float((predicted == as_trained.argmax(axis=1)).mean())

    @property
    def trainer(self):
        """The trainer's name, or the network's own if it is not called <trainer>_<loss>_<activation>."""
        return split_model(self.model)[0] if self.model.count("_") == 2 else self.model

    def about(self, colour):
        """Return what the page's scripts need to know about it."""
        own = self.settings["network"]
        return {
            "model": self.model,
            "label": model_label(self.model) if self.model.count("_") == 2 else self.model,
            "short": trainer_label(self.trainer),
            "colour": colour,
            "depth": own["depth"],
            "interval": own["interval"],
            "width": self.network.width,
            "classes": own["classes"],
            "own": self.network.affine.own_scores,
            "activation": self.settings["activation"],
            "changes": self.changes,
            "accuracy": self.accuracy,
            "agreement": self.agreement,
        }


def show(paths, digits):
    """Return (networks, {name of a store: why it is left out})."""
    shown, left_out = [], {}
    for path in paths:
        try:
            shown.append(ShownNetwork(path, digits))
        except UserError as problem:
            # without the folders of this machine: the page may be published
            left_out[model_of(path)] = str(problem).replace(f"{Path(path).parent}/", "")
    return shown, left_out


def _require_showable(settings, images_of):
    kind, solver = layer_kind(settings["network"]), settings["trainer"]["solver"]
    if kind != "dense":
        raise UserError(f"its layers are of the kind {kind}, and the page computes dense layers alone")
    if solver != "euler":
        raise UserError(f"it was trained with the solver {solver}, and the page solves by Euler's method alone")
    if settings["activation"] not in ACTIVATIONS:
        raise UserError(f"its activation {settings['activation']} is not among the page's: {', '.join(ACTIVATIONS)}")
    if settings["network"].get("ink", 1) != 1:
        raise UserError("it takes images with negative ink, and the page does not")
    if settings["network"].get("scores") != "own" and settings["network"]["classes"] > images_of["side"] ** 2:
        raise UserError("it has more classes than the images have pixels")
