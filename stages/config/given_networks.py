"""The networks of models.given, which were trained elsewhere: each file is read before anything runs.

The number of layers in a file and its SHA-256 are added to the configuration, so that everything made from a network
depends on them.
"""

from pathlib import Path

from stages.catalogues import ACTIVATIONS
from stages.data.array_files import sha256
from stages.exchange import network_files
from stages.names.trainers import TRAINERS
from stages.runtime.errors import UserError

FROM_FILE = ("depth", "sha256")  # added to an entry
SAID = ("activation", "interval", "classes", "scores", "ink")  # a file may state these; they must agree with the entry


def problems(config):
    """Return a line for each network that cannot be read; complete the entries of the others, in place."""
    lines = []
    for name, entry in config["models"].get("given", {}).items():
        place = f"models.given.{name}"
        found = _name_problems(config, place, name, entry)
        lines += found or _file_problems(config, place, entry)
    return lines


def _name_problems(config, place, name, entry):
    """Return a line for each name that is taken, or refers to nothing."""
    lines, losses = [], [loss for loss, line in config["losses"].items() if "reads" not in line]
    if name in config["trainers"] or name in TRAINERS:
        lines.append(
            f"{place}: wanted a name of its own, found that of a trainer: its models would have the same names"
        )
    for key, known, where in (
        ("activation", ACTIVATIONS, "stages/model/activations"),
        ("loss", losses, "losses"),
    ):
        if entry[key] not in known:
            lines.append(f"{place}.{key}: wanted one from {where} ({', '.join(known)}), found {entry[key]!r}")
    return lines


def _file_problems(config, place, entry):
    """Return why a file does not fit its entry; if it does, complete the entry from the file."""
    path = Path(entry["file"])
    if not path.is_file() and set(FROM_FILE) <= set(entry):
        return []  # the configuration of a finished run: its stores suffice to show it again
    try:
        W, _, about = network_files.read_weights(path)
        digest = sha256(path)
    except UserError as problem:
        return [f"{place}.file: {problem}"]
    side, classes = entry.get("side", config["data"]["side"]), config["network"]["classes"]
    own = classes if entry.get("scores") == "own" else 0
    if W.shape[-1] != side**2 + own:
        beside = f", and {own} for the scores" if own else ""
        return [
            f"{place}.file: wanted layers of {side**2 + own} neurons, one a pixel of a {side} x {side} image{beside}, "
            f"found {W.shape[-1]} in {path} (side: in the entry gives it images of another size than data.side)"
        ]
    if classes > W.shape[-1]:
        return [f"{place}.file: wanted at least network.classes = {classes} neurons, found {W.shape[-1]}"]
    meant = {"scores": "pixels", "ink": 1, "classes": classes} | entry
    lines = [
        f"{place}: wanted {key} {about[key]}, as {path} says of its network, found {meant[key]}"
        for key in SAID
        if key in about and about[key] != meant[key]
    ]
    entry |= {"depth": len(W), "sha256": digest}
    return lines
