"""Measure the test accuracy under Gaussian noise of growing strength (paper, section 5, robustness)."""

import numpy as np

from stages import arrays, program, stores
from stages.evaluate.correct import correct
from stages.evaluate.noise import noisy_images
from stages.progress import Progress
from stages.trained_network import add_inputs, read_network


def arguments(parser):
    add_inputs(parser)
    program.add_device(parser)


def outcomes(network, images, labels, settings, xp):
    """Return which images are read rightly, (noise_std, draw, sample), for images (sample, pixel) on the host."""
    noise, classes = settings["noise"], settings["trained"]["network"]["classes"]
    found = np.empty((len(noise["std"]), noise["draws"], len(images)), dtype=bool)
    progress = Progress(len(noise["std"]) * noise["draws"], "noise level")
    device_labels = xp.asarray(labels)
    for level, std in enumerate(noise["std"]):
        for draw in range(noise["draws"]):
            noisy = noisy_images(images, std, settings["seed"], draw, noise["clip"])
            found[level, draw] = correct(network, xp.asarray(noisy), device_labels, classes)
            progress.advance(f"std {std}: accuracy {100 * found[level, draw].mean():.2f} %")
    return found


def main(options):
    xp = arrays.choose(options.device)
    settings = options.settings
    network = read_network(options.network, settings["trained"], xp)
    digits = stores.read_arrays(options.digits)
    found = outcomes(network, digits["test_image"], digits["test_label"], settings, xp)
    accuracy = found.mean(axis=-1)
    meaning = "share of noisy test images classified correctly"
    stores.write(
        options.out,
        {
            "accuracy": (("noise_std",), accuracy.mean(axis=1), {"long_name": f"{meaning}, mean over draws"}),
            "accuracy_by_draw": (("noise_std", "draw"), accuracy, {"long_name": meaning}),
            "correct": (("noise_std", "draw", "sample"), found, {"long_name": "whether the image is read rightly"}),
        },
        coordinates={
            "noise_std": (("noise_std",), settings["noise"]["std"], {"long_name": "standard deviation of the noise"})
        },
        settings=settings,
        inputs={"digits": options.digits, "network": options.network},
        backend=arrays.describe(xp),
    )


if __name__ == "__main__":
    program.run(__doc__, arguments, main)
