"""One RMSprop iteration against PyTorch's (the same network and batch as for NCG)."""

import itertools

import numpy as np
import subjects
from agreement import require_agreement
from findings import compared_with_an_alternative
from subjects import BATCH, CLASSES, INTERVAL, ITERATIONS, LOSSES
from timing import interleaved

from stages.train.methods.rmsprop import RMSprop

TITLE = "One RMSprop iteration"
GOAL = 1.0
SETTINGS = {"rate": 0.01, "rho": 0.9, "epsilon": 1e-7}
TIMED = 3  # iterations a turn
# The rate moves every weight by up to 0.03 at once, whatever the size of its gradient: rounding grows quickly.
SAME_COST = 2e-2


def run(repetitions):
    import network_in_torch
    import torch

    for activation, loss in itertools.product(("relu", "tanh"), LOSSES):
        network = subjects.fresh_network(activation)
        W, b = network.W.copy(), network.b.copy()
        x0, y = subjects.batch(network)
        trainer = RMSprop(network, subjects.cost(loss), BATCH, **SETTINGS)
        model = network_in_torch.ResNet(W, b, interval=INTERVAL, activation=activation, classes=CLASSES)
        other = network_in_torch.RMSprop(model, LOSSES[loss], **SETTINGS)
        tensors = torch.as_tensor(np.ascontiguousarray(x0.T)), torch.as_tensor(np.ascontiguousarray(y[:CLASSES].T))
        ours, theirs = trainer.train_on_batch(x0, y, ITERATIONS).loss, other.train_on_batch(*tensors, ITERATIONS)
        require_agreement(f"RMSprop, {activation}, {loss}", ours, theirs, SAME_COST)
        seconds = interleaved(
            {
                "ours": lambda: trainer.train_on_batch(x0, y, TIMED),
                "PyTorch": lambda: other.train_on_batch(*tensors, TIMED),
            },
            repetitions,
        )
        each = {name: [value / TIMED for value in values] for name, values in seconds.items()}
        yield compared_with_an_alternative(f"{activation}, {loss}", each["ours"], each["PyTorch"], "PyTorch", GOAL)
