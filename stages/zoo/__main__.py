"""Classify one picture of a digit with a trained network, and search for the nearest picture that it misclassifies.

    python -m stages.zoo digit.png
    python -m stages.zoo digit.png --network sgd_ce_relu --out attacked.png

It prints the class, its confidence, the distance to the nearest boundary between classes (to first order), and the norm
that a sensitivity attack needed. The output picture shows the network's input, the perturbation, and their sum.
"""

import logging
from pathlib import Path

import numpy as np

from stages.runtime import program
from stages.runtime.errors import UserError
from stages.zoo import load
from stages.zoo.images import MNIST

ENLARGED = 16  # pixels of the picture per pixel of the image
STEP, ITERATIONS = 0.03, 300  # of the attack: short steps, so that it ends close to the boundary


def arguments(parser):
    parser.add_argument("image", type=Path, help="a picture of one digit: PNG, JPEG, ...")
    parser.add_argument("--network", default="ncg_ce_relu", help="name or train store (default: ncg_ce_relu)")
    parser.add_argument("--out", type=Path, help="picture of the attack (default: <image>-attacked.png)")
    program.add_device(parser)


def main(options):
    logging.getLogger("stages").setLevel(logging.WARNING)  # attacks report their progress
    net = load(options.network, options.device)
    pixels, done = read_picture(options.image, net.side)
    answer = net.uncertainty(pixels)
    print(f"{options.image}: {done}{net.taken}")
    print(f"class {answer['class']}, confidence {100 * answer['confidence']:.1f} %")
    print(f"boundary to class {answer['behind']}: at an ℓ² distance of about {answer['distance']:.2f}")
    attacked = net.attack(pixels, answer["class"], "sensitivity", step=STEP * net.side / 14, iterations=ITERATIONS)
    if not attacked.success:
        print("nearest attack: none found")
        return
    out = options.out or options.image.with_name(f"{options.image.stem}-attacked.png")
    write_picture(out, net.side, net.trajectory(pixels)[0][: net.side**2], attacked.adversarial)
    print(f"nearest attack: class {attacked.predicted} at a norm of {attacked.norm:.2f}, {out}")


def read_picture(path, side):
    """Return a picture as grey bytes for a network, light on dark as in MNIST, and a description of the conversion."""
    from PIL import Image, UnidentifiedImageError

    try:
        with Image.open(path) as picture:
            grey = picture.convert("L")
    except (OSError, UnidentifiedImageError, Image.DecompressionBombError) as problem:
        raise UserError(f"{path}: wanted a picture, such as a PNG file ({problem})") from None
    done = ""
    if grey.size not in ((side, side), (MNIST, MNIST)):
        done += f"{grey.size[0]} x {grey.size[1]} pixels made {MNIST} x {MNIST}, "
        grey = grey.resize(
            (MNIST, MNIST), Image.Resampling.BOX if min(grey.size) > MNIST else Image.Resampling.BILINEAR
        )
    pixels = np.array(grey, np.uint8)
    border = np.concatenate([pixels[0], pixels[-1], pixels[:, 0], pixels[:, -1]])
    if border.mean() > 127:
        done, pixels = f"{done}dark on light, inverted, ", 255 - pixels
    return pixels, done


def write_picture(out, side, original, adversarial):
    """Write the image, the perturbation (grey is none) and the attacked image side by side."""
    from PIL import Image

    original, adversarial = original.reshape(side, side), adversarial.reshape(side, side)
    change = adversarial - original
    shown = 0.5 + change / max(2 * np.abs(change).max(), 1e-9)
    gap = np.ones((side, 1))
    row = np.concatenate([original, gap, shown, gap, adversarial], axis=1).repeat(ENLARGED, 0).repeat(ENLARGED, 1)
    Image.fromarray(np.rint(255 * row.clip(0, 1)).astype(np.uint8)).save(out)


if __name__ == "__main__":
    program.run(__doc__, arguments, main, settings=False)
