"""What all evaluations of a trained network share: command line, inputs and the store that is written.

    evaluation.run(__doc__, evaluate)                                                      as a program
    evaluation.write_evaluation(evaluate, settings, digits, network, out, device="cpu")    from Python

`evaluate(network, digits, settings, xp)` gets the network on its device and the arrays of the digits on the host; it
returns the store's variables and its coordinates (`variable`).
"""

import functools

from stages.runtime import arrays, program
from stages.storage import stores
from stages.storage.network_store import read_network


def variable(dimensions, values, meaning):
    """Return a variable as `stores.write` takes it; dimensions: the name of one, or a tuple of names."""
    return dimensions, values, {"long_name": meaning}


def run(description, evaluate):
    program.run(description, program.add_network_inputs, functools.partial(main, evaluate))


def main(evaluate, options):
    write_evaluation(evaluate, options.settings, options.digits, options.network, options.out, options.device)


def write_evaluation(evaluate, settings, digits, network, out, device="auto"):
    """Evaluate the network of a train store with the images of a digits store, and write the store `out`."""
    xp = arrays.choose(device)
    trained = read_network(network, settings["trained"], xp)
    variables, coordinates = evaluate(trained, stores.read_arrays(digits), settings, xp)
    stores.write(
        out,
        variables,
        coordinates=coordinates,
        settings=settings,
        inputs={"digits": digits, "network": network},
        backend=arrays.describe(xp),
    )
