"""One run, judged by the test images: how often the rule is wrong where the truth is known; all claims on stores."""

import math

import made_up_stores
import made_up_worlds
import numpy as np
import pytest

from stages import stores
from stages.claims.judge_claims import describe, judge, rules_of
from stages.claims.verdicts import (
    FAILS,
    HOLDS,
    IMAGES,
    UNDECIDED,
    VALUE,
    at_most,
    better,
    between,
    close,
    no_effect,
)
from stages.statistics.bootstrap import resampled_means
from stages.statistics.measured import Measured, Unusable
from stages.statistics.measurements import measure

ALL = [f"C{number:02d}" for number in range(1, 21)]
EXPERIMENTS, TEST_IMAGES, RESAMPLINGS = 600, 1000, 1000
SHARE = 0.9
# In points: the sampling error of a share of 90 % among 1,000 images, and of a difference of two that see half alike.
ERROR = 100 * math.sqrt(SHARE * (1 - SHARE) / TEST_IMAGES)
ERROR_OF_DIFFERENCE = math.sqrt(2 * (1 - 0.25)) * ERROR


def three_errors(rate):
    """Three standard errors of a rate, from the number of experiments and from that of their common resamplings."""
    return 3 * math.sqrt(rate * (1 - rate) * (1 / EXPERIMENTS + 1 / RESAMPLINGS))


def networks(rng, *shares):
    """Return, for every experiment, the accuracy of networks with these true accuracies on the same test images."""
    hardness = rng.random((EXPERIMENTS, TEST_IMAGES))
    for share in shares:
        own = rng.random((EXPERIMENTS, TEST_IMAGES))
        correct = np.where(rng.random((EXPERIMENTS, TEST_IMAGES)) < 0.5, hardness, own) < share
        again = 100 * resampled_means(correct.astype(np.float32), RESAMPLINGS, np.random.default_rng(9))
        yield [
            Measured(np.array([100 * row.mean()]), column)
            for row, column in zip(correct, np.ascontiguousarray(again.T), strict=True)
        ]


def share_that_holds(comparisons):
    """Return the share of experiments in which a comparison holds, all judged by the images."""
    assert {comparison.rule for comparison in comparisons} == {IMAGES}
    return np.mean([comparison.holds for comparison in comparisons])


# --- how often each comparison is wrong -------------------------------------------------------------------------------


def test_equal_networks_are_called_better_in_one_of_forty(rng):
    held = share_that_holds([better("", *pair) for pair in zip(*networks(rng, SHARE, SHARE), strict=True)])
    assert held == pytest.approx(0.025, abs=three_errors(0.025))


def test_a_planted_difference_of_four_errors_is_found(rng):
    pairs = list(zip(*networks(rng, SHARE + 4 * ERROR_OF_DIFFERENCE / 100, SHARE), strict=True))
    assert share_that_holds([better("", *pair) for pair in pairs]) > 0.95
    assert share_that_holds([better("", low, high) for high, low in pairs]) == 0
    assert share_that_holds([no_effect("", [pair]) for pair in pairs]) < 0.05


@pytest.mark.parametrize("count", [1, 4])
def test_no_effect_is_refuted_in_one_of_twenty_where_there_is_none(rng, count):
    pairs = [zip(*networks(rng, SHARE, SHARE), strict=True) for _ in range(count)]
    held = share_that_holds([no_effect("", several) for several in zip(*pairs, strict=True)])
    assert 1 - held == pytest.approx(0.05, abs=three_errors(0.05))


def test_no_effect_allows_the_tolerance_where_chance_is_less(rng):
    pairs = list(zip(*networks(rng, SHARE + 0.03, SHARE), strict=True))
    assert share_that_holds([no_effect("", [pair], tolerance=6.0) for pair in pairs]) > 0.99
    assert all(no_effect("", [pair], tolerance=6.0).threshold == 6.0 for pair in pairs)


def test_a_value_at_the_limit_passes_in_one_of_forty(rng):
    (found,) = networks(rng, SHARE)
    assert share_that_holds([at_most("", each, 100 * SHARE) for each in found]) == pytest.approx(
        0.025, abs=three_errors(0.025)
    )
    assert share_that_holds([at_most("", each, 100 * SHARE + 4 * ERROR) for each in found]) > 0.95
    assert share_that_holds([between("", each, 80.0, 100 * SHARE) for each in found]) < 0.025 + three_errors(0.025)
    assert share_that_holds([between("", each, 80.0, 100.0) for each in found]) == 1


def test_networks_a_limit_apart_are_called_close_in_one_of_forty(rng):
    pairs = list(zip(*networks(rng, SHARE + 0.04, SHARE), strict=True))
    assert share_that_holds([close("", *pair, 4.0) for pair in pairs]) == pytest.approx(0.025, abs=three_errors(0.025))
    assert share_that_holds([close("", *pair, 4.0 + 4 * ERROR_OF_DIFFERENCE) for pair in pairs]) > 0.95


# --- what a comparison says -------------------------------------------------------------------------------------------


def test_the_whole_interval_has_to_be_on_the_right_side():
    spread = np.linspace(-1, 1, 1001)  # the middle 95 %: from -0.95 to 0.95
    high, low = Measured(np.array([12.0]), 12 + spread), Measured(np.array([11.1]), np.full(1001, 11.1))
    found = better("", high, low)
    assert (found.verdict, found.threshold, found.rule) == (FAILS, 0.0, IMAGES)
    assert (found.statistic, found.low, found.high) == pytest.approx((0.9, -0.05, 1.85), abs=1e-9)
    assert found.margin == found.low
    assert better("", Measured(np.array([12.1]), 12.1 + spread), low).verdict == HOLDS
    assert close("", high, low, 1.8).verdict == FAILS
    assert close("", high, low, 1.86).verdict == HOLDS
    assert close("", high, low, 1.86).low == 0.0  # of the size of a difference that may be none


def test_where_images_have_no_say_the_value_of_the_run_decides():
    found = better("", [5.0], [4.0])
    assert (found.verdict, found.margin, found.rule, found.low) == (HOLDS, 1.0, VALUE, None)
    assert better("", [4.0], [4.0]).verdict == FAILS
    assert no_effect("", [([5.0], [4.0])], tolerance=1.0).verdict == HOLDS
    assert no_effect("", [([5.0], [4.0])], tolerance=0.5).verdict == FAILS
    assert between("", [9.0], 4.5, 18).rule == VALUE
    # Known of one of the two alone, the images' error says nothing of the difference.
    assert better("", [5.0], Measured(np.array([4.0]), np.full(100, 4.0))).rule == VALUE


def test_one_run_is_not_compared_with_several():
    found = better("", [5.0], [4.0, 4.1])
    assert found.verdict == UNDECIDED
    assert found.reason == "1 run beside 2: neither a spread nor the same images"


# --- all claims, on stores --------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def config():
    config = made_up_stores.one_run_config()
    config["claims"]["minimum_accuracy"] = 90.0
    return config


@pytest.fixture(scope="module")
def results(tmp_path_factory):
    return made_up_stores.one_run_results(made_up_worlds.as_the_paper_says(), tmp_path_factory.mktemp("paper"))


@pytest.fixture(scope="module")
def found(results, config):
    return measure(results, config)


def test_all_claims_hold_on_one_run_of_a_world_as_the_paper_says(found):
    judged = judge(found)
    assert {claim: verdict for claim, (verdict, _, _) in judged.items()} == dict.fromkeys(ALL, HOLDS)
    rules = {claim: rules_of(groups) for claim, (_, groups, _) in judged.items()}
    assert {claim for claim, rule in rules.items() if rule != IMAGES} == {"C10", "C13", "C18"}
    assert (rules["C10"], rules["C13"], rules["C18"]) == (f"{IMAGES}; {VALUE}", VALUE, f"{IMAGES}; {VALUE}")
    assert describe(*judged["C01"][:2])[0].startswith("test accuracy: Euler over ODE45: 1 points (0.")


def test_no_claim_holds_on_one_run_of_the_opposite_world(config, tmp_path):
    judged = judge(measure(made_up_stores.one_run_results(made_up_worlds.the_opposite(), tmp_path), config))
    assert {claim: verdict for claim, (verdict, _, _) in judged.items()} == dict.fromkeys(ALL, FAILS)


def test_what_is_resampled_lies_around_what_was_measured(found):
    """To within the half image by which made-up outcomes miss a made-up accuracy, and a part of the sampling error.

    The mean of a resampled ratio lies off the ratio by its curvature over n, here up to a tenth of the sampling error.
    """
    checked = set()
    for (quantity, key), value in found.values.items():
        if isinstance(value, Measured) and value.resampled is not None:
            allowed = 0.15 * value.resampled.std() + 2e-3 * abs(value.mean)
            assert abs(value.resampled.mean() - value.mean) <= allowed, (quantity, key)
            checked.add(quantity)
    assert {"accuracy", "noise_area", "growth", "largest_error", "norm_per_success", "single_pixel_share"} < checked


def test_the_same_seed_gives_the_same_images_whichever_models_there_are(found, results):
    few = made_up_stores.one_run_config()
    few["models"]["table2"] = {"trainers": ["sgd"], "losses": ["ce"], "activations": ["relu"]}
    few["attack"]["attacks"] = {}
    again = measure(results, few).get("noise_area", "sgd_ce_relu").resampled
    np.testing.assert_array_equal(again, found.get("noise_area", "sgd_ce_relu").resampled)


def test_stores_without_single_images_leave_a_reason(results, config, monkeypatch):
    read = stores.read
    monkeypatch.setattr(stores, "read", lambda *arguments: read(*arguments).drop_vars("correct", errors="ignore"))
    few = made_up_stores.one_run_config()
    few["models"]["table2"] = {"trainers": ["sgd"], "losses": ["ce"], "activations": ["relu"]}
    few["attack"]["attacks"] = {}
    found = measure(results, few)
    assert isinstance(found.get("accuracy", "sgd_ce_relu"), Unusable)
    reason = found.get("noise_area", "sgd_ce_relu").reason
    assert reason == "1 run, and its store keeps no outcome of single images: make it again"
