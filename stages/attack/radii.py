"""The allowed l2 norms: radii of the balls that attacks are confined to."""

import math

from stages.runtime.errors import UserError


def radii_of(settings):
    """Return the radii first, first + step, ... up to last (inclusive)."""
    first, last, step = (settings[key] for key in ("first", "last", "step"))
    if not (first > 0 and step > 0 and last >= first and math.isfinite(last)):
        raise UserError(
            "config: attack.radii: wanted 0 < first <= last and step > 0, "
            f"found first {first}, last {last}, step {step}"
        )
    count = int((last - first) / step + 1e-9) + 1  # includes the last radius only if the steps meet it
    return [first + step * index for index in range(count)]


def require(radii):
    """Raise a UserError if there are no radii."""
    if not radii:
        raise UserError(
            "settings: wanted radii (first, last, step) for an attack that is confined to balls, found none"
        )
