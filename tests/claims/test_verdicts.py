"""What "better", "no effect", "all" and "most" mean, on numbers that can be checked by hand."""

import pytest

from stages.claims import counted
from stages.claims.verdicts import (
    FAILS,
    HOLDS,
    UNDECIDED,
    Comparison,
    Group,
    Unusable,
    at_most,
    better,
    between,
    claim_verdict,
    close,
    no_effect,
    pooled_std,
)


def known(verdict):
    return Comparison("", holds={HOLDS: True, FAILS: False, UNDECIDED: None}[verdict])


def test_the_pooled_deviation_is_the_root_of_the_mean_variance():
    assert pooled_std([0, 2], [0, 4]) == pytest.approx(((2 + 8) / 2) ** 0.5)


def test_better_needs_more_than_the_pooled_deviation():
    # Both have variance 2: the pooled deviation is the square root of 2.
    assert better("", [11.5, 13.5], [10, 12]).verdict == HOLDS
    assert better("", [11.4, 13.4], [10, 12]).verdict == FAILS
    judged = better("", [13, 15], [10, 12])
    assert (judged.statistic, judged.threshold) == (pytest.approx(3), pytest.approx(2**0.5))
    assert judged.margin == pytest.approx(3 - 2**0.5)


def test_equal_values_without_spread_are_not_better():
    assert better("", [5, 5], [5, 5]).verdict == FAILS


def test_no_effect_allows_the_spread_or_the_tolerance_whichever_is_larger():
    assert no_effect("", [([10, 12], [11.4, 13.4])]).verdict == HOLDS
    assert no_effect("", [([10, 12], [11.5, 13.5])]).verdict == FAILS
    assert no_effect("", [([10, 12], [11.5, 13.5])], tolerance=2).verdict == HOLDS
    assert no_effect("", [([5, 5], [5, 5])]).verdict == HOLDS


def test_no_effect_looks_at_the_mean_size_over_pairs():
    # One pair apart by 3, two pairs equal: 1 on average, within the pooled deviation of the square root of 2.
    pairs = [([10, 12], [13, 15]), ([10, 12], [10, 12]), ([10, 12], [10, 12])]
    assert no_effect("", pairs).verdict == HOLDS
    # Opposite signs do not cancel.
    assert no_effect("", [([10, 12], [14, 16]), ([14, 16], [10, 12])]).verdict == FAILS


def test_limits_count_as_within():
    assert at_most("", [0.1, 0.1], 0.1).verdict == HOLDS
    assert at_most("", [0.1, 0.2], 0.1).verdict == FAILS
    assert close("", [97.0, 97.0], [97.5, 97.5], 0.5).verdict == HOLDS
    assert close("", [97.0, 97.0], [97.6, 97.6], 0.5).verdict == FAILS
    assert between("", [9, 9], 4.5, 18).verdict == HOLDS
    assert between("", [2, 2], 4.5, 18).verdict == FAILS
    assert between("", [20, 20], 4.5, 18).verdict == FAILS


@pytest.mark.parametrize(
    ("values", "reason"),
    [([5.0], "1 run"), ([5.0, float("nan")], "no number"), (Unusable("not run: x"), "not run: x")],
)
def test_what_cannot_be_compared_says_why(values, reason):
    for judged in (better("", values, [1, 2]), better("", [1, 2], values), no_effect("", [(values, [1, 2])])):
        assert judged.verdict == UNDECIDED
        assert reason in judged.reason


def test_one_failure_among_all_decides_even_beside_what_cannot_be_judged():
    assert Group("", [known(HOLDS), known(HOLDS)]).verdict == HOLDS
    assert Group("", [known(HOLDS), known(UNDECIDED)]).verdict == UNDECIDED
    assert Group("", [known(FAILS), known(UNDECIDED)]).verdict == FAILS
    assert Group("", []).verdict == UNDECIDED


def test_most_means_more_than_half():
    def most(*verdicts):
        return Group("", [known(verdict) for verdict in verdicts], most=True).verdict

    assert most(HOLDS, HOLDS, FAILS) == HOLDS
    assert most(HOLDS, FAILS) == FAILS
    assert most(HOLDS, HOLDS, FAILS, UNDECIDED) == UNDECIDED
    assert most(HOLDS, HOLDS, HOLDS, UNDECIDED) == HOLDS
    assert most(FAILS, FAILS, UNDECIDED, HOLDS) == FAILS


def test_a_claim_holds_if_all_its_groups_hold():
    held, failed, unknown = (Group("", [known(verdict)]) for verdict in (HOLDS, FAILS, UNDECIDED))
    assert claim_verdict([held, held]) == HOLDS
    assert claim_verdict([held, unknown]) == UNDECIDED
    assert claim_verdict([failed, unknown]) == FAILS


def test_verdicts_are_counted_in_words():
    assert counted({"holds": 1, "does not hold": 1, "not decided": 1}) == "1 holds, 1 does not, and 1 is not decided"
    assert counted({"holds": 2, "does not hold": 0, "not decided": 3}) == "2 hold, 0 do not, and 3 are not decided"
