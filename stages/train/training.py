"""Training from the first batch to the last: batches, history, accuracy after each epoch, checkpoints.

One run, or several in lockstep: then the networks have a run axis, and every run gets the same numbers as on its own.
"""

import functools
import importlib
import logging
import time

import numpy as np

from stages.catalogues import METHODS, ROBUST_TRAINING, SOLVERS
from stages.model.build import affine_map, in_the_loss, trained_solver
from stages.model.classify import predict
from stages.model.cost import Cost, one_hot
from stages.model.network import initial_network
from stages.runtime.arrays import to_host
from stages.runtime.errors import UserError
from stages.runtime.progress import Progress
from stages.runtime.seeds import generator
from stages.train.batches import batches_per_epoch, epoch_batches
from stages.train.methods.base import PER_ITERATION, Diverged
from stages.train.remarks import outcome_remarks, score_pixels_remark

log = logging.getLogger("stages")

PER_EPOCH = {  # variables of the history, and their meaning
    "train_accuracy": "share of all training images classified correctly",
    "test_accuracy": "share of all test images classified correctly",
    "seconds": "seconds of a core in the epoch's iterations; on a GPU of the clock",
}


class Training:
    """The training of one model: `runs` is a list of run numbers; more than one train in lockstep."""

    def __init__(self, settings, runs, digits, xp):
        """digits: {"train_image", "train_label", "test_image", "test_label"} as NumPy arrays."""
        for name in ("train_image", "test_image"):
            if not np.isfinite(digits[name]).all():
                raise UserError(f"{name} has a pixel that is not a finite number: make the digits store again")
        self.settings, self.runs, self.xp = settings, runs, xp
        self.digits = {name: xp.asarray(values) for name, values in digits.items()}
        self.labels = digits["train_label"]  # on the host, where the order of the images is drawn
        self.per_epoch = batches_per_epoch(len(self.labels), settings["batch"])
        self.epochs = settings["trainer"]["epochs"]
        self.network = self._initial_network(digits["train_image"].shape[1])
        self.trainer = self._trainer()
        self.adversary = self._adversary()
        per_batch = self.adversary.PER_BATCH if self.adversary else {}
        self.meanings = {"iteration": PER_ITERATION, "epoch": PER_EPOCH, "batch": per_batch}
        self.history = {name: [] for meanings in self.meanings.values() for name in meanings}
        self.batches_done = 0
        # CPU time, which other processes do not affect; on a GPU wall-clock time.
        self.clock = time.process_time if xp is np else time.monotonic
        self.epoch_seconds = 0.0

    def _initial_network(self, pixels):
        settings = self.settings["network"]
        affine = affine_map(settings, pixels)
        generators = [generator(self.settings["seed"], "initial weights", run) for run in self.runs]
        return initial_network(
            generators[0] if len(self.runs) == 1 else generators,
            depth=settings["depth"],
            interval=settings["interval"],
            activation=self.settings["activation"],
            std=settings["initial_std"],
            dtype=settings["precision"],
            xp=self.xp,
            affine=affine,
            readout=affine.read_out(settings, self.settings["seed"], self.xp),
            ink=settings.get("ink", 1.0),
        )

    def _trainer(self):
        settings, trainer, network = self.settings, self.settings["trainer"], self.network
        solver = functools.partial(SOLVERS.find(trainer["solver"]), **settings.get(trainer["solver"], {}))
        seen = in_the_loss(settings["network"], network)
        cost = Cost(**settings["loss"], weight_decay=trainer["weight_decay"], readout=network.readout, **seen)
        return METHODS.find(trainer["method"])(
            network,
            cost,
            settings["batch"],
            solver=solver,
            gradient=trainer["gradient"],
            updates=self.epochs * self.per_epoch * settings["iterations"],
            **settings.get(trainer["method"], {}),
        )

    def _adversary(self):
        """Return the adversary that moves images before the iterations on a batch, or None; it is found by name."""
        if "robust" not in self.settings["trainer"]:
            return None
        robust = importlib.import_module(ROBUST_TRAINING)
        return robust.adversary_of(self.settings, self.network, self.digits["train_image"])

    def run(self, checkpoint=None, checkpoint_seconds=float("inf")):
        """Train to the end, starting from the checkpoint if there is one."""
        total = self.epochs * self.per_epoch
        progress = Progress(total, "batch")
        if checkpoint is not None and (saved := checkpoint.load()) is not None:
            self._restore(saved)
            progress.skip(self.batches_done)
            log.info("going on from the checkpoint at batch %d of %d", self.batches_done, total)
        if remark := score_pixels_remark(self.digits["train_image"], self.network, self.settings["network"]["classes"]):
            log.warning("%s", remark)
        last_saved = time.monotonic()
        while self.batches_done < total:
            epoch, first = divmod(self.batches_done, self.per_epoch)
            batches = self._batches(epoch)
            for number in range(first, self.per_epoch):
                started = self.clock()
                self._train_on_batch(epoch, number, batches[number])
                self.batches_done += 1
                last = number == self.per_epoch - 1
                self.epoch_seconds += self.clock() - started
                if last:
                    self._end_epoch()
                progress.advance(self._message(epoch, number), force=last)
                if checkpoint is not None and time.monotonic() - last_saved >= checkpoint_seconds:
                    checkpoint.save(self._saved())
                    last_saved = time.monotonic()
        self._remark_on_the_outcome()

    def _batches(self, epoch):
        """Return the indices (batch number, ..., sample) of the images of an epoch, for each run as on its own."""
        order, seed, batch = (self.settings[name] for name in ("batches", "seed", "batch"))
        batches = [epoch_batches(order, seed, run, epoch, self.labels, batch) for run in self.runs]
        return np.stack(batches, axis=1).reshape(-1, *self.network.leading, batch)

    def _train_on_batch(self, epoch, number, indices):
        xp, network = self.xp, self.network
        indices = xp.asarray(indices)
        x0 = network.columns(self.digits["train_image"][indices])
        labels = self.digits["train_label"][indices]
        y = one_hot(labels, network.width, network.dtype, xp)
        if self.adversary:
            for name, value in self.adversary.move(x0, labels, self.batches_done).items():
                self.history[name].append(value)
        try:
            history = self.trainer.train_on_batch(x0, y, self.settings["iterations"])
        except Diverged as problem:
            bad = [
                run for run, loss in zip(self.runs, np.atleast_1d(problem.loss), strict=True) if not np.isfinite(loss)
            ]
            raise UserError(
                f"training diverged: the cost is not finite in run {', '.join(map(str, bad))}, epoch {epoch + 1}, "
                f"batch {number + 1}, iteration {problem.iteration + 1}; the last checkpoint is kept; "
                "look at the loss, the trainer's rate and network.interval in config.yaml"
            ) from None
        for name, values in vars(history).items():
            self.history[name].extend(values)

    def _end_epoch(self):
        """Measure the accuracy on all training and test images, with the solver of the training."""
        for part in ("train", "test"):
            labels = self.digits[f"{part}_label"]
            shares = [float((predicted == labels).mean()) for predicted in self._predictions(part)]
            self.history[f"{part}_accuracy"].append(np.array(shares).reshape(self.network.leading))
        self.history["seconds"].append(np.full(self.network.leading, self.epoch_seconds / len(self.runs)))  # its share
        self.epoch_seconds = 0.0

    def _predictions(self, part):
        """Yield the predicted classes of the images of a part, for each run's network."""
        solve, classes = trained_solver(self.settings), self.settings["network"]["classes"]
        for network in self.network.each():
            yield predict(network, self.digits[f"{part}_image"], classes, solve)

    def of_runs(self, name):
        """Return a variable of the history, (run, time)."""
        return np.array(self.history[name]).reshape(-1, len(self.runs)).T

    def _remark_on_the_outcome(self):
        classes, accuracies = self.settings["network"]["classes"], self.of_runs("test_accuracy")
        for run, predicted, of_run in zip(self.runs, self._predictions("test"), accuracies, strict=True):
            for remark in outcome_remarks(to_host(predicted), classes, of_run):
                log.warning("run %d: %s", run, remark)

    def _message(self, epoch, number):
        cost = f"cost {float(np.mean(self.history['loss'][-1])):.4f}"
        place = f"epoch {epoch + 1}/{self.epochs} batch {number + 1}/{self.per_epoch}"
        known = self.history["test_accuracy"]
        return f"{place}, {cost}" + (f", test accuracy {100 * float(np.mean(known[-1])):.2f} %" if known else "")

    def _saved(self):
        """Return everything that the rest of the training depends on."""
        state = {"parameters": self.network.parameters}
        state |= {f"trainer_{name}": array for name, array in self.trainer.state().items()}
        arrays = {name: to_host(array) for name, array in state.items()}
        arrays |= {f"history_{name}": np.array(values) for name, values in self.history.items()}
        return arrays | {"batches_done": np.array(self.batches_done), "epoch_seconds": np.array(self.epoch_seconds)}

    def _restore(self, saved):
        self.network.parameters[...] = self.xp.asarray(saved["parameters"])
        own = {name.removeprefix("trainer_"): array for name, array in saved.items() if name.startswith("trainer_")}
        self.trainer.restore(own)
        self.history = {name: list(saved[f"history_{name}"]) for name in self.history}
        self.batches_done, self.epoch_seconds = int(saved["batches_done"]), float(saved["epoch_seconds"])
