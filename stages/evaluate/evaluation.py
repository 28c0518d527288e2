"""What every evaluation of a trained network shares: its command line, what it reads and the store that it writes.

    evaluation.run(__doc__, evaluate)

`evaluate(network, digits, settings, xp)` gets the network on its device and the arrays of the digits on the host; it
returns the store's variables and its coordinates.
"""

import functools

from stages import arrays, program, stores
from stages.trained_network import add_inputs, read_network


def run(description, evaluate):
    program.run(description, add_inputs, functools.partial(main, evaluate))


def main(evaluate, options):
    xp = arrays.choose(options.device)
    network = read_network(options.network, options.settings["trained"], xp)
    variables, coordinates = evaluate(network, stores.read_arrays(options.digits), options.settings, xp)
    stores.write(
        options.out,
        variables,
        coordinates=coordinates,
        settings=options.settings,
        inputs={"digits": options.digits, "network": options.network},
        backend=arrays.describe(xp),
    )
