"""Resample the raw images to `side` x `side` pixels in [0, 1] and write them, with their labels, as data/digits.zarr.

settings: train and test (number of images, the first of each set; 0 for all), side, resampling (linear or
antialiased), classes (labels run from 0 to classes - 1).
"""

import json
import logging
import time
from pathlib import Path

import numpy as np

from stages.data import image_sets, raw_folder, resampling
from stages.runtime import program
from stages.runtime.errors import UserError
from stages.storage import stores

log = logging.getLogger("stages")


def arguments(parser):
    parser.add_argument("--raw", required=True, type=Path, metavar="FOLDER", help="the folder of fetch_digits")
    parser.add_argument("--out", required=True, type=Path, metavar="STORE", help="the store to write")


def main(options):
    write_digits(options.settings, options.raw, options.out)


def write_digits(settings, raw, out):
    """Write the store `out` with the images of the folder `raw`, resampled."""
    files = raw_folder.check(raw)
    variables, channels = {}, []
    for split in image_sets.SPLITS:
        pair = image_sets.open_pair(raw, {role: entry["file"] for role, entry in files.items()}, split)
        images, labels = downsample(*pair, split, settings)
        channels.append(image_sets.channels(pair[0]))
        about = {"long_name": f"{split} images, row by row", "units": "1 (0 is black, 1 is white)"}
        variables[f"{split}_image"] = ((split, "pixel"), images, about)
        variables[f"{split}_label"] = ((split,), labels, {"long_name": f"class of each {split} image"})
    if len(set(channels)) > 1:
        raise UserError(
            f"wanted as many channels in training as in test images, found {channels[0]} and {channels[1]}; "
            "name files that belong together (config: data.files)"
        )
    stores.write(
        out,
        variables,
        settings=settings,
        inputs={"raw": raw},
        attributes={
            "sources": json.dumps({role: entry["sha256"] for role, entry in files.items()}, sort_keys=True),
            "resampling": settings["resampling"],
            "side": settings["side"],
            "channels": channels[0],  # the pixels of an image are ordered by channel
        },
    )


def downsample(images, labels, split, settings):
    """Return the first images (sample, pixel) as float32 in [0, 1] and their labels."""
    there, size, *_ = images.values.shape
    count = settings[split] or there
    if count > there:
        raise UserError(
            f"config: data.{split}: wanted {count} images, {images.name} has {there}; set it to {there} or less "
            "(0 takes all)"
        )
    classes = image_sets.read_labels(labels, count, settings["classes"])
    side = settings["side"]
    A = resampling.weights(size, side, settings["resampling"])
    result = np.empty((count, image_sets.channels(images) * side * side), np.float32)
    done, reported = 0, time.monotonic()
    for block, white in image_sets.image_blocks(images, count):
        # Average 8-bit integers before dividing: exact at half size.
        small = resampling.resample(block, A) / white
        result[done : done + len(block)] = small.clip(0, 1).reshape(len(block), -1)
        done += len(block)
        if time.monotonic() - reported > 5 or done == count:
            log.info("%s: %d of %d images resampled", split, done, count)
            reported = time.monotonic()
    return result, classes


if __name__ == "__main__":
    program.run(__doc__, arguments, main)
