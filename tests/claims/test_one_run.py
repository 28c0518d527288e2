"""One run, judged by the test images: how often the rule is wrong where the truth is known; all claims on stores."""

import math

import numpy as np
import pytest
from kit import made_up_stores, made_up_worlds

from stages.claims import AGAINST, FAILS, FOR, HOLDS, LEANS_FOR, REVERSED
from stages.claims.bootstrap import resampled_means
from stages.claims.chance import IMAGES, PRINTED, VALUE
from stages.claims.claims_files import described, rules_of
from stages.claims.comparisons import at_most, better, similar, within
from stages.claims.judge_claims import judge
from stages.claims.measured import Measured, Unusable
from stages.claims.measurements import measure
from stages.claims.printed_numbers import printed_measurements
from stages.storage import stores

ALL = [f"C{number:02d}" for number in range(1, 30)]
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


def share_of(state, comparisons):
    """Return the share of experiments in which a comparison has this state, all judged by the images."""
    assert {comparison.rule for comparison in comparisons} == {IMAGES}
    return np.mean([comparison.state == state for comparison in comparisons])


# --- how often each comparison is wrong -------------------------------------------------------------------------------


def test_equal_networks_are_clearly_apart_in_one_of_twenty(rng):
    """One of forty on either side."""
    compared = [better("", *pair) for pair in zip(*networks(rng, SHARE, SHARE), strict=True)]
    for state in (FOR, AGAINST):
        assert share_of(state, compared) == pytest.approx(0.025, abs=three_errors(0.025))


def test_a_planted_difference_of_four_errors_is_clear(rng):
    pairs = list(zip(*networks(rng, SHARE + 4 * ERROR_OF_DIFFERENCE / 100, SHARE), strict=True))
    assert share_of(FOR, [better("", *pair) for pair in pairs]) > 0.95
    assert share_of(AGAINST, [better("", low, high) for high, low in pairs]) > 0.95
    assert share_of(AGAINST, [better("", *pair) for pair in pairs]) == 0


def test_networks_a_tolerance_apart_are_clearly_similar_in_one_of_forty(rng):
    pairs = list(zip(*networks(rng, SHARE + 0.04, SHARE), strict=True))
    compared = [similar("", *pair, 4.0) for pair in pairs]
    for state in (FOR, AGAINST):
        assert share_of(state, compared) == pytest.approx(0.025, abs=three_errors(0.025))
    assert share_of(FOR, [similar("", *pair, 4.0 + 4 * ERROR_OF_DIFFERENCE) for pair in pairs]) > 0.95


def test_equal_networks_are_clearly_dissimilar_in_none(rng):
    pairs = list(zip(*networks(rng, SHARE, SHARE), strict=True))
    assert share_of(AGAINST, [similar("", *pair, 1.0) for pair in pairs]) < 0.025


def test_a_value_at_the_limit_passes_in_one_of_forty(rng):
    (found,) = networks(rng, SHARE)
    compared = [at_most("", each, 100 * SHARE) for each in found]
    assert share_of(FOR, compared) == pytest.approx(0.025, abs=three_errors(0.025))
    assert share_of(FOR, [at_most("", each, 100 * SHARE + 4 * ERROR) for each in found]) > 0.95
    assert share_of(FOR, [within("", each, (80.0, 100.0)) for each in found]) == 1


@pytest.mark.parametrize("runs", [2, 3, 5])
def test_with_several_runs_equal_networks_are_clearly_apart_in_one_of_twenty(rng, runs):
    """Networks that scatter when trained again, whatever the images say."""
    values = rng.normal(97, 0.3, (2, 4000, runs))
    states = [better("", one, other).state for one, other in zip(*values, strict=True)]
    assert np.mean([state in (FOR, AGAINST) for state in states]) == pytest.approx(0.05, abs=3 * math.sqrt(0.05 / 4000))


@pytest.mark.parametrize("std", [0.06, 0.25])
def test_on_one_run_training_again_is_not_taken_for_an_effect(rng, std):
    """Two equal networks trained anew: the images alone call them clearly apart much too often, the paper's spread not.

    10,000 images at 98 %: a sampling error of about 0.1 points. What is left is at most the 4.6 %
    beyond two deviations.
    """
    trained = rng.normal(98, std, (2, 4000))
    spread = 0.1 * rng.standard_normal(1000)  # of resampled images, which both networks share for the most part

    def clear(printed):
        one, other = (
            [Measured(np.array([value]), value + share * spread, printed) for value in row]
            for row, share in zip(trained, (1.5, 1), strict=True)
        )
        states = [better("", *pair).state for pair in zip(one, other, strict=True)]
        return np.mean([state in (FOR, AGAINST) for state in states])

    assert clear(std) < 0.046 + 3 * math.sqrt(0.046 / 4000)
    assert clear(None) > (0.5 if std > 0.2 else 0.1)


# --- what a comparison says -------------------------------------------------------------------------------------------


def test_the_whole_interval_has_to_be_on_the_right_side():
    spread = np.linspace(-1, 1, 1001)  # the middle 95 %: from -0.95 to 0.95
    high, low = Measured(np.array([12.0]), 12 + spread), Measured(np.array([11.1]), np.full(1001, 11.1))
    compared = better("", high, low)
    assert (compared.state, compared.verdict, compared.rule) == (LEANS_FOR, "within chance", IMAGES)
    assert (compared.statistic, compared.low, compared.high) == pytest.approx((0.9, -0.05, 1.85), abs=1e-9)
    assert better("", Measured(np.array([12.1]), 12.1 + spread), low).state == FOR
    assert similar("", high, low, 1.8).state == LEANS_FOR
    assert similar("", high, low, 1.86).state == FOR


def test_where_images_have_no_say_the_value_of_the_run_decides():
    compared = better("", [5.0], [4.0])
    assert (compared.state, compared.rule, compared.low) == (FOR, VALUE, 1.0)
    assert better("", [4.0], [4.0]).state == AGAINST
    assert within("", [9.0], (4.5, 18)).rule == VALUE
    # Known of one of the two alone, the images' error says nothing of the difference.
    assert better("", [5.0], Measured(np.array([4.0]), np.full(100, 4.0))).rule == VALUE


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
    verdicts = judge(found)
    assert {claim: each.word for claim, each in verdicts.items()} == dict.fromkeys(ALL, HOLDS)
    rules = {claim: rules_of(each) for claim, each in verdicts.items()}
    assert {claim: rule for claim, rule in rules.items() if rule != IMAGES} == dict.fromkeys(
        ("C10", "C13", "C25", "C29"), VALUE
    )
    assert described(verdicts["C01"].clauses[0].comparisons[0]).startswith("Euler over ODE45: 1 points (0.")


def test_no_claim_holds_on_one_run_of_the_opposite_world(config, tmp_path):
    verdicts = judge(measure(made_up_stores.one_run_results(made_up_worlds.the_opposite(), tmp_path), config))
    assert {claim: each.word for claim, each in verdicts.items() if each.word not in (FAILS, REVERSED)} == {}


def test_the_papers_spread_is_asked_for_where_it_is_printed(results, config, root):
    """Two networks a point apart, of which the paper says that they vary by a tenth of a point or by half a point."""
    few = made_up_stores.one_run_config()
    few["models"]["table2"] = {"trainers": ["sgd"], "losses": ["ce"], "activations": ["relu"]}
    few["attack"]["attacks"] = {}
    printed = printed_measurements(root / "workflow" / "reference", few["claims"])
    measured = measure(results, few, printed)
    assert measured.get("accuracy", "sgd_ce_relu").printed_std == 0.37
    assert measured.get("train_accuracy_under_euler", "ncg-euler20_l2_tanh").printed_std == 0.01
    assert measured.get("noise_area", "sgd_ce_relu").printed_std is None
    verdict = judge(measured)["C01"]
    assert (verdict.word, rules_of(verdict)) == (HOLDS, f"{IMAGES}; {PRINTED}")


def test_what_is_resampled_lies_around_what_was_measured(found):
    """To within the half image by which made-up outcomes miss a made-up accuracy, and a part of the sampling error.

    The mean of a resampled ratio lies off the ratio by its curvature over n, here up to a tenth of the sampling error.
    """
    checked = set()
    for (quantity, key), value in found.values.items():
        if isinstance(value, Measured) and value.resampled is not None and np.isfinite(value.mean):
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
    assert reason == "sgd_ce_relu: its store keeps no single images: make it again"
