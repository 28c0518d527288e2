"""Keep the weights of trained networks, rounded: small enough for the repository.

    python -m stages.publish.keep_network results/paper/train/ncg_ce_relu/run1.zarr
    python -m stages.publish.keep_network results/paper/train/*/run1.zarr --places 6

Each network becomes a store <out>/<model>.zarr of a few MB: weights and biases as integer multiples of a step, the
smallest power of two that fits (`stages.storage.rounded_weights`). Its card, in the attributes of the store and in
<out>/README.md, shows what rounding costs: test accuracy and success of the sensitivity attack at norm 0.5, measured
before and after. Programs read it like any trained network, and `make restore` adds it to the extract of its training.
"""

import contextlib
import json
import logging
from collections import Counter
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np

from stages import PROJECT
from stages.attack.attack_network import attack_images, victim_of
from stages.config import configuration
from stages.model.build import trained_solver
from stages.model.classify import accuracy
from stages.names.model_name import model_of
from stages.plan import stage_settings
from stages.publish.attack_published import NETWORKS
from stages.report.templates import render
from stages.runtime import program
from stages.runtime.errors import UserError
from stages.storage import rounded_weights, stores, zarr_folder
from stages.storage.network_store import BY_EPOCH, COORDINATES, MEASURED, digits_of, network_of, read_network
from stages.storage.whole_files import write_text
from stages.zoo import LoadedNetwork

log = logging.getLogger("stages")

LIMIT_MB = 3.0  # of a network: every clone of the project downloads it
PLACES = range(12, 0, -1)  # steps 2^-12, 2^-11, ...: tried in this order until the store is small enough
IMAGES = 300  # test images to attack
ACCURACY_LOSS, ATTACK_CHANGE = 0.1, 1.0  # percentage points: larger changes are reported


def keep(store, out, digits=None, places=None, images=IMAGES):
    """Write the network of the train store `store` as the small store `out`; return its card."""
    variables, attributes = stores.check(store)
    manifest = stores.read_manifest(store)
    trained = {key: value for key, value in manifest["settings"].items() if key != "rounded"}
    if "W" not in variables:
        raise UserError(
            f"{store}: wanted a network with the weights of its training, found one without; train it again"
        )
    digits = digits or digits_of(store)
    W, b = (variables[name].values for name in ("W", "b"))
    wide = np.promote_types(W.dtype, np.float32)  # in float16, the format of older kept networks, a code would overflow
    places, small = smallest(W.astype(wide), b.astype(wide), places)
    kept = {name: variables[name] for name in (*BY_EPOCH, "readout") if name in variables}
    rounded_from = {"rounded_from": manifest["settings"]["rounded"]} if "rounded" in manifest["settings"] else {}
    commit = attributes.get("trained_at_commit", attributes.get("commit", ""))

    def write(card):
        with _manifest_of_training(store, manifest) as trained_store:
            stores.write(
                out,
                small | kept,
                coordinates={name: variables[name] for name in COORDINATES},
                settings=trained | {"rounded": f"multiples of 2^-{places}"},
                inputs={"digits": digits, "network": trained_store},
                backend=manifest["backend"],
                attributes={"trained_at_commit": commit, **rounded_from, **card},
                measured=MEASURED,
            )

    write({})  # first without a card: the measurements read the store that is kept, as users will
    test = stores.read_arrays(digits)
    card = {}
    states = {"as_trained": network_of(store, variables, trained, np), "rounded": read_network(out, trained, np)}
    for state, network in states.items():
        net = LoadedNetwork(network, trained)
        card[f"test_accuracy_{state}"], card[f"attack_success_{state}"], norm = measured(net, test, images)
    if rounded_from and "test_accuracy_as_trained" in attributes:  # measured on the original weights
        card["test_accuracy_as_trained"] = attributes["test_accuracy_as_trained"]
    count = len(test["test_label"])
    card |= {"test_images": count, "attacked_images": min(images, count), "attack_norm": norm}
    write(card)
    _say(store, out, card)
    return card


@contextlib.contextmanager
def _manifest_of_training(store, manifest):
    """Yield the path whose manifest has the training's digest; a temporary one for older kept networks (float16)."""
    if "rounded" not in manifest["settings"]:
        yield store
        return
    with TemporaryDirectory() as folder:
        path = Path(folder, "network.zarr")
        stores.manifest_path(path).write_text(json.dumps(manifest | {"digest": manifest["inputs"]["network"]}))
        yield path


def smallest(W, b, places=None):
    """Return (places, variables) of the finest rounding that is small enough, or of the one with `places` places."""
    largest = max(np.abs(W).max(), np.abs(b).max())
    for number in PLACES if places is None else [places]:
        if places is None and largest * 2.0**number > rounded_weights.LARGEST:
            continue
        ways = [rounded_weights.rounded(W, b, number, way) for way in rounded_weights.WAYS]
        size, best = min(((_size(each), each) for each in ways), key=lambda pair: pair[0])
        if places is not None or size <= 1e6 * LIMIT_MB:
            return number, best
    raise UserError(
        f"wanted weights that take at most {LIMIT_MB:g} MB as multiples of 2^-{PLACES[-1]} or less, found larger ones; "
        "say with --places how fine they shall be, whatever the size"
    )


def _size(variables):
    return sum(zarr_folder.stored_size(values) for _, values, _ in variables.values())


def measured(net, digits, images):
    """Return test accuracy, share of correctly classified images that the sensitivity attack changes, and its norm."""
    test = digits["test_image"], digits["test_label"]
    config = configuration.load(PROJECT, "paper")
    line, norm = config["attack"]["attacks"]["sensitivity"], config["claims"]["attack_norm"]
    scale = net.side / config["data"]["side"]
    line, radii = stage_settings.scaled_attack(line, {"first": norm, "last": norm, "step": norm}, scale)
    variables, _ = attack_images(victim_of(net.network, net.trained), *(each[:images] for each in test), line, radii)
    success = variables["success"][1]
    right = accuracy(net.network, *test, net.classes, trained_solver(net.trained))
    return float(right), float(success.sum() / max(1, success.size)), radii["last"]


def _say(store, out, card):
    measures = ("test_accuracy", "attack_success")
    lost, changed = (100 * (card[f"{name}_rounded"] - card[f"{name}_as_trained"]) for name in measures)
    log.info("%s: %.2f MB; test accuracy %+.2f points, attack success %+.2f", out, _megabytes(out), lost, changed)
    if lost < -ACCURACY_LOSS or abs(changed) > ATTACK_CHANGE:
        log.warning("%s: rounding changed it by more than %g and %g points", store, ACCURACY_LOSS, ATTACK_CHANGE)


def _megabytes(store):
    return sum(path.stat().st_size for path in store.rglob("*") if path.is_file()) / 1e6


def write_cards(folder):
    """Write README.md beside the kept networks of a folder: a page with their cards."""
    cards = [read_card(path) for path in sorted(folder.glob("*.zarr"))]
    if cards:
        write_text(folder / "README.md", render(Path(__file__).with_name("networks.md.j2"), {"cards": cards}))


def read_card(store):
    """Return the card of a kept network: its store's attributes, and its name, run, rounding and size."""
    attributes, manifest = stores.check(store)[1], stores.read_manifest(store)
    settings = manifest["settings"]
    return attributes | {
        "name": store.stem,
        "run": settings.get("run", 0),
        "layers": settings["network"]["depth"],
        "rounded": ", from ".join(filter(None, (settings["rounded"], attributes.get("rounded_from")))),
        "digest": manifest["inputs"].get("network", ""),
        "megabytes": _megabytes(store),
    }


def arguments(parser):
    parser.add_argument("stores", nargs="+", type=Path, metavar="STORE", help="train/<model>/run<r>.zarr")
    parser.add_argument("--out", type=Path, default=NETWORKS, help=f"folder of the kept networks (default: {NETWORKS})")
    parser.add_argument("--digits", type=Path, help="images to measure with (default: those of its training)")
    parser.add_argument("--places", type=int, metavar="K", help=f"step 2^-K (default: what fits into {LIMIT_MB:g} MB)")
    parser.add_argument("--images", type=int, default=IMAGES, help=f"test images to attack (default: {IMAGES})")


def main(options):
    if options.images < 1:
        raise UserError(f"--images: wanted at least 1, found {options.images}")
    models = [model_of(store) for store in options.stores]
    if twice := [model for model, count in Counter(models).items() if count > 1]:
        raise UserError(
            f"wanted one run of each model, found several of {', '.join(twice)}: the last would replace them"
        )
    for model, store in zip(models, options.stores, strict=True):
        keep(store, options.out / f"{model}.zarr", options.digits, options.places, options.images)
    write_cards(options.out)


if __name__ == "__main__":
    program.run(__doc__, arguments, main, settings=False)
