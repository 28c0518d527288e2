"""Draw fig_noisy_images: one test digit at growing noise (paper, Figure 11)."""

import numpy as np

from stages.drawing import canvas
from stages.plan.exhibit import Exhibit
from stages.plan.selection import noisy_images
from stages.runtime.errors import UserError
from stages.runtime.seeds import generator
from stages.storage import stores

EXHIBITS = {
    "fig_noisy_images": Exhibit(
        stage="data",
        place="Figure 11",
        title="One digit at growing noise",
        caption="One test digit with Gaussian noise of growing standard deviation, as used for the accuracy on noisy "
        "images.",
        words="One handwritten digit repeated in a row, with Gaussian noise of growing standard deviation.",
        settings=noisy_images,
    )
}


def draw(folder, settings):
    """Return the figure: one row, the noise's standard deviation above each image."""
    digits = stores.read(folder / "data" / "digits.zarr")
    count, number = digits.sizes["test"], settings["image"]
    if not 0 <= number < count:
        raise UserError(f"config: figures.noisy_image: wanted a test image from 0 to {count - 1}, found {number}")
    image = digits["test_image"].values[number].astype(np.float64)
    noise = generator(settings["seed"], "noisy images").standard_normal(image.shape)
    side = len(canvas.image_of(image))
    footer = f"test image {number}, a {digits['test_label'].values[number]}, at {side} × {side} pixels; "
    footer += "the same draw of the noise, scaled; grey values shown from 0 to 1"
    figure, axes = canvas.sheet(1, len(settings["std"]), 0.42 + 5.3 / len(settings["std"]), footer)
    for panel, std in zip(axes[0], settings["std"], strict=True):
        noisy = image + std * noise
        canvas.picture(panel, noisy.clip(0, 1), vmin=0, vmax=1)
        panel.set_title(f"noise {std:g}")
    return figure


if __name__ == "__main__":
    canvas.run(__doc__, draw)
