"""The twenty claims on made-up experiments in which each plainly holds, plainly fails, and cannot be decided."""

import dataclasses
import shutil
from types import SimpleNamespace

import made_up_worlds
import pytest

from stages import stores
from stages.claims import judge_claims
from stages.claims.judge_claims import CLAIMS, describe, judge
from stages.claims.printed_numbers import printed_measurements
from stages.claims.verdicts import FAILS, HOLDS, RULES, RUNS, UNDECIDED, Unusable, claim_verdict
from stages.errors import UserError
from stages.plan import shown
from stages.statistics.measurements import measure
from stages.tables.layout import read_csv

ALL = [f"C{number:02d}" for number in range(1, 21)]


def verdict(claim, config, world):
    return claim_verdict(CLAIMS[claim](made_up_worlds.measurements(config, world)))


def test_there_are_twenty_claims_each_with_its_wording(root):
    assert list(CLAIMS) == ALL
    assert [row["id"] for row in read_csv(root / "workflow" / "reference" / "claims.csv")] == ALL


@pytest.mark.parametrize("claim", ALL)
def test_holds_where_the_world_is_as_the_paper_says(claim, config):
    assert verdict(claim, config, made_up_worlds.as_the_paper_says()) == HOLDS


@pytest.mark.parametrize("claim", ALL)
def test_does_not_hold_in_the_opposite_world(claim, config):
    assert verdict(claim, config, made_up_worlds.the_opposite()) == FAILS


@pytest.mark.parametrize("claim", ALL)
def test_is_not_decided_where_networks_are_trained_too_little(claim, config):
    found = made_up_worlds.measurements(config, made_up_worlds.as_the_paper_says())
    for _, key in list(found.values):
        model = key if isinstance(key, str) else next(part for part in key if "_" in part)
        found.reasons[model] = f"{model} reached 60.0 % accuracy, a verdict wants 90 %"
    groups = CLAIMS[claim](found)
    assert claim_verdict(groups) == UNDECIDED
    assert "60.0 % accuracy" in describe(UNDECIDED, groups)[3]


@pytest.mark.parametrize("claim", ALL)
def test_is_not_decided_without_stores(claim, config, tmp_path):
    groups = CLAIMS[claim](measure(tmp_path, config))
    assert claim_verdict(groups) == UNDECIDED
    assert describe(UNDECIDED, groups)[3].startswith("not run: ")


@pytest.mark.parametrize("claim", ALL)
def test_a_spread_as_wide_as_the_effect_takes_better_away(claim, config):
    """Runs that scatter widely support no claim of a difference; claims of no effect may gain."""
    world = dataclasses.replace(made_up_worlds.as_the_paper_says(), jitter=8.0)
    no_difference_claimed = {"C02", "C04", "C06", "C10", "C18"}
    if claim not in no_difference_claimed:
        assert verdict(claim, config, world) != HOLDS


def test_the_papers_own_printed_numbers_satisfy_what_it_says_of_them(root, config):
    judged = {
        claim: claim_verdict(groups(printed_measurements(root / "workflow" / "reference", config["claims"])))
        for claim, groups in CLAIMS.items()
    }
    assert [claim for claim in ALL if judged[claim] == HOLDS] == ["C01", "C02", "C03", "C04"]
    assert FAILS not in judged.values()  # what rests on figures cannot be judged: no numbers are printed


# --- with stores ------------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def measured(results, whole_config):
    return measure(results, whole_config)


def test_all_claims_hold_on_stores_of_a_world_as_the_paper_says(measured):
    assert {claim: found[0] for claim, found in judge(measured).items()} == dict.fromkeys(ALL, HOLDS)


@pytest.mark.parametrize("quantity", ["accuracy", "noise_area", "growth", "largest_error"])
def test_stores_are_measured_as_they_were_made(measured, config, quantity):
    expected = made_up_worlds.measurements(config, made_up_worlds.as_the_paper_says())
    found = measured.get(quantity, "ncg_l2_tanh")
    assert found.runs == pytest.approx(expected.get(quantity, "ncg_l2_tanh").runs, rel=1e-6)


def test_attacks_are_measured_as_they_were_made(measured):
    # 12 images; the made-up attack changes 60 % of them within norm 0.5, on a grid of radii 0.25 apart.
    key = ("sensitivity", "sgd_ce_relu")
    assert measured.get("success_at_norm", key).mean == pytest.approx(100 * 7 / 12, abs=100 / 12)
    assert (measured.get("attack_seconds", key).runs == 1.0).all()
    assert measured.get("single_pixel_share", key).runs.min() > 0.9


@pytest.fixture
def few_models(config):
    """The same experiment with two networks of Table 2 and no attacks: quick to read."""
    config["models"]["table2"] = {"trainers": ["sgd"], "losses": ["ce"], "activations": ["relu", "tanh"]}
    config["attack"]["attacks"] = {}
    return config


def test_a_network_below_the_least_accuracy_is_refused_by_name(results, few_models):
    config = few_models
    config["claims"]["minimum_accuracy"] = 96.0
    found = measure(results, config).get("growth", "sgd_ce_relu")
    assert isinstance(found, Unusable)
    assert found.reason == "sgd_ce_relu reached 95.5 % accuracy, a verdict wants 96 %"


def test_a_store_of_other_settings_is_an_error_and_not_a_verdict(results, few_models):
    few_models["noise"]["std"] = [0.0, 0.1]
    with pytest.raises(UserError, match="does not fit the configuration"):
        measure(results, few_models)


def test_a_missing_run_leaves_its_claims_open_and_is_named(results, few_models, tmp_path):
    folder = tmp_path / "smoke"
    shutil.copytree(results, folder, ignore=shutil.ignore_patterns("attack"))
    assert judge(measure(folder, few_models))["C01"][0] == HOLDS
    stores.manifest_path(folder / "solvers" / "ncg-ode45_l2_tanh" / "run1.zarr").unlink()
    judged = judge(measure(folder, few_models))
    assert judged["C01"][0] == judged["C02"][0] == UNDECIDED
    assert "not run: solvers/ncg-ode45_l2_tanh/run1.zarr" in describe(*judged["C01"][:2])[3]


def test_files_say_verdict_statistic_margin_and_reason(measured, config, root, tmp_path, monkeypatch):
    monkeypatch.setattr(judge_claims, "measure", lambda folder, config: measured)
    config["beyond"] = False
    options = SimpleNamespace(
        settings=shown.claims_settings(config),
        results=None,
        reference=root / "workflow" / "reference",
        csv=tmp_path / "claims.csv",
        markdown=tmp_path / "claims.md",
        detail=tmp_path / "claims_in_detail.csv",
    )
    judge_claims.main(options)
    rows = read_csv(options.csv)
    assert [row["id"] for row in rows] == ALL
    first = rows[0]
    assert first["verdict"] == HOLDS
    assert first["statistic"] == "test accuracy: Euler over ODE45: 1 points, needs > 0.141"
    assert float(first["margin"]) == pytest.approx(1 - 0.1 * 2**0.5, abs=1e-3)
    assert first["rule"] == RUNS
    assert first["on_printed_numbers"] == HOLDS
    assert "**20** holds, **0** does not hold, **0** not decided" in options.markdown.read_text()
    assert "smoke preset: 6 layers" in options.markdown.read_text()
    assert RULES[RUNS] in options.markdown.read_text()
    detail = read_csv(options.detail)
    assert len(detail) > 100
    assert {row["rule"] for row in detail} == {RUNS}
