"""Bars and sentences: each says what the comparisons are, and nothing where there are none."""

import csv

import pytest
from kit import made_up_worlds

from stages.claims import AGAINST, FOR, LEANS_AGAINST, LEANS_FOR, NOT_JUDGED, STATES
from stages.claims.bars import text_bar, told
from stages.claims.claims_files import DETAIL, detail_rows
from stages.claims.conclusions import conclusions
from stages.claims.judge_claims import judge
from stages.claims.measurements import Measurements
from stages.storage.csv_files import as_csv

NONE = dict.fromkeys(STATES, 0)


def test_a_bar_has_a_block_per_comparison():
    counts = NONE | {FOR: 3, LEANS_FOR: 1, LEANS_AGAINST: 1, AGAINST: 2, NOT_JUDGED: 1}
    assert text_bar(counts) == "███▓▒░░·"
    assert told(counts) == "3 clearly for, 1 leaning for, 1 leaning against, 2 clearly against, 1 not run"
    assert text_bar(NONE) == told(NONE) == ""


@pytest.mark.parametrize(
    "counts", [(100, 1, 1, 1, 1), (7, 7, 7, 7, 7), (0, 0, 33, 0, 1), (17, 0, 0, 0, 0), (9, 9, 9, 1, 1)]
)
def test_a_long_bar_is_scaled_and_leaves_nothing_out(counts):
    bar = text_bar(dict(zip(STATES, counts, strict=True)), 16)
    assert len(bar) == 16
    assert len(set(bar)) == sum(count > 0 for count in counts)


def sentences(found):
    return conclusions(detail_rows(judge(found), {}))


def test_the_worlds_are_told_apart(config):
    paper, other = (
        " ".join(sentences(made_up_worlds.measurements(config, world())))
        for world in (made_up_worlds.as_the_paper_says, made_up_worlds.the_opposite)
    )
    assert "with ReLU, SGD's networks are 2.4 to 4 times as susceptible as those trained by NCG" in paper
    assert "with tanh, SGD's networks are 2.4 to 4 times as susceptible" in paper
    assert "with ReLU it is the other way round: NCG's are 1.5 to 2.5 times as susceptible as SGD's" in other
    assert "smoother weights in 16 of 16 comparisons" in paper
    assert "smoother weights in 0 of 16 comparisons" in other


def test_only_what_was_run_is_told(config):
    assert sentences(Measurements(config["claims"])) == []
    found = made_up_worlds.measurements(config, made_up_worlds.as_the_paper_says())
    kept = Measurements(config["claims"])
    kept.values = {place: value for place, value in found.values.items() if place[0] == "accuracy"}
    text = " ".join(sentences(kept))
    assert "test accuracy differs from SGD's by +2.00" in text
    assert "susceptible" not in text
    assert "smoother" not in text


def test_networks_that_no_attack_changes_are_told_too(config):
    """No factor says how much more susceptible the others are."""
    found = made_up_worlds.measurements(config, made_up_worlds.the_opposite())
    for quantity, key in found.values:
        if quantity == "success_up_to_norm" and key[1].startswith("sgd_"):
            found.put(quantity, key, [0.0, 0.0])
    text = " ".join(sentences(found))
    assert "with ReLU, SGD's networks are the more susceptible in 0 of 8 comparisons" in text


def test_rows_of_the_file_make_the_same_sentences(config):
    """The report makes them from the file."""
    rows = detail_rows(judge(made_up_worlds.measurements(config, made_up_worlds.the_opposite())), {})
    again = list(csv.DictReader(as_csv(DETAIL, rows).splitlines()))
    assert conclusions(again) == conclusions(rows) != []
