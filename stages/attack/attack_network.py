"""Attack the test images that a trained network classifies correctly (paper, section 5 and appendix on attacks).

settings: attack (method and its settings), images (number of test images, from the first), radii (first, last, step;
not for Carlini-Wagner), trained (settings of the training), surrogate (for `transfer`: model, trained).
"""

import logging
import time
from pathlib import Path

import numpy as np

from stages.attack import catalogue
from stages.attack.radii import radii_of
from stages.attack.victim import Victim
from stages.model.build import in_the_loss
from stages.perturbations import ball
from stages.runtime import arrays, program
from stages.runtime.errors import UserError
from stages.runtime.progress import Progress
from stages.storage import stores
from stages.storage.network_store import read_network

log = logging.getLogger("stages")

MEANING = {
    "image_index": "number of the test image",
    "label": "class of the image, which the network classifies correctly",
    "predicted": "class that the network gives the adversarial image",
    "success": "whether the network misclassifies the adversarial image",
    "norm": "l2 norm of the perturbation, in the smallest ball in which the attack succeeds; nan: in none",
    "radius": "radius of that ball; nan: none, or the attack knows no balls",
    "norm_unconfined": "l2 norm of the perturbation at the first success without a ball; nan: none",
    "iterations": "iterations of the run that gave the image, or of the last that failed",
    "original": "image",
    "adversarial": "attacked image; the original where the attack failed",
    "success_by_target": "whether the attack towards the class succeeded",
    "norm_by_target": "l2 norm of the perturbation towards the class, in the smallest ball that succeeds; nan: in none",
}


def main(options):
    write_attack(options.settings, options.digits, options.network, options.out, options.device)


def write_attack(settings, digits, network, out, device="auto"):
    """Attack the network of a train store with the images of a digits store, and write the store `out`."""
    xp = arrays.choose(device)
    victim = read_victim(network, settings["trained"], xp)
    inputs = {"digits": digits, "network": network}
    if "surrogate" in settings:
        # The same run of another model: train/<this model>/run0.zarr -> train/<model>/run0.zarr
        inputs["surrogate"] = Path(network).parents[1] / settings["surrogate"]["model"] / Path(network).name
        victim.surrogate = read_victim(inputs["surrogate"], settings["surrogate"]["trained"], xp)
    images, labels = first_test_images(stores.read_arrays(digits), settings["images"])
    variables, seconds = attack_images(victim, images, labels, settings["attack"], settings.get("radii"))
    success = variables["success"][1]
    log.info("%d of %d images attacked with success in %.1f s", success.sum(), success.size, seconds)
    targets = ("target", np.arange(victim.classes), {"long_name": "class attacked towards"})
    stores.write(
        out,
        variables,
        coordinates={"target": targets} if "norm_by_target" in variables else {},
        settings=settings,
        inputs=inputs,
        backend=arrays.describe(xp),
        attributes={"seconds": seconds},
    )


def read_victim(store, trained, xp):
    """Return the Victim of a train store, which must have the settings `trained`."""
    return victim_of(read_network(store, trained, xp), trained)


def victim_of(network, trained):
    """Return the Victim of a network that was trained with these settings."""
    loss = trained["loss"] | in_the_loss(trained["network"], network)
    return Victim(network, trained["network"]["classes"], loss)


def first_test_images(digits, count):
    """Return the first `count` test images (sample, pixel) and their labels."""
    images, labels = digits["test_image"], digits["test_label"]
    if count > len(labels):
        raise UserError(
            f"config: attack.images: wanted {count} test images, found {len(labels)} in the data; "
            f"set it to {len(labels)} or less, or raise data.test"
        )
    return images[:count], labels[:count]


def attack_images(victim, images, labels, attack, radii=None):
    """Attack images (sample, pixel) on the host; return the store's variables and the seconds that the attack took."""
    settings = {key: value for key, value in attack.items() if key not in ("method", *catalogue.COMMON)}
    method = catalogue.checked(attack)
    for each in filter(None, (victim, victim.surrogate)):
        each.hold(attack.get("hold"))
    ball.require_valid(images, "scale the images to attack to that range (downsample_digits does)")
    xp = arrays.namespace(victim.network.parameters)
    labels = np.asarray(labels, "int64")
    chosen = np.flatnonzero(predicted_classes(victim, images) == labels)
    if isinstance(attack.get("target"), int):  # skip images of the target class
        chosen = chosen[labels[chosen] != attack["target"]]
    images, labels = np.ascontiguousarray(images[chosen], "float32"), labels[chosen]
    log.info("attacking %d images that the network classifies correctly, with %s", len(labels), attack)
    progress = Progress(100, "percent", every_seconds=5.0)

    def report(share):
        news = min(100, int(100 * share + 1e-6)) - progress.done
        if news > 0:
            progress.advance(units=news)

    # CPU time, unaffected by other processes: claims compare the seconds of attacks. On a GPU wall-clock time.
    clock = time.process_time if xp is np else time.perf_counter
    started = clock()
    outcome = method(
        victim, xp.asarray(images), xp.asarray(labels), radii_of(radii) if radii else [], report, **settings
    )
    adversarial = arrays.to_host(outcome.adversarial).astype("float32")
    adversarial[:, : victim.held] = images[:, : victim.held]  # attacks without gradients, or by tanh, may move them
    seconds = clock() - started
    return judged(victim, images, labels, chosen, adversarial, outcome), seconds


def judged(victim, images, labels, chosen, adversarial, outcome):
    """Return the store's variables: success and norm are computed from the images as stored."""
    ball.require_valid(adversarial, "an attack must return valid images: mend its method in stages/attack")
    predicted = predicted_classes(victim, adversarial)
    success = predicted != labels
    adversarial = np.where(success[:, None], adversarial, images)
    norm = np.sqrt(((adversarial.astype("float64") - images) ** 2).sum(axis=1))
    nothing = np.full(len(labels), np.nan)
    found = {
        "image_index": chosen,
        "label": labels,
        "predicted": predicted,
        "success": success,
        "norm": np.where(success, norm, np.nan),
        "radius": np.where(success, _or(outcome.radius, nothing), np.nan),
        "norm_unconfined": _or(outcome.norm_unconfined, nothing),
        "iterations": _or(outcome.iterations, np.zeros(len(labels))).astype("int64"),
    }
    variables = {name: (("sample",), values, {"long_name": MEANING[name]}) for name, values in found.items()}
    for name, values in {"original": images, "adversarial": adversarial}.items():
        variables[name] = (("sample", "pixel"), values, {"long_name": MEANING[name], "units": "1 (0 black, 1 white)"})
    for name in ("success_by_target", "norm_by_target"):
        if getattr(outcome, name) is not None:
            values = arrays.to_host(getattr(outcome, name))
            variables[name] = (("sample", "target"), values, {"long_name": MEANING[name]})
    return variables


def predicted_classes(victim, images):
    """Return the predicted classes of images (sample, pixel), all on the host."""
    on_device = arrays.namespace(victim.network.parameters).asarray(images)
    return arrays.to_host(victim.predict(victim.network.columns(on_device)))


def _or(values, otherwise):
    return otherwise if values is None else arrays.to_host(values)


if __name__ == "__main__":
    program.run(__doc__, program.add_network_inputs, main)
