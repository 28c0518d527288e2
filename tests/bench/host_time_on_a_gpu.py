"""What an iteration costs the host where the device computes for nothing: prints JSON {subject: {path: seconds}}.

Runs where CuPy is on the pretend device (bench_device starts it so): CPU time, less what the pretend device spends in
kernels and products. All sizes but the width are the paper's; the width is small, for it changes neither launches nor
host. Both paths are the device's: layer by layer by CuPy's functions, as on a CPU, and all at once.
"""

import json
import sys
import time

import cupy
import numpy as np
import pretend_cuda

from stages.model.cost import Cost, one_hot
from stages.model.network import initial_network
from stages.model.solvers.euler import Euler
from stages.train.all_at_once import AllAtOnce
from stages.train.methods import ncg as conjugate_gradient
from stages.train.methods import rmsprop
from stages.train.passes import LayerByLayer

WIDTH, DEPTH, SAMPLES, CLASSES, RUNS, ITERATIONS = 12, 150, 100, 10, 5, 3
L2, CE = {"mu1": 1.0, "mu2": 0.0, "mu3": 0.0}, {"mu1": 0.0, "mu2": 1.0, "mu3": 0.4}
SUBJECTS = {  # trainer, its settings, loss, weight decay
    "NCG, l2": ("ncg", {}, L2, 0.0),
    "NCG, cross-entropy": ("ncg", {}, CE, 0.0),
    "NCG, l2, Sobolev": ("ncg", {"gradient": "sobolev"}, L2, 0.0),
    "NCG, l2, weight decay": ("ncg", {}, L2, 1e-4),
    "RMSprop, l2": ("rmsprop", {"rate": 1e-3, "rho": 0.9, "epsilon": 1e-7}, L2, 0.0),
}
MODULES = {"ncg": (conjugate_gradient, "ConjugateGradient"), "rmsprop": (rmsprop, "RMSprop")}
PATHS = {
    "layer by layer": lambda network, samples, solver: LayerByLayer(network, Euler, samples),
    "all at once": lambda network, samples, solver: AllAtOnce(network, samples),
}


def contender(path, trainer, settings, loss, decay):
    """Return a function that trains on one batch and returns (host seconds, launches and products) an iteration."""
    generators = [np.random.default_rng(run) for run in range(RUNS)]
    shape = {"width": WIDTH, "depth": DEPTH, "interval": 3.0, "activation": "tanh", "std": 0.01, "dtype": "float32"}
    network = initial_network(generators, **shape, xp=cupy)
    module, name = MODULES[trainer]
    chosen, module.passes_over = module.passes_over, PATHS[path]
    made = getattr(module, name)(network, Cost(**loss, weight_decay=decay, components=CLASSES), SAMPLES, **settings)
    module.passes_over = chosen
    x0 = cupy.full((RUNS, WIDTH, SAMPLES), 0.5, "float32")
    y = one_hot(cupy.asarray(np.arange(RUNS * SAMPLES).reshape(RUNS, SAMPLES) % CLASSES), WIDTH, "float32", cupy)
    first = network.parameters.copy()

    def measured(iterations):
        network.parameters[...] = first
        with pretend_cuda.counted() as counted:
            started = time.process_time()
            history = made.train_on_batch(x0, y, iterations)
            seconds = time.process_time() - started
        assert not np.nansum([history.restarts, history.halvings]), "guards take solves of their own"
        return np.array([seconds - counted["device_seconds"], counted.work])

    # The first iteration and what a batch begins with are left out.
    return lambda: (measured(1 + ITERATIONS) - measured(1)) / ITERATIONS


def main(repetitions):
    found = {}
    for subject, what in SUBJECTS.items():
        contenders = {path: contender(path, *what) for path in PATHS}
        for run in contenders.values():
            run()  # kernels are compiled
        found[subject] = {path: [] for path in PATHS}
        for _ in range(repetitions):
            for path, run in contenders.items():
                found[subject][path].append(run().tolist())
    print(json.dumps(found))


if __name__ == "__main__":
    main(int(sys.argv[1]))
