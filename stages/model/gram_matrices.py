"""Inner products of all pairs of rows, for each sample."""

import numpy as np

from stages.runtime.arrays import namespace


def gram_matrices(rows):
    """Return <r_c, r_c'> of each sample, (row, row, sample), for rows (neuron, row, sample)."""
    xp = namespace(rows)
    if xp is not np:
        return xp.einsum("ncs,nds->cds", rows, rows)
    # Each pair once, row by row, so that the data stays in the cache: a third of the time of all pairs at once.
    # A matrix product per sample needs the samples first, and the transpose alone costs as much as this.
    gram = np.empty((rows.shape[1], *rows.shape[1:]), rows.dtype)
    for c in range(rows.shape[1]):
        np.einsum("nds,ns->ds", rows[:, c:], rows[:, c], out=gram[c, c:])
        gram[c:, c] = gram[c, c:]
    return gram
