"""What an attack returns."""

from dataclasses import dataclass


@dataclass
class AttackResult:
    """Only `adversarial` is needed: whether an image is misclassified, and its norm, is judged from the image itself.

    Arrays have one entry per sample, in the order of the images.
    """

    adversarial: object  # (sample, pixel): the attacked images; the original where the attack failed
    iterations: object = None  # steps of the run that gave the image
    radius: object = None  # the smallest radius that succeeded, nan where none did
    norm_unconfined: object = None  # the norm at the first success of one run without a ball, nan where it failed
    success_by_target: object = None  # (sample, class), for attacks that try every target
    norm_by_target: object = None
