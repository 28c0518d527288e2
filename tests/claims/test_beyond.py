"""Our own claims beyond the paper, on made-up experiments in which each plainly holds, fails, and cannot be decided."""

import copy
from types import SimpleNamespace

import made_up_stores
import made_up_worlds
import pytest

from stages.claims import apart, judge_claims
from stages.claims.judge_claims import BEYOND, CLAIMS, describe, judge
from stages.claims.verdicts import FAILS, HOLDS, IMAGES, UNDECIDED, claim_verdict
from stages.plan import shown
from stages.statistics.measured import Measured
from stages.statistics.measurements import measure
from stages.tables.layout import read_csv

ALL = [f"B{number:02d}" for number in range(1, 11)]
IMAGES_ATTACKED = 400


@pytest.fixture(scope="module")
def whole():
    """The whole preset, two runs."""
    return made_up_stores.configuration.load(made_up_stores.ROOT, "beyond", {"training": {"runs": 2}})


@pytest.fixture
def found(whole):
    return made_up_worlds.measurements(whole, made_up_worlds.as_we_say())


def test_each_has_its_wording_and_none_is_the_papers(root):
    assert list(BEYOND) == ALL
    rows = read_csv(root / "workflow" / "reference" / "claims_beyond.csv")
    assert [row["id"] for row in rows] == ALL
    assert apart([{"id": name} for name in [*CLAIMS, *BEYOND]]) == tuple(
        [{"id": name} for name in names] for names in (CLAIMS, BEYOND)
    )


@pytest.mark.parametrize("claim", ALL)
def test_holds_where_the_world_is_as_we_say(claim, found):
    assert claim_verdict(BEYOND[claim](found)) == HOLDS


@pytest.mark.parametrize("claim", ALL)
def test_does_not_hold_where_robust_training_only_masks_and_nothing_is_predictable(claim, whole):
    found = made_up_worlds.measurements(whole, made_up_worlds.not_as_we_say())
    assert claim_verdict(BEYOND[claim](found)) == FAILS


@pytest.mark.parametrize("claim", ALL)
def test_is_not_decided_without_stores(claim, whole, tmp_path):
    groups = BEYOND[claim](measure(tmp_path, whole))
    assert claim_verdict(groups) == UNDECIDED
    assert describe(UNDECIDED, groups)[3].startswith("not run: ")


@pytest.mark.parametrize("claim", ALL)
def test_is_not_decided_in_an_experiment_without_robust_networks_or_uncertainty(claim, tmp_path):
    groups = BEYOND[claim](measure(tmp_path, made_up_stores.one_run_config()))
    assert claim_verdict(groups) == UNDECIDED


def test_one_attack_that_gains_too_little_is_enough_and_is_named(found):
    key = ("cw", "ncg-robust_l2_tanh")
    plain = found.get("success_at_norm", ("cw", "ncg_l2_tanh"))
    found.put("success_at_norm", key, 0.8 * plain.runs)
    groups = BEYOND["B03"](found)
    assert claim_verdict(groups) == FAILS
    assert "Carlini-Wagner on scores: NCG, tanh, ℓ²: 80 % of the plain twin's, needs ≤ 70" in describe(FAILS, groups)[0]
    assert claim_verdict(BEYOND["B02"](found)) == HOLDS  # which speaks of the attack that was trained on


def test_an_attack_that_never_succeeds_leaves_the_claim_open(found):
    for model in ("sgd_l2_tanh", "sgd-robust_l2_tanh"):
        found.put("success_at_norm", ("cw", model), [0.0, 0.0])
    groups = BEYOND["B03"](found)
    assert claim_verdict(groups) == UNDECIDED
    assert "no number" in describe(UNDECIDED, groups)[3]


# --- with stores of one run -------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def one_run(tmp_path_factory):
    """(configuration, folder of stores) of one run, with images enough for their sampling error to be small."""
    config = made_up_stores.beyond_config(1, data={"origin": "sample", "train": 400, "test": 2000, "side": 7})
    config["attack"]["images"], config["uncertainty"]["images"] = IMAGES_ATTACKED, 2000
    folder = tmp_path_factory.mktemp("beyond")
    made_up_stores.write_stores(folder, config, made_up_worlds.as_we_say())
    return config, folder


@pytest.fixture(scope="module")
def measured(one_run):
    config, folder = one_run
    return measure(folder, config)


def test_all_hold_on_one_run_judged_by_the_images(measured):
    judged = judge(measured, claims=BEYOND)
    assert {claim: verdict for claim, (verdict, _, _) in judged.items()} == dict.fromkeys(ALL, HOLDS)
    rules = {each.rule for _, groups, _ in judged.values() for group in groups for each in group.comparisons}
    assert rules == {IMAGES}


def test_what_is_resampled_lies_around_what_was_measured(measured):
    for quantity in ("largest_gap", "mean_gap", "roc_area_distance", "roc_area_confidence"):
        value = measured.get(quantity, "ncg_l2_tanh")
        assert isinstance(value, Measured)
        assert abs(value.resampled.mean() - value.mean) <= 0.15 * value.resampled.std() + 1e-6, quantity


def test_the_files_count_them_apart_from_the_papers(one_run, measured, root, tmp_path, monkeypatch):
    monkeypatch.setattr(judge_claims, "measure", lambda folder, config: measured)
    options = SimpleNamespace(
        settings=shown.claims_settings(one_run[0]),
        results=None,
        reference=root / "workflow" / "reference",
        csv=tmp_path / "claims.csv",
        markdown=tmp_path / "claims.md",
        detail=tmp_path / "claims_in_detail.csv",
    )
    judge_claims.main(options)
    paper, ours = apart(read_csv(options.csv))
    assert ([row["id"] for row in paper], [row["id"] for row in ours]) == (list(CLAIMS), ALL)
    text = options.markdown.read_text()
    first, second = text.split("## Beyond the paper: claims of our own")
    assert "**10** holds, **0** does not hold, **0** not decided" in second
    assert "| B01 |" not in first
    config = copy.deepcopy(options.settings["config"]) | {"beyond": False}
    judge_claims.main(SimpleNamespace(**vars(options) | {"settings": options.settings | {"config": config}}))
    assert apart(read_csv(options.csv)) == (paper, [])
