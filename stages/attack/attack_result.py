"""What an attack returns."""

from dataclasses import dataclass


@dataclass
class AttackResult:
    """Only `adversarial` is required: success and norm are computed from the images themselves.

    Arrays have one entry per sample, in the order of the images.
    """

    adversarial: object  # (sample, pixel): the attacked images; the original if the attack failed
    iterations: object = None  # steps of the run that gave the image
    radius: object = None  # the smallest radius that succeeded, nan if none did
    norm_unconfined: object = None  # the norm at the first success without a ball, nan if it failed
    success_by_target: object = None  # (sample, class), for attacks that try every target
    norm_by_target: object = None
