"""Weights in few bytes: whole numbers of one step, 2^-places, for all weights and biases of a network.

    code = round([W b] / step),     [W b] = step * code, exactly in float32

Most codes are small: they are stored as 2 code for code >= 0 and -2 code - 1 below, in two bytes apart, of which the
high one is mostly zero, and the compressor of the store does the rest. So a weight takes the fewer bits the smaller it
is. With a step of its own for each row, weights that hardly matter take as many bits as large ones: measured on a ReLU
network that NCG trained at the paper's scale, that takes 5.0 MB where this takes 0.6 MB, for the same error of the
scores.

A store has `code_low` and `code_high`, (layer, out, in + 1), and `step`. It has `change_low` and `change_high` in their
place where differences of the codes from layer to layer, modulo 2^16, take less: weights that change slowly with depth.
"""

import numpy as np

from stages.runtime.errors import UserError

DIMENSIONS = ("layer", "out", "in_and_bias")
WAYS = {"code": "[W b] in steps", "change": "[W b] in steps, differences from layer to layer"}
NAMES = ("step", *(f"{way}_{byte}" for way in WAYS for byte in ("low", "high")))
LARGEST = 2**15 - 1


def rounded(W, b, places, way):
    """Return {name: (dimensions, values, attributes)} for weights (layer, out, ...) and biases (layer, out)."""
    if not (np.isfinite(W).all() and np.isfinite(b).all()):
        raise UserError("wanted finite weights to round, found nan or infinity; train the network again")
    Wb = np.concatenate([W.reshape(*b.shape, -1), b[..., None]], axis=-1)
    code = np.rint(Wb * 2.0**places)
    if np.abs(code).max() > LARGEST:
        raise UserError(f"wanted weights below {LARGEST * 2.0**-places:g}, found {np.abs(Wb).max():g}: fewer places")
    code = code.astype(np.int16)
    if way == "change":
        code[1:] -= code[:-1].copy()  # wraps around, and so does the sum
    unsigned = ((code << 1) ^ (code >> 15)).view(np.uint16)
    described = f"{WAYS[way]}; 2 n for n >= 0, -2 n - 1 below,"
    return {
        f"{way}_low": (DIMENSIONS, (unsigned & 255).astype(np.uint8), {"long_name": f"{described} low byte"}),
        f"{way}_high": (DIMENSIONS, (unsigned >> 8).astype(np.uint8), {"long_name": f"{described} high byte"}),
        "step": ((), np.float32(2.0**-places), {"long_name": "step of weights and biases"}),
    }


def expanded(values):
    """Return the arrays {name: values} of a train store with W and b in place of codes and step, if it has them."""
    if "step" not in values:
        return values
    way = "code" if "code_low" in values else "change"
    unsigned = values[f"{way}_high"].astype(np.uint16) << 8 | values[f"{way}_low"]
    code = (unsigned >> 1).astype(np.int16) ^ -(unsigned & 1).astype(np.int16)
    if way == "change":
        code = np.cumsum(code, axis=0, dtype=np.int16)
    Wb = code.astype(np.float32)
    Wb *= values["step"]
    others = {name: each for name, each in values.items() if name not in NAMES}
    return others | {"W": Wb[..., :-1], "b": Wb[..., -1]}
