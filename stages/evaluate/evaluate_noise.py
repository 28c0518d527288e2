"""Measure the test accuracy under Gaussian noise of growing strength (paper, section 5, robustness)."""

from stages.evaluate.correct import correct_under_noise
from stages.evaluate.evaluation import run, variable
from stages.evaluate.noise import noisy_images


def correct_on_noisy(network, images, labels, settings, xp):
    """Return which of images (sample, pixel) are classified correctly, (noise_std, draw, sample)."""
    noise, classes = settings["noise"], settings["trained"]["network"]["classes"]

    def noisy(std, draw):
        return network, xp.asarray(noisy_images(images, std, settings["seed"], draw, noise["clip"]))

    return correct_under_noise(noisy, noise["std"], noise["draws"], xp.asarray(labels), classes)


def evaluate(network, digits, settings, xp):
    correctly = correct_on_noisy(network, digits["test_image"], digits["test_label"], settings, xp)
    accuracy = correctly.mean(axis=-1)
    meaning = "share of noisy test images classified correctly"
    each = "whether the image is classified correctly"
    variables = {
        "accuracy": variable("noise_std", accuracy.mean(axis=1), f"{meaning}, mean over draws"),
        "accuracy_by_draw": variable(("noise_std", "draw"), accuracy, meaning),
        "correct": variable(("noise_std", "draw", "sample"), correctly, each),
    }
    stds = variable("noise_std", settings["noise"]["std"], "standard deviation of the noise")
    return variables, {"noise_std": stds}


if __name__ == "__main__":
    run(__doc__, evaluate)
