"""The first of several runs: compared where the other network has one run alone, and judged beside all of them."""

import math

import numpy as np
import pytest
from kit import made_up_stores, made_up_worlds

from stages.claims.chance import IMAGES, PRINTED, RUNS, VALUE
from stages.claims.claims_files import as_markdown, summary_rows
from stages.claims.comparisons import better
from stages.claims.judge_claims import judge
from stages.claims.measured import Measured, Unusable, combined
from stages.claims.measurements import measure


def test_beside_a_single_run_the_first_of_several_is_compared():
    """By the images, as if there were no other run."""
    spread = np.linspace(-1, 1, 1001)
    one, two = Measured(np.array([12.0]), 12 + spread), Measured(np.array([11.1, 5.0]), np.full(1001, 11.1))
    compared = better("", one, two)
    assert (compared.statistic, compared.rule) == (pytest.approx(0.9), IMAGES)
    assert compared == better("", one, two.first_run)
    assert better("", two, Measured(np.array([4.0, 6.0]), spread)).rule == RUNS
    assert better("", [5.0], [4.0, 9.0]).rule == VALUE


def test_a_difference_to_the_paper_is_asked_for_beside_a_single_run_too():
    one, two = Measured(np.array([98.2]), printed_std=0.1), Measured(np.array([98.0, 98.1]), printed_std=0.1)
    compared = better("", one, two)
    assert compared.rule == PRINTED
    assert (compared.low, compared.high) == pytest.approx((0.2 - 0.2 * math.sqrt(2), 0.2 + 0.2 * math.sqrt(2)))


def test_too_few_images_decide_nothing_for_one_run_and_do_not_matter_for_several():
    few = Unusable("1 run on 3 images, wanted at least 10")
    assert better("", Measured(np.array([5.0]), few), [4.0]).reason == few.reason
    assert better("", Measured(np.array([5.0, 5.1]), few), [4.0, 4.1]).rule == RUNS
    assert combined(sum, [Measured(np.array([5.0, 5.1]), few), [1.0, 2.0]]).resampled is None
    assert combined(sum, [Measured(np.array([5.0, 5.1]), few)] * 2).first_run == few


def test_quantities_of_different_numbers_of_runs_are_combined_over_those_that_both_have():
    both = combined(lambda values: values[0] - values[1], [[5.0, 6.0, 7.0], [1.0, 1.0]])
    assert both.runs.tolist() == [4.0, 5.0]


@pytest.fixture(scope="module")
def of_two_runs(tmp_path_factory):
    """Measurements of two runs, of SGD with weight decay of one, in a world as the paper says; run 0 lies below it."""
    config = made_up_stores.one_run_config()
    config["claims"]["minimum_accuracy"] = 90.0
    config["training"]["runs"] = 2
    config["trainers"]["sgd-wd"]["runs"] = 1
    folder = tmp_path_factory.mktemp("two") / "smoke"
    made_up_stores.write_stores(folder, config, made_up_worlds.as_the_paper_says())
    return folder, config, measure(folder, config)


def test_the_first_run_is_measured_as_if_there_were_no_other(of_two_runs):
    folder, config, found = of_two_runs
    alone = measure(folder, config | {"training": config["training"] | {"runs": 1}})
    first = found.of_first_run()
    assert found.runs == 2
    assert first.values.keys() == alone.values.keys()
    for place, value in alone.values.items():
        np.testing.assert_array_equal(first.values[place].runs, value.runs)
        np.testing.assert_array_equal(first.values[place].resampled, value.resampled)


def test_networks_with_a_single_run_are_judged_by_their_images(of_two_runs):
    _, _, found = of_two_runs
    compared = {each.what: each for each in judge(found)["C03"].comparisons}
    rules = {what: each.rule for what, each in compared.items()}
    assert {rule for what, rule in rules.items() if "weight decay" in what} == {IMAGES}
    assert {rule for what, rule in rules.items() if "weight decay" not in what} == {RUNS}
    sgd, ncg = (found.get("accuracy", f"{trainer}_ce_relu") for trainer in ("sgd-wd", "ncg-wd"))
    (statistic,) = (each.statistic for what, each in compared.items() if "weight decay" in what and "ReLU" in what)
    assert statistic == pytest.approx(ncg.runs[0] - sgd.runs[0])


def test_another_verdict_of_the_first_run_stands_beside(of_two_runs):
    _, _, found = of_two_runs
    verdicts, on_run_0 = judge(found), judge(found.of_first_run())
    first = judge(made_up_worlds.measurements(made_up_stores.one_run_config(), made_up_worlds.the_opposite()))
    wording = [{"id": claim, "claim": ""} for claim in verdicts]
    same = {row["id"]: row["on_run_0"] for row in summary_rows(verdicts, {}, on_run_0, {}, wording, {})}
    assert {claim for claim, word in same.items() if word} == {
        claim for claim in verdicts if verdicts[claim].word != on_run_0[claim].word
    }
    rows = summary_rows(verdicts, {}, first, {}, wording, {})
    assert [row["on_run_0"] for row in rows if row["id"] == "C27"] == ["reversed (0 of 4)"]
    page = as_markdown(rows, "")
    assert "| on run 0 alone |" in page
    assert "how far a verdict depends on a single training" in page
    assert "on run 0 alone" not in as_markdown(summary_rows(verdicts, {}, verdicts, {}, wording, {}), "")
