"""Random numbers by name."""

import numpy as np

from stages.runtime.seeds import generator

PINNED = [3576565410, 2445670033, 1001829136]


def test_the_same_names_give_the_same_numbers_whatever_was_drawn_before():
    first = generator(1, "batches", 0, 3)
    generator(1, "noise", 0).normal(size=10)
    np.testing.assert_array_equal(first.normal(size=5), generator(1, "batches", 0, 3).normal(size=5))


def test_other_names_or_another_seed_give_other_numbers():
    draws = {
        tuple(generator(*key).integers(0, 2**63, 4)) for key in [(1, "a", 0), (1, "a", 1), (1, "b", 0), (2, "a", 0)]
    }
    assert len(draws) == 4


def test_the_streams_are_pinned():
    """A change here changes every result of the project: it must be meant."""
    assert generator(1, "initial weights", 0).integers(0, 2**32, 3).tolist() == PINNED
