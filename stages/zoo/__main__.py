"""Classify one picture of a digit with a trained network, and search for the nearest picture that it misclassifies.

    python -m stages.zoo digit.png
    python -m stages.zoo digit.png --network sgd_ce_relu --out attacked.png

A photograph or a scan will do: the digit is cut out and placed as in MNIST.
It prints the class, its confidence, the distance to the nearest boundary between classes (to first order), and the norm
that a sensitivity attack needed. The output picture shows the network's input, the perturbation, and their sum.
"""

import logging
from pathlib import Path

from stages.runtime import program
from stages.zoo import load
from stages.zoo.images import taken
from stages.zoo.pictures import read_picture, write_picture

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
    original, *_ = taken(pixels, net.side)
    write_picture(out, net.side, original, attacked.adversarial)
    print(f"nearest attack: class {attacked.predicted} at a norm of {attacked.norm:.2f}, {out}")


if __name__ == "__main__":
    program.run(__doc__, arguments, main, settings=False)
