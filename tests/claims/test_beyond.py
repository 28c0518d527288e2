"""Our own claims beyond the paper, on made-up experiments in which each plainly holds, fails, and cannot be decided."""

from types import SimpleNamespace

import pytest
from kit import made_up_stores, made_up_worlds

from stages.claims import FAILS, HOLDS, PARTLY, REVERSED, UNDECIDED, apart, judge_claims
from stages.claims.chance import IMAGES
from stages.claims.claims_files import deciding, described, reason_of
from stages.claims.judge_claims import CLAIMS, OUR_CLAIMS, concerns, judge
from stages.claims.measured import Measured
from stages.claims.measurements import measure
from stages.claims.verdicts import Verdict
from stages.plan import exhibit, experiment
from stages.storage.csv_files import read_csv

ALL = [f"B{number:02d}" for number in range(1, 15)]
IMAGES_ATTACKED = 400


@pytest.fixture(scope="module")
def whole():
    """The whole preset, two runs."""
    return made_up_stores.configuration.load(made_up_stores.ROOT, "beyond", {"training": {"runs": 2}})


@pytest.fixture
def found(whole):
    return made_up_worlds.measurements(whole, made_up_worlds.as_we_say())


def test_each_has_its_wording_and_none_is_the_papers(root):
    assert list(OUR_CLAIMS) == ALL
    rows = read_csv(root / "workflow" / "reference" / "claims_beyond.csv")
    assert [row["id"] for row in rows] == ALL
    assert apart([{"id": name} for name in [*CLAIMS, *OUR_CLAIMS]]) == tuple(
        [{"id": name} for name in names] for names in (CLAIMS, OUR_CLAIMS)
    )


@pytest.mark.parametrize("claim", ALL)
def test_holds_where_the_world_is_as_we_say(claim, found):
    assert Verdict(OUR_CLAIMS[claim](found)).word == HOLDS


@pytest.mark.parametrize("claim", ALL)
def test_does_not_hold_where_robust_training_only_masks_and_nothing_is_predictable(claim, whole):
    found = made_up_worlds.measurements(whole, made_up_worlds.not_as_we_say())
    assert Verdict(OUR_CLAIMS[claim](found)).word in (FAILS, REVERSED)


@pytest.mark.parametrize("claim", ALL)
def test_is_not_decided_without_stores(claim, whole, tmp_path):
    verdict = Verdict(OUR_CLAIMS[claim](measure(tmp_path, whole)))
    assert verdict.word == UNDECIDED
    assert reason_of(verdict).startswith("not run: ")


def test_claims_about_networks_that_the_experiment_does_not_have_are_left_out(whole, tmp_path):
    fashion = made_up_stores.configuration.load(made_up_stores.ROOT, "fashion")
    for config, left_out in ((whole, []), (fashion, [*ALL[:6], "B10"])):
        found = measure(tmp_path, config)  # nothing was run
        assert [name for name, claim in OUR_CLAIMS.items() if not concerns(found, claim)] == left_out


def test_twins_are_found_by_their_settings_whatever_the_experiment_calls_them():
    config = made_up_stores.configuration.load(made_up_stores.ROOT, "fashion", {"training": {"runs": 2}})
    pixels = {model for model, _ in experiment.score_pairs(config)}
    world = made_up_worlds.as_we_say()
    found = made_up_worlds.measurements(config, world)
    assert Verdict(OUR_CLAIMS["B13"](found)).word == HOLDS
    for model in pixels:
        found.put("accuracy", model, [99.0, 99.2])
    verdict = Verdict(OUR_CLAIMS["B13"](found))
    assert verdict.word == REVERSED
    assert Verdict(OUR_CLAIMS["B14"](found)).word == HOLDS  # which asks the twins with own scores alone


@pytest.mark.parametrize("claim", ALL)
def test_is_not_decided_in_an_experiment_without_robust_networks_or_uncertainty(claim, tmp_path):
    assert Verdict(OUR_CLAIMS[claim](measure(tmp_path, made_up_stores.one_run_config()))).word == UNDECIDED


def test_one_attack_that_gains_too_little_is_named(found):
    key = ("cw", "ncg-robust_l2_tanh")
    plain = found.get("success_at_norm", ("cw", "ncg_l2_tanh"))
    found.put("success_at_norm", key, 0.8 * plain.runs)
    verdict = Verdict(OUR_CLAIMS["B03"](found))
    assert (verdict.word, verdict.worded) == (PARTLY, "no")
    clause, comparison = deciding(verdict)
    assert "Carlini-Wagner on scores" in clause.what
    assert described(comparison) == "NCG, tanh, ℓ²: 80 % of the plain twin's, needs ≤ 70"
    assert Verdict(OUR_CLAIMS["B02"](found)).word == HOLDS  # which speaks of the attack that was trained on


def test_an_attack_that_never_succeeds_leaves_the_claim_open(found):
    for model in ("sgd_l2_tanh", "sgd-robust_l2_tanh"):
        found.put("success_at_norm", ("cw", model), [0.0, 0.0])
    verdict = Verdict(OUR_CLAIMS["B03"](found))
    assert verdict.word == UNDECIDED
    assert "no number" in reason_of(verdict)


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
    verdicts = judge(measured, OUR_CLAIMS)
    assert {claim: verdict.word for claim, verdict in verdicts.items()} == dict.fromkeys(ALL, HOLDS)
    rules = {each.rule for one in verdicts.values() for clause in one.clauses for each in clause.comparisons}
    assert rules == {IMAGES}


def test_what_is_resampled_lies_around_what_was_measured(measured):
    for quantity in ("largest_gap", "mean_gap", "roc_area_distance", "roc_area_confidence"):
        value = measured.get(quantity, "ncg_l2_tanh")
        assert isinstance(value, Measured)
        assert abs(value.resampled.mean() - value.mean) <= 0.15 * value.resampled.std() + 1e-6, quantity


def test_the_files_count_them_apart_from_the_papers(one_run, measured, root, tmp_path, monkeypatch):
    monkeypatch.setattr(judge_claims, "measure", lambda folder, config, printed: measured)
    options = SimpleNamespace(
        settings=exhibit.claims_settings(one_run[0]),
        results=None,
        reference=root / "workflow" / "reference",
        csv=tmp_path / "claims.csv",
        markdown=tmp_path / "claims.md",
        detail=tmp_path / "claims_in_detail.csv",
        levels=tmp_path / "levels.csv",
    )
    judge_claims.main(options)
    paper, ours = apart(read_csv(options.csv))
    assert ([row["id"] for row in paper], [row["id"] for row in ours]) == (list(CLAIMS), ALL)
    text = options.markdown.read_text()
    first, second = text.split("## Beyond the paper: claims of our own")
    assert "**14** holds, **0** holds in part, **0** reversed, **0** does not hold, **0** not decided" in second
    assert "| B01 |" not in first


def test_claims_on_networks_follow_the_networks_and_those_on_uncertainty_the_switch(one_run):
    config, folder = one_run
    numbers = measure(folder, config | {"beyond": False})
    left_out = {claim for claim in OUR_CLAIMS if not judge_claims.concerns(numbers, OUR_CLAIMS[claim])}
    assert left_out == {"B07", "B08", "B09"}


def test_a_way_to_shut_the_door_that_the_experiment_does_not_have_is_left_out(found):
    found.values = {place: value for place, value in found.values.items() if place[1][0] != "sensitivity-held"}
    (own, *others) = OUR_CLAIMS["B11"](found)
    assert own.what.startswith("own scores")
    assert all(clause.what.startswith("own scores") for clause in others)
    assert Verdict([own, *others]).word == HOLDS
