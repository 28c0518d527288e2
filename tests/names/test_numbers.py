"""Numbers as people write them."""

import pytest

from stages.names.numbers import duration


@pytest.mark.parametrize(
    ("seconds", "words"),
    [
        (0.3, "0.3 s"),
        (9.96, "10 s"),
        (59.4, "59 s"),
        (59.6, "1 min"),
        (75, "1 min"),
        (3725, "1 h 02 min"),
        (5400, "1 h 30 min"),
        (7170, "2 h 00 min"),
    ],
)
def test_durations_are_written_for_people(seconds, words):
    assert duration(seconds) == words
