"""The same networks, batches and trainings with NumPy and on the device."""

import dataclasses
import functools

import numpy as np

from stages.model.cost import one_hot
from stages.model.network import Network
from stages.model.readout import Projection
from stages.model.solvers.ode45 import Ode45
from stages.runtime.arrays import to_host
from stages.train.methods.ncg import ConjugateGradient
from stages.train.methods.rmsprop import RMSprop

ode45 = functools.partial(Ode45, rtol=1e-3, atol=1e-6, norm="rms")
TRAINERS = {
    "ncg": ConjugateGradient,
    "sobolev": functools.partial(ConjugateGradient, gradient="sobolev"),
    "rmsprop": functools.partial(RMSprop, rate=0.01, rho=0.9, epsilon=1e-7),
    "ncg by ode45": functools.partial(ConjugateGradient, solver=ode45),
}


def moved(network, xp):
    """Return a copy of a network with arrays of `xp`."""
    W, b, readout = xp.asarray(network.W), xp.asarray(network.b), network.readout
    if isinstance(readout, Projection):
        readout = Projection(xp.asarray(readout.R))
    return Network(W, b, network.interval, network.activation, network.affine, readout)


def trainer_and_batch(trainer, case, loss, decay, xp):
    """Return a trainer for a copy of the case's network, and the batch, with arrays of `xp`."""
    network = moved(case.network, xp)
    cost = dataclasses.replace(case.cost(loss, decay), readout=network.readout)
    made = TRAINERS[trainer](network, cost, case.images.shape[-2])
    x0 = network.columns(xp.asarray(case.images))
    return made, (x0, one_hot(xp.asarray(case.labels), network.width, network.dtype, xp))


def trained(trainer, case, loss, decay, xp, iterations=3):
    """Train on the batch twice; return the trainer, and parameters and history on the host."""
    made, batch = trainer_and_batch(trainer, case, loss, decay, xp)
    histories = [vars(made.train_on_batch(*batch, iterations)) for _ in range(2)]
    history = {name: np.array([part[name] for part in histories]) for name in histories[0]}
    return made, to_host(made.network.parameters), history
