"""Levels: the interval in which a new mean should lie, how often it does, and what is counted."""

import numpy as np
import pytest
from kit.project_copy import ROOT

from stages.claims.levels import INSIDE, NOT_COMPARED, NOT_RUN, OUTSIDE, counted_levels, half_width, level_rows
from stages.claims.measurements import Measurements
from stages.claims.printed_numbers import five_runs, printed_measurements
from stages.runtime.errors import UserError

REFERENCE = ROOT / "workflow" / "reference"
EXPERIMENTS = 20_000


@pytest.fixture
def printed():
    return printed_measurements(REFERENCE, {})


def test_one_run_may_differ_from_five_by_three_deviations():
    assert half_width(1.0, 1) == pytest.approx(3.04, abs=0.005)
    assert half_width(0.0, 1) == half_width(0.005, 1)  # printed as 0.00


@pytest.mark.parametrize("runs", [1, 3, 5])
def test_a_mean_of_the_same_distribution_lies_inside_as_often_as_it_says(rng, runs):
    paper, ours = rng.normal(97, 0.2, (EXPERIMENTS, 5)), rng.normal(97, 0.2, (EXPERIMENTS, runs))
    half = np.array([half_width(std, runs) for std in paper.std(axis=1, ddof=1)])
    inside = np.abs(paper.mean(axis=1) - ours.mean(axis=1)) <= half
    assert inside.mean() == pytest.approx(0.95, abs=3 * (0.05 * 0.95 / EXPERIMENTS) ** 0.5 + 0.001)


def test_five_values_stand_for_a_printed_number():
    values = five_runs(97.5, 0.25).runs
    assert (len(values), values.mean(), values.std(ddof=1)) == (5, pytest.approx(97.5), pytest.approx(0.25))


def test_every_printed_number_has_its_row(printed):
    nothing = level_rows(Measurements({}), printed)
    assert {row["level"] for row in nothing} == {NOT_RUN}
    # Table 1: training and test images; Table 3: three numbers per network, for both outputs that the attack may see.
    assert counted_levels(nothing) == {
        ("Table 1", ""): {NOT_RUN: 8},
        ("Table 2", ""): {NOT_RUN: 20},
        ("Table 3", "Carlini-Wagner on scores"): {NOT_RUN: 36},
        ("Table 3", "Carlini-Wagner on softmax"): {NOT_RUN: 36},
    }


def test_the_papers_own_numbers_lie_inside_and_others_outside(printed):
    ours = Measurements({})
    ours.put("accuracy", "sgd_ce_relu", [96.30 + 3.0 * 0.37])
    ours.put("accuracy", "sgd_ce_tanh", [95.21 + 3.1 * 0.26])
    levels = {row["what"]: row["level"] for row in level_rows(ours, printed) if row["ours"]}
    assert levels == {"SGD, ReLU, CE": INSIDE, "SGD, tanh, CE": OUTSIDE}
    assert {row["level"] for row in level_rows(printed, printed)} == {INSIDE}


def test_a_number_that_was_run_and_cannot_be_compared_is_not_called_not_run(printed):
    """An attack without any success has no mean norm; a network that has not learned has no numbers to compare."""
    ours = Measurements({})
    ours.put("mean_norm", ("cw", "sgd_ce_relu"), [np.nan])
    ours.put("max_norm", ("cw", "sgd_ce_relu"), [-np.inf])
    ours.put("accuracy", "ncg_ce_relu", [11.0])
    ours.reasons["ncg_ce_relu"] = "ncg_ce_relu reached 11.0 % accuracy, a verdict wants 90 %"
    rows = level_rows(ours, printed)
    counts = counted_levels(rows)
    assert counts["Table 3", "Carlini-Wagner on scores"] == {NOT_COMPARED: 2 + 3, NOT_RUN: 36 - 5}
    assert counts["Table 2", ""] == {NOT_COMPARED: 1, NOT_RUN: 19}


def test_a_printed_number_that_is_none_is_a_message(tmp_path):
    for path in REFERENCE.glob("table*.csv"):
        (tmp_path / path.name).write_text(path.read_text().replace("95.21", "95,21 %"))
    with pytest.raises(UserError, match=r"table2_accuracy.csv: row 2: test_accuracy_(mean|std): wanted a number"):
        printed_measurements(tmp_path, {})
