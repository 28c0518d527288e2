"""Draw the sample of MNIST that comes with the project (workflow/sample) from the full set, bit for bit.

settings: seed, train and test (numbers of images). Each class has its share of the full set, rounded by largest
remainders; the images are in random order. The shipped sample was made by

    python -m stages.data.draw_sample --settings '{"seed": 1, "train": 10000, "test": 2000}' \\
        --raw results/paper/data/raw --out workflow/sample
"""

import gzip
import hashlib
import logging
from pathlib import Path

import numpy as np

from stages.data import idx_files, image_sets, mnist_sources, raw_folder
from stages.runtime import program, seeds
from stages.runtime.errors import UserError
from stages.storage import stores

log = logging.getLogger("stages")


def arguments(parser):
    parser.add_argument("--raw", required=True, type=Path, metavar="FOLDER", help="the folder of fetch_digits: MNIST")
    parser.add_argument("--out", required=True, type=Path, metavar="FOLDER", help="the folder to write the sample into")


def main(options):
    check_mnist(options.raw)
    sums = []
    options.out.mkdir(parents=True, exist_ok=True)
    for split in image_sets.SPLITS:
        for kind, array in zip(("images", "labels"), draw(options.raw, split, options.settings), strict=True):
            name = mnist_sources.NAMES[f"{split}_{kind}"] + ".gz"
            # Without time and name, so that the same digits give the same file.
            content = gzip.compress(idx_files.encode(array), compresslevel=9, mtime=0)
            (options.out / name).write_bytes(content)
            sums.append(f"{hashlib.sha256(content).hexdigest()}  {name}\n")
            log.info("%s: %d bytes", name, len(content))
    stores.write_text(options.out / "SHA256SUMS", "".join(sums))


def check_mnist(raw):
    """Refuse any data but the full MNIST."""
    for role, entry in raw_folder.check(raw).items():
        _, wanted = mnist_sources.MNIST[mnist_sources.NAMES[role]]
        if entry["sha256"] != wanted:
            raise UserError(
                f"{raw}: wanted the full MNIST ({role}: SHA-256 {wanted}), found {entry['sha256']}; "
                "fetch it with origin mnist"
            )


def draw(raw, split, settings):
    """Return (images, labels) of the sample of one split."""
    images, labels = (array.values for array in image_sets.open_pair(raw, mnist_sources.NAMES, split))
    chosen = choose(labels, settings[split], settings["seed"], split)
    return images[chosen], labels[chosen]


def choose(labels, count, seed, split):
    """Return the indices of `count` images, with each class in proportion, in random order.

    Every image gets a random key, and each class contributes its images with the smallest keys. New keys give the order
    of the sample: with the old ones, classes with the largest keys would fill its end.
    The keys are raw output of the bit generator, which NumPy guarantees never to change.
    """
    words = seeds.generator(seed, "sample", split).bit_generator
    keys = words.random_raw(len(labels))
    shares = largest_remainders(np.bincount(labels), count)
    chosen = []
    for label, share in enumerate(shares):
        members = np.flatnonzero(labels == label)
        chosen.append(members[np.argsort(keys[members], kind="stable")[:share]])
    chosen = np.concatenate(chosen)
    return chosen[np.argsort(words.random_raw(count), kind="stable")]


def largest_remainders(sizes, count):
    """Divide `count` into integers in proportion to `sizes`: round down, give the rest to the largest fractions."""
    shares, remainders = np.divmod(sizes * count, sizes.sum())
    shares[np.argsort(-remainders, kind="stable")[: count - shares.sum()]] += 1
    return shares


if __name__ == "__main__":
    program.run(__doc__, arguments, main)
