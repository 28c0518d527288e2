"""Weights in few bytes: integer multiples of one step, 2^-places, for all weights and biases of a network.

    code = round([W b] / step),     [W b] = step * code, exactly in float32

Codes are stored as 2 code for code >= 0 and -2 code - 1 for code < 0, with low and high bytes in separate arrays. Most
codes are small, so most high bytes are zero and the store's compressor removes them: small weights take fewer bits.
With a separate step per row, weights that hardly matter take as many bits as large ones. Measured on a ReLU network
that NCG trained at the paper's scale, for the same error of the scores: 5.0 MB with a step per row, 0.6 MB with one.

A store has `code_low` and `code_high`, (layer, out, in + 1), and `step`. Where weights change slowly with depth, the
differences of the codes from layer to layer, modulo 2^16, take less space: `change_low` and `change_high` replace them.
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
        code[1:] -= code[:-1].copy()  # may overflow; the cumulative sum wraps back
    unsigned = ((code << 1) ^ (code >> 15)).view(np.uint16)
    described = f"{WAYS[way]}; 2 n for n >= 0, -2 n - 1 below,"
    return {
        f"{way}_low": (DIMENSIONS, (unsigned & 255).astype(np.uint8), {"long_name": f"{described} low byte"}),
        f"{way}_high": (DIMENSIONS, (unsigned >> 8).astype(np.uint8), {"long_name": f"{described} high byte"}),
        "step": ((), np.float32(2.0**-places), {"long_name": "step of weights and biases"}),
    }


def expanded(values):
    """Return the arrays {name: values} of a train store, with codes and step, if any, replaced by W and b."""
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
