"""What "better", "similar", "all" and "most" mean, and which verdict comes out, on numbers checked by hand."""

import numpy as np
import pytest
import scipy.stats

from stages.claims import (
    AGAINST,
    FAILS,
    FOR,
    HOLDS,
    LEANS_AGAINST,
    LEANS_FOR,
    NOT_JUDGED,
    PARTLY,
    REVERSED,
    UNDECIDED,
    counted,
)
from stages.claims.chance import BOTH, IMAGES, PRINTED, RUNS, VALUE, student
from stages.claims.comparisons import Comparison, at_most, better, not_worse, similar, within
from stages.claims.measured import Measured, Unusable
from stages.claims.verdicts import MOST, NO, OPEN, YES, Clause, Verdict


def known(state, degree=None, **about):
    """Return a comparison of this state; degree: whether it is as much as the paper's word asks for."""
    if state == NOT_JUDGED:
        return Comparison("", reason="not run: x", about=about)
    low, high = {FOR: (1, 3), LEANS_FOR: (-1, 3), LEANS_AGAINST: (-3, 1), AGAINST: (-3, -1)}[state]
    needed = None if degree is None else 1.0 if degree else 5.0
    middle = (low + high) / 2
    return Comparison("", "", middle, low, high, needed=needed, agrees=middle > 0, about=about)


def word(*states, quantifier="all"):
    return Verdict([Clause("", [known(state) for state in states], quantifier)]).word


@pytest.mark.parametrize("freedom", [1, 2, 4, 8, 20, 21, 30, 100])
def test_students_quantiles_are_scipys(freedom):
    assert student(freedom) == pytest.approx(scipy.stats.t.ppf(0.975, freedom), rel=2e-4)


def test_two_networks_differ_by_more_than_students_interval():
    one, other = [12.0, 14.0, 13.0], [10.0, 12.0, 11.0]
    test = scipy.stats.ttest_ind(one, other).confidence_interval(0.95)
    compared = better("", one, other)
    assert (compared.low, compared.high) == pytest.approx((test.low, test.high), abs=1e-3)
    assert (compared.state, compared.verdict, compared.rule) == (LEANS_FOR, "within chance", RUNS)
    assert better("", [13.0, 15.0, 14.0], other).state == FOR
    assert better("", other, [13.0, 15.0, 14.0]).state == AGAINST
    assert better("", other, one).state == LEANS_AGAINST


def test_two_values_of_the_same_networks_are_compared_run_by_run():
    before, after = [10.0, 20.0, 30.0], [9.0, 18.9, 29.1]
    test = scipy.stats.ttest_rel(before, after).confidence_interval(0.95)
    compared = better("", before, after, same_network=True)
    assert (compared.low, compared.high) == pytest.approx((test.low, test.high), abs=1e-3)
    assert compared.state == FOR
    assert better("", before, after).state == LEANS_FOR


def test_equal_values_without_spread_are_not_better():
    assert better("", [5, 5], [5, 5]).state == AGAINST


def test_rounding_errors_are_no_difference():
    """0.1 + 0.2 is above 0.3, and 1.1 - 0.6 above 0.5, by the arithmetic alone."""
    assert 1.1 - 0.6 > 0.5
    tie, limit = better("", [0.1 + 0.2], [0.3]), similar("", [1.1], [0.6], 0.5)
    assert (tie.statistic, tie.state, tie.agrees) == (0.0, AGAINST, False)
    assert (limit.state, limit.agrees) == (FOR, True)
    assert str(better("", [0.3], [0.1 + 0.2]).statistic) == "0.0"


def test_similar_allows_the_tolerance_or_chance():
    assert similar("", [10, 10.1], [10.2, 10.3], 2.0).state == FOR
    assert similar("", [10, 10.1], [15.2, 15.3], 2.0).state == AGAINST
    assert similar("", [10, 12], [13, 15], 2.0).state == LEANS_FOR  # apart by 3, but nobody knows
    assert similar("", [10, 10.1], [12.25, 12.35], 2.0).state == LEANS_AGAINST  # there is a difference, of about 2
    assert not_worse("", [10, 10.1], [11.0, 11.1], 2.0).state == FOR
    assert not_worse("", [10, 10.1], [14.0, 14.1], 2.0).state == AGAINST


def test_limits_count_as_within():
    assert at_most("", [0.1, 0.1], 0.1).state == FOR
    assert at_most("", [0.11, 0.11], 0.1).state == AGAINST
    assert within("", [9.0, 9.0], (4.5, 18)).state == FOR
    assert within("", [2.0, 2.0], (4.5, 18)).state == AGAINST
    assert within("", [0.8, 1.3], (0.9, 1.1), no_effect=1.0).state == LEANS_FOR


def one_run(value, half, printed=None):
    return Measured(np.array([value]), value + half * np.linspace(-1, 1, 1001), printed)


def test_one_run_has_to_exceed_the_images_and_the_papers_spread():
    still = Measured(np.array([11.0]), np.full(1001, 11.0), 0.3)
    assert better("", one_run(12, 0.5), still).rule == IMAGES
    assert better("", one_run(12, 0.5), still).state == FOR
    compared = better("", one_run(12, 0.5, 0.4), still)  # 2 √(0.3² + 0.4²) is 1
    assert (compared.state, compared.rule) == (LEANS_FOR, BOTH)
    assert (compared.low, compared.high) == pytest.approx((0.0, 2.0))
    assert better("", one_run(12.01, 0.5, 0.4), still).state == FOR
    assert better("", one_run(11.5, 0.6, 0.1), still).state == LEANS_FOR  # what the images leave open stays open
    assert better("", one_run(12, 0.5, 0.4), still, same_network=True).state == FOR  # trained again, both move
    assert better("", Measured(np.array([12.0]), None, 0.4), still).rule == PRINTED
    assert better("", [12.0], [11.0]).rule == VALUE


@pytest.mark.parametrize(
    ("values", "reason"),
    [([5.0, float("nan")], "no number"), (Unusable("not run: x"), "not run: x")],
)
def test_what_cannot_be_compared_says_why(values, reason):
    for compared in (better("", values, [1, 2]), better("", [1, 2], values), similar("", values, [1, 2], 1)):
        assert (compared.state, compared.verdict) == (NOT_JUDGED, "not run")
        assert reason in compared.reason


# --- verdicts ---------------------------------------------------------------------------------------------------------


def test_all_asks_for_every_comparison_at_least_half_of_them_clearly():
    assert word(FOR, FOR) == word(FOR, LEANS_FOR) == HOLDS
    assert word(FOR, LEANS_FOR, LEANS_FOR) == UNDECIDED  # nothing speaks against it, but chance could make most of it
    two = [Clause("", [known(FOR)] * 3), Clause("", [known(LEANS_FOR)])]
    assert Verdict(two).word == HOLDS
    assert word(FOR, FOR, AGAINST) == word(FOR, FOR, LEANS_AGAINST) == PARTLY
    assert word(FOR, FOR, NOT_JUDGED) == UNDECIDED  # what was run agrees
    assert word() == UNDECIDED


def test_most_asks_for_more_than_half_clearly_whatever_was_not_run():
    assert word(FOR, FOR, AGAINST, quantifier=MOST) == HOLDS
    assert word(FOR, FOR, FOR, NOT_JUDGED, quantifier=MOST) == HOLDS
    assert word(FOR, AGAINST, quantifier=MOST) == PARTLY
    assert word(FOR, AGAINST, AGAINST, quantifier=MOST) == FAILS


def test_what_chance_could_make_is_never_called_a_failure():
    assert word(LEANS_FOR) == word(LEANS_AGAINST) == word(LEANS_AGAINST, LEANS_AGAINST, LEANS_FOR) == UNDECIDED
    assert word(FOR, LEANS_AGAINST, LEANS_AGAINST, LEANS_AGAINST) == UNDECIDED
    # One clear comparison in ten is what chance makes of no effect at all.
    assert word(AGAINST, *[LEANS_FOR, LEANS_AGAINST, LEANS_AGAINST] * 3) == UNDECIDED
    assert word(AGAINST, AGAINST, AGAINST, *[LEANS_FOR, LEANS_AGAINST, LEANS_AGAINST] * 3) == FAILS


def test_reversed_needs_most_clearly_the_other_way_and_none_clearly_the_papers():
    assert word(AGAINST, AGAINST, LEANS_FOR) == REVERSED
    assert word(AGAINST, AGAINST, AGAINST, FOR) == FAILS
    assert word(AGAINST, LEANS_AGAINST, LEANS_AGAINST) == FAILS
    apart = [similar("", [1.0, 1.0], [9.0, 9.0], 1.0)] * 3
    assert Verdict([Clause("", apart)]).word == FAILS  # similar has no other way round


def test_too_little_run_is_not_decided():
    assert word(AGAINST, NOT_JUDGED, NOT_JUDGED) == UNDECIDED
    assert word(AGAINST, NOT_JUDGED) == REVERSED
    assert word(NOT_JUDGED) == UNDECIDED


def test_a_whole_clause_activation_or_loss_makes_it_hold_in_part():
    met, not_met = Clause("one", [known(FOR)]), Clause("other", [known(AGAINST)] * 5)
    assert Verdict([met, not_met]).word == PARTLY
    assert Verdict([met, not_met]).where == "one 1 of 1, other 0 of 5 (reversed)"
    by_activation = [known(FOR, activation="ReLU")] * 2 + [known(AGAINST, activation="tanh")] * 5
    assert Verdict([Clause("", by_activation)]).word == PARTLY
    mixed = [known(FOR, activation="ReLU"), known(AGAINST, activation="ReLU")] + [known(AGAINST, activation="tanh")] * 5
    assert Verdict([Clause("", mixed)]).word == FAILS


def test_a_word_as_considerably_asks_for_more_than_the_direction():
    enough, too_little = known(FOR, degree=True), known(FOR, degree=False)
    assert Verdict([Clause("", [enough, enough])]).worded == YES
    little = Verdict([Clause("", [too_little, too_little])])
    assert (little.word, little.worded, little.agreeing, little.counts[FOR]) == (PARTLY, NO, 2, 2)


def test_whether_a_sentence_holds_as_worded_may_be_open():
    assert Verdict([Clause("", [known(FOR), known(NOT_JUDGED)])]).worded == OPEN
    assert Verdict([Clause("", [known(FOR), known(AGAINST)])]).worded == NO
    assert Verdict([Clause("", [known(FOR), known(AGAINST), known(NOT_JUDGED)], MOST)]).worded == OPEN


def test_verdicts_are_counted_in_words():
    counts = {HOLDS: 1, FAILS: 1, UNDECIDED: 1}
    assert counted(counts) == "1 holds, 0 hold in part, 1 does not hold, and 1 is not decided"
    counts = {HOLDS: 2, PARTLY: 1, REVERSED: 2, UNDECIDED: 3}
    assert counted(counts) == "2 hold, 1 holds in part, 2 are reversed, 0 do not hold, and 3 are not decided"
