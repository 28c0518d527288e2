"""A trained network ready for use: preparation of images, network, read-out and solver."""

import logging
import math
from pathlib import Path

import numpy as np

from stages import PROJECT
from stages.model.build import trained_solver
from stages.model.classify import class_scores
from stages.model.direct import Trajectory, enter, solve_direct
from stages.model.sensitivity import solve_sensitivity
from stages.perturbations.class_rows import class_rows
from stages.runtime import arrays
from stages.runtime.errors import UserError
from stages.storage import stores
from stages.storage.network_store import read_network
from stages.zoo import images as given

# Attacks and uncertainty are imported when used, so that loading a network is fast.

log = logging.getLogger("stages")

NETWORKS = PROJECT / "workflow/published/networks"
BLOCK = 200  # images at a time, if states of all layers are kept


def names():
    """Return the names of the networks that come with the project."""
    return sorted(path.stem for path in NETWORKS.glob("*.zarr"))


def load(network, device="auto"):
    """Return a LoadedNetwork, from the name of a network that comes with the project or the path of a train store."""
    store = NETWORKS / f"{network}.zarr" if str(network) in names() else Path(network)
    if not stores.manifest_path(store).exists() or store.suffix != ".zarr":
        there = ", ".join(names()) or "none"
        raise UserError(
            f"wanted the name of a network ({there}) or the path of a train store with its manifest, found {network!r}"
        )
    trained = stores.read_manifest(store)["settings"]
    if "trainer" not in trained:
        raise UserError(f"wanted the store of a trained network (train/<model>/run<r>.zarr), found {store}")
    return LoadedNetwork(read_network(store, trained, arrays.choose(device)), trained, store)


class LoadedNetwork:
    """network: stages.model.network.Network; trained: the settings of its training; store: its path.

    Scores and classes use the solver of the training; trajectories, derivatives and attacks use Euler's method, which
    is the same unless the network was trained with another solver.
    """

    def __init__(self, network, trained, store=None):
        self.network, self.trained, self.store = network, trained, store
        layer = trained["network"].get("layer", {})
        self.channels = layer.get("inputs", 1) if isinstance(layer, dict) else 1
        self.side = math.isqrt(network.affine.inputs // self.channels)
        self.classes = trained["network"]["classes"]
        self.xp = arrays.namespace(network.parameters)
        self.taken = "no images yet"  # how the last images were prepared, in words

    def __repr__(self):
        trainer = self.trained["trainer"]
        rounded = f", weights rounded ({self.trained['rounded']})" if "rounded" in self.trained else ""
        return (
            f"<{self.store.stem if self.store else 'network'}: {self.network.depth} layers of {self.network.width} "
            f"neurons, {self.trained['activation']}, images of {self.side} x {self.side}, {self.classes} classes, "
            f"{trainer['epochs']} epochs by {trainer['method']}{rounded}>"
        )

    def classify(self, images):
        """Return the class of each image, (sample,); a number for a single image."""
        return self.scores(images).argmax(axis=-1)

    def scores(self, images):
        """Return the class scores, (sample, class); (class,) for a single image."""
        x, single = self._take(images)
        solve = trained_solver(self.trained)
        scores = arrays.to_host(class_scores(self.network, self.xp.asarray(x), self.classes, solve))
        return scores[0] if single else scores

    def trajectory(self, images):
        """Return the states x(t) on the nodes t = 0, h, ..., T: (sample, node, neuron)."""
        x, single = self._take(images)
        return self._in_blocks(lambda x0: self._solved(x0).x.transpose(2, 0, 1), single, x)

    def sensitivity(self, images, perturbations):
        """Return ξ(t), the perturbations of the images propagated through depth to first order: (sample, node, neuron).

        perturbations: of the pixels as the network takes them, (sample, pixel) or (sample, side, side).
        """
        x, single = self._take(images)
        ξ0 = given.as_array(perturbations, "perturbations", np.float32)
        if ξ0.size != x.size or not np.isfinite(ξ0).all():
            raise UserError(
                f"perturbations: wanted {len(x)} of {self.network.affine.inputs} finite numbers each, as many as the "
                f"network has pixels; found an array of shape {ξ0.shape}"
            )

        def carried(x0, ξ0):
            trajectory = self._solved(x0)
            ξ = self.xp.empty_like(trajectory.scratch)
            enter(self.network, ξ, ξ0)
            nodes = [ξ.copy()]
            solve_sensitivity(self.network, trajectory, ξ, after_layer=lambda layer: nodes.append(ξ.copy()))
            return self.xp.stack(nodes).transpose(2, 0, 1)

        return self._in_blocks(carried, single, x, ξ0.reshape(x.shape))

    def jacobian(self, images):
        """Return the derivatives of the scores with respect to the network's input pixels: (sample, class, pixel)."""
        x, single = self._take(images)

        def rows(x0):
            return class_rows(self.network, self._solved(x0).slope, self.classes).transpose(2, 1, 0)

        return self._in_blocks(rows, single, x)

    def uncertainty(self, images):
        """Return {name: array} on the uncertainty of each answer, from one backward pass.

        class, score, confidence (largest of softmax), gap (between the two best scores), distance (l2, to the nearest
        boundary between classes, to first order), behind (class behind that boundary), covariance (of the scores, for
        independent noise of variance 1 on the pixels).
        """
        from stages.evaluate import confidence_measures
        from stages.evaluate.uncertainty import score_covariances

        x, single = self._take(images)
        parts = [
            [arrays.to_host(each) for each in score_covariances(self.network, x0, self.classes)[:2]]
            for (x0,) in self._blocks(x)
        ]
        z, covariance = (np.concatenate(each, axis=-1) for each in zip(*parts, strict=True))
        z, covariance = z.T, covariance.transpose(2, 0, 1)
        distance, behind = confidence_measures.nearest_boundary(z, covariance)
        answers = {"class": z.argmax(axis=1), "score": z, "confidence": confidence_measures.confidence(z)}
        answers |= {"gap": confidence_measures.gap(z), "distance": distance, "behind": behind, "covariance": covariance}
        return {name: values[0] if single else values for name, values in answers.items()}

    def attack(self, images, labels, attack="sensitivity", norm=None, **settings):
        """Attack images of these labels; return an Attacked (stages.zoo.attack).

        attack: a line of config.yaml (sensitivity, pgd-0.06, fgsm, cw, ...); settings: override those of its line, for
        example iterations=50. norm: largest l2 norm of the perturbation; None: unlimited.
        """
        from stages.zoo.attack import attack_network

        x, single = self._take(images)
        return attack_network(self, x, given.labels_of(labels, len(x), self.classes), attack, norm, settings, single)

    def _take(self, images):
        x, single, self.taken = given.taken(images, self.side, self.channels)
        log.info("%s", self.taken)
        return x, single

    def _solved(self, x0):
        """Return the trajectory from x0 (pixel, sample), using all neurons for all images."""
        trajectory = Trajectory(self.network, x0.shape[-1])
        trajectory.active = None
        solve_direct(self.network, x0, trajectory)
        return trajectory

    def _in_blocks(self, function, single, *inputs):
        """Apply function (pixel, sample) -> (sample, ...) to blocks of images (sample, pixel); join on the host."""
        values = np.concatenate([arrays.to_host(function(*block)) for block in self._blocks(*inputs)])
        return values[0] if single else values

    def _blocks(self, *inputs):
        """Yield blocks of images (sample, pixel) as columns where the network computes."""
        size = self.network.block(BLOCK)
        for start in range(0, len(inputs[0]), size):
            yield [self.network.columns(self.xp.asarray(each[start : start + size])) for each in inputs]
