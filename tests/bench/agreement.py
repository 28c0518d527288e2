"""A contender counts only if it computes the same: checked before anything is timed."""

import numpy as np


def require_agreement(what, ours, theirs, tolerance):
    """Stop unless the two differ by at most `tolerance`, relative to the largest entry of ours."""
    ours, theirs = np.asarray(ours, "float64"), np.asarray(theirs, "float64")
    difference = np.abs(ours - theirs).max() / np.abs(ours).max()
    if not difference <= tolerance:
        raise SystemExit(f"{what}: the two do not compute the same: they differ by {difference:.1e} > {tolerance:.0e}")
