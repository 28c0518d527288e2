"""How many comparisons agree in each run by itself: shown beside a verdict, which does not depend on it."""

import pytest

from stages.claims.claims_files import EVERY_RUN, as_markdown, summary_rows
from stages.claims.comparisons import better, similar
from stages.claims.every_run import in_every_run
from stages.claims.measurements import Measurements
from stages.claims.verdicts import Clause, Verdict

RUNS = {
    "above": [3.0, 4.0, 5.0],
    "below": [1.0, 2.0, 3.0],
    "once below": [1.0, 2.0, 6.0],
    "two": [9.0, 9.0],
    "single": [9.0],
}


def judge(numbers):
    """Return the verdicts on two claims of differences, and on one that no second run concerns."""

    def compared(compare, *pairs):
        return [compare("", numbers.get("accuracy", one), numbers.get("accuracy", other)) for one, other in pairs]

    directed = compared(better, ("above", "below"), ("above", "once below"), ("two", "below"), ("single", "below"))
    near = compared(lambda *asked: similar(*asked, 2.5), ("above", "below"), ("above", "once below"), ("two", "below"))
    alone = compared(better, ("single", "below"))
    claims = {"C01": directed, "C02": near, "C03": alone}
    return {number: Verdict([Clause("", comparisons)]) for number, comparisons in claims.items()}


@pytest.fixture
def numbers():
    found = Measurements({})
    for model, values in RUNS.items():
        found.put("accuracy", model, values)
    return found


def test_comparisons_that_agree_in_each_run_are_counted_among_those_that_each_run_allows(numbers):
    """`two` has no third run and `single` no second one: neither is counted."""
    assert in_every_run(judge, numbers) == {"C01": "1 of 2", "C02": "2 of 2"}


def test_the_runs_of_all_networks_are_left_as_they_were(numbers):
    before = {place: value.runs.tolist() for place, value in numbers.values.items()}
    in_every_run(judge, numbers)
    assert {place: value.runs.tolist() for place, value in numbers.values.items()} == before


def test_one_run_says_nothing_of_others(numbers):
    assert in_every_run(judge, numbers.changed(lambda value: value.first_run)) == {}


def test_the_count_and_its_meaning_are_shown_where_there_are_several_runs(numbers):
    verdicts = judge(numbers)
    wording = [{"id": claim, "claim": ""} for claim in verdicts]
    rows = summary_rows(verdicts, {}, verdicts, in_every_run(judge, numbers), wording, {})
    assert [row["in_every_run"] for row in rows] == ["1 of 2", "2 of 2", ""]
    page = as_markdown(rows, "")
    assert "| in every run |" in page
    assert EVERY_RUN in page
    page = as_markdown(summary_rows(verdicts, {}, verdicts, {}, wording, {}), "")
    assert "in every run" not in page.lower()
