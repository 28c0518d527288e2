"""One NCG iteration of a convolutional network against its floor and PyTorch (float32, batches of 100)."""

import functools
import itertools

import numpy as np
import subjects
from agreement import require_agreement
from bench_ncg import Contender, batch_without_guards, repeated
from convolution_floor import WAYS, ConvolutionFloor
from findings import compared_with_a_floor, compared_with_an_alternative
from subjects import BATCH, CLASSES, INTERVAL, ITERATIONS, LOSSES
from timing import fastest, interleaved

from stages.catalogues import ACTIVATIONS
from stages.model.cost import Cost
from stages.model.layers.convolution import Convolution
from stages.model.network import Network, initial_network
from stages.model.readout import Projection, signed_means
from stages.train.methods.ncg import ConjugateGradient

TITLE = "One NCG iteration, convolutional (channels of 14 x 14 pixels, 10 layers)"
SIDE, DEPTH = 14, 10
SIZES = ((16, 3), (8, 5))  # channels, kernel
GOAL_FLOOR, GOAL_TORCH = 1.6, 1.0
TIMED = 3  # iterations a turn
# Six iterations in float32 with the sums in another order, relative to the largest cost and the largest change.
SAME_COST, SAME_CHANGE = 1e-3, 2e-2


def run(repetitions):
    models = (("relu", "ce"), ("tanh", "l2"))
    for size, (activation, loss), gradient in itertools.product(SIZES, models, ("l2", "sobolev")):
        yield from compare(size, activation, loss, gradient, repetitions)


def compare(size, activation, loss, gradient, repetitions):
    contenders = both_contenders(size, activation, loss, gradient)
    check(contenders)
    timed = {name: (lambda contender=contender: contender.iterate(TIMED)) for name, contender in contenders.items()}
    timed["start"] = lambda: contenders["ours"].iterate(0)
    for way in WAYS:
        floor = ConvolutionFloor(way, *size, SIDE, DEPTH, BATCH, activation)
        timed[way] = repeated(floor.iteration)
    seconds = interleaved(
        timed, repetitions, prepare=lambda name: contenders[name].restart() if name in contenders else None
    )
    # Our trainer solves the direct problem once more than it iterates: it ends with the cost that it reached.
    seconds["ours"] = [whole - start for whole, start in zip(seconds["ours"], seconds["start"], strict=True)]
    each = {name: [value / TIMED for value in values] for name, values in seconds.items()}
    channels, kernel = size
    model = f"{activation}, {loss}, {'Sobolev' if gradient == 'sobolev' else 'L2'} gradient"
    subject = f"{channels} channels, {kernel} x {kernel}, {model}"
    yield compared_with_a_floor(subject, each["ours"], each[fastest(each, WAYS)], GOAL_FLOOR)
    yield compared_with_an_alternative(subject, each["ours"], each["PyTorch"], "PyTorch", GOAL_TORCH)


def check(contenders):
    """Both go through the same costs and end with the same weights."""
    first = contenders["ours"].weights().copy()
    costs, changes = {}, {}
    for name, contender in contenders.items():
        contender.restart()
        costs[name] = contender.iterate(ITERATIONS)
        changes[name] = contender.weights() - first
        require_agreement(f"{name}, costs", costs["ours"], costs[name], SAME_COST)
        require_agreement(f"{name}, change of the weights", changes["ours"], changes[name], SAME_CHANGE)


def both_contenders(size, activation, loss, gradient):
    import ncg_in_jax
    import network_in_torch
    import torch
    from convolution_in_torch import ConvolutionalResNet

    network = trained_network(size, activation, loss)
    kernels = (DEPTH, *network.affine.stored[1])
    first, K, b = network.parameters.copy(), network.W.reshape(kernels).copy(), network.b.copy()
    trainer = ConjugateGradient(network, cost(network, loss), BATCH, gradient=gradient)
    x0, y = batch_without_guards(network, trainer)
    np.copyto(network.parameters, first)
    tensors = torch.as_tensor(np.ascontiguousarray(x0.T)), torch.as_tensor(np.ascontiguousarray(y[:CLASSES].T))
    smoother = ncg_in_jax.smoothing_matrix(DEPTH, network.h) if gradient == "sobolev" else None
    shape = {"side": SIDE, "interval": INTERVAL, "activation": activation}
    model = ConvolutionalResNet(K, b, network.readout.R, **shape)
    in_torch = network_in_torch.NCG(model, LOSSES[loss], smoother)
    return {
        "ours": Contender(
            lambda: np.copyto(network.parameters, first),
            lambda n: trainer.train_on_batch(x0, y, n).loss,
            lambda: network.W.reshape(kernels),
        ),
        "PyTorch": Contender(
            lambda: model.load(K, b), lambda n: in_torch.train_on_batch(*tensors, n), lambda: model.weights()
        ),
    }


def cost(network, loss):
    return Cost(**LOSSES[loss], weight_decay=0.0, components=CLASSES, readout=network.readout)


def convolution(size):
    """Return the affine map and the read-out."""
    affine = Convolution(*size, SIDE)
    R = signed_means(np.random.default_rng(2), CLASSES, affine.channels, SIDE**2)
    return {"affine": affine, "readout": Projection(R.astype("float32"))}


@functools.cache
def trained_parameters(size, activation, loss):
    shape = {"depth": DEPTH, "interval": INTERVAL, "activation": activation, "std": 0.05, "dtype": "float32"}
    network = initial_network(np.random.default_rng(0), **shape, **convolution(size))
    trainer = ConjugateGradient(network, cost(network, loss), BATCH)
    for number in range(subjects.TRAINED_BATCHES):
        trainer.train_on_batch(*subjects.batch(network, number), ITERATIONS)
    return network.W.copy(), network.b.copy()


def trained_network(size, activation, loss):
    return Network(
        *trained_parameters(size, activation, loss), INTERVAL, ACTIVATIONS.find(activation), **convolution(size)
    )
