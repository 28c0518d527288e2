"""Write playground.html: draw a digit, follow it through a trained network, add noise, attack it, all in a browser.

The page is self-contained: weights (rounded to 8 bits), test images and scripts are embedded, and its content policy
forbids any request and any other script. By hand, for any networks:

    python -m stages.playground.write_playground --digits results/paper/data/digits.zarr \\
        --networks workflow/published/networks/*.zarr --output playground.html

A store that is missing, or that the page cannot compute (convolutions, another solver than Euler's method), is left
out; the page says so.
"""

import base64
import hashlib
import json
from pathlib import Path

from stages.data.resampling import weights
from stages.drawing.style import trainer_colours
from stages.playground import chosen_images, shown_networks
from stages.playground.bundle import bundle
from stages.report import templates
from stages.runtime import program
from stages.runtime.errors import UserError
from stages.storage import stores

HERE = Path(__file__).parent
TEST_IMAGES = 1000  # from the first: the page shows some of them, and the accuracy on all of them
NAMES = {  # parts of the names of networks
    "NCG": "trained by nonlinear conjugate gradients",
    "Sobolev": "with a gradient that is smooth along the depth",
    "SGD": "trained by RMSprop, which the paper calls SGD",
    "CE": "cross-entropy loss",
    "ℓ²": "ℓ² loss",
}
DRAWN = 28  # pixels per side of MNIST's images; drawn digits are prepared in the same way


def page(networks, digits_path):
    """Return the page for train stores at the paths `networks`, with images of a digits store."""
    images_of = stores.read_manifest(digits_path)["settings"]
    arrays = stores.read_arrays(digits_path)
    images, labels = arrays["test_image"][:TEST_IMAGES], arrays["test_label"][:TEST_IMAGES]
    if images.shape[1] != images_of["side"] ** 2:
        raise UserError(f"{digits_path}: wanted images of one channel, found {images.shape[1]} numbers per image")
    shown, left_out = shown_networks.show(networks, (images_of, images, labels))
    groups = chosen_images.choose(shown, labels, images_of["classes"]) if shown else []
    chosen = [image["index"] for group in groups for image in group["images"]]
    size, colours = max(DRAWN, images_of["side"]), trainer_colours([each.trainer for each in shown])
    data = {
        "side": images_of["side"],
        "classes": images_of["classes"],
        "drawn": size,
        "resampling": weights(size, images_of["side"], images_of["resampling"]).ravel().tolist(),
        "networks": [each.about(colours[each.trainer]) for each in shown],
        "groups": groups,
        "images": chosen_images.as_text(images[chosen]),
    }
    said = "%s: %.1f %% of %d test images with 8 bits, the same answer as the store's for %.1f %%"
    for each in shown:
        program.log.info(said, each.model, 100 * each.accuracy, len(labels), 100 * each.agreement)
    for name, reason in left_out.items():
        program.log.info("left out %s: %s", name, reason)
    return render(data, [each.text for each in shown], left_out, len(labels))


def render(data, packed, left_out, tested):
    """Return the page with this content."""
    script, style = bundle(HERE / "js", "page"), (HERE / "playground.css").read_text()
    networks = data["networks"]
    content = {
        "data": json.dumps(data).replace("<", "\\u003c"),
        "about": data,
        "names": _explained([each["label"] for each in networks]),
        "pixel_scores": any(not each["own"] for each in networks),
        "own_scores": [each["label"] for each in networks if each["own"]],
        "packed": packed,
        "left_out": left_out,
        "tested": tested,
        "script": script,
        "style": style,
        "worker": bundle(HERE / "js", "worker"),
        "script_hash": _hash(script),
        "style_hash": _hash(style),
    }
    return templates.render(HERE / "playground.html.j2", content).removesuffix("\n")


def _explained(labels):
    """Explain the parts of the names of networks."""
    words = {word for label in labels for word in label.replace("Sobolev NCG", "NCG, Sobolev").split(", ")}
    return "; ".join(f"{name}: {meaning}" for name, meaning in NAMES.items() if name in words) + "." * bool(labels)


def _hash(text):
    """Return the hash of a script or style for the content security policy."""
    return f"sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}"


def arguments(parser):
    parser.add_argument("--networks", nargs="+", required=True, metavar="STORE", help="train stores, in this order")
    parser.add_argument("--digits", required=True, metavar="STORE", help="data/digits.zarr of the networks' side")
    parser.add_argument("--output", type=Path, required=True, help="the page to write")


def main(options):
    text = page(options.networks, options.digits)
    stores.write_text(options.output, text)
    program.log.info("wrote %s, %.1f MB", options.output, len(text.encode()) / 1e6)


if __name__ == "__main__":
    program.run(__doc__, arguments, main, settings=False)
