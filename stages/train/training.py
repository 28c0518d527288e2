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
from stages.train.batches import batches_per_epoch, epoch_batches, lockstep_batches
from stages.train.methods.base import Diverged
from stages.train.remarks import outcome_remarks, score_pixels_remark

log = logging.getLogger("stages")

# The variables of the history, and their meaning.
PER_ITERATION = {
    "loss": "cost on the batch before the iteration",
    "loss_after": "cost on the batch after the iteration",
    "step_size": "step length eta; RMSprop: its rate",
    "conjugacy": "Fletcher-Reeves coefficient gamma",
    "gradient_norm": "norm of the gradient in L2(0, T)",
    "restarts": "1 where the direction did not descend and was replaced by the negative gradient",
    "halvings": "how often the step was halved because the cost rose; the tenth time it was given up",
}
PER_EPOCH = {
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
        seen = in_the_loss(settings["network"], network)
        cost = Cost(**settings["loss"], weight_decay=trainer["weight_decay"], readout=network.readout, **seen)
        method = METHODS.find(trainer["method"])
        return method(
            network,
            cost,
            settings["batch"],
            solver=functools.partial(SOLVERS.find(trainer["solver"]), **self._solver_settings()),
            gradient=trainer["gradient"],
            updates=self.epochs * self.per_epoch * settings["iterations"],
            **settings.get(trainer["method"], {}),
        )

    def _solver_settings(self):
        return self.settings.get(self.settings["trainer"]["solver"], {})

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
        settings = self.settings
        order, seed, batch = settings["batches"], settings["seed"], settings["batch"]
        if len(self.runs) == 1:
            return epoch_batches(order, seed, self.runs[0], epoch, self.labels, batch)
        return lockstep_batches(order, seed, self.runs, epoch, self.labels, batch)

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
        for name in PER_ITERATION:
            self.history[name].extend(getattr(history, name))

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
        solve = trained_solver(self.settings)
        for index in range(len(self.runs)):
            network = self.network.run(index) if self.network.leading else self.network
            yield predict(network, self.digits[f"{part}_image"], self.settings["network"]["classes"], solve)

    def _remark_on_the_outcome(self):
        classes, accuracies = self.settings["network"]["classes"], np.array(self.history["test_accuracy"])
        for index, (run, predicted) in enumerate(zip(self.runs, self._predictions("test"), strict=True)):
            of_run = accuracies[:, index] if self.network.leading else accuracies
            for remark in outcome_remarks(to_host(predicted), classes, list(of_run)):
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
