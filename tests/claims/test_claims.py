"""The claims on made-up experiments in which each plainly holds, plainly fails, and cannot be decided."""

import dataclasses
import shutil
from types import SimpleNamespace

import pytest
from kit import made_up_worlds

from stages.claims import FAILS, HOLDS, PARTLY, REVERSED, UNDECIDED, apart, judge_claims
from stages.claims.chance import RULES, RUNS
from stages.claims.claims_files import WRITTEN, printed_verdict, reason_of
from stages.claims.judge_claims import CLAIMS, judge
from stages.claims.measured import Unusable
from stages.claims.measurements import measure
from stages.claims.printed_numbers import printed_measurements
from stages.claims.reference import read_claims
from stages.claims.verdicts import Verdict
from stages.plan import exhibit
from stages.runtime.errors import UserError
from stages.storage import stores
from stages.storage.csv_files import read_csv

ALL = [f"C{number:02d}" for number in range(1, 30)]


def verdict(claim, config, world):
    return Verdict(CLAIMS[claim](made_up_worlds.measurements(config, world))).word


def test_each_claim_has_its_wording(root):
    assert list(CLAIMS) == ALL
    assert [row["id"] for row in read_csv(root / "workflow" / "reference" / "claims.csv")] == ALL


@pytest.mark.parametrize("claim", ALL)
def test_holds_where_the_world_is_as_the_paper_says(claim, config):
    assert verdict(claim, config, made_up_worlds.as_the_paper_says()) == HOLDS


# What is compared run by run, or does not scatter in the made-up worlds.
TOGETHER = {"C02", "C11", "C12", "C18", "C28"}
# Where no effect or little is claimed, there is nothing to be reversed.
OF_NO_EFFECT = {"C02", "C04", "C06", "C10", "C18", "C25"}


@pytest.mark.parametrize("claim", ALL)
def test_does_not_hold_in_the_opposite_world(claim, config):
    assert verdict(claim, config, made_up_worlds.the_opposite()) in (FAILS, REVERSED)
    if claim in OF_NO_EFFECT:
        assert verdict(claim, config, made_up_worlds.the_opposite()) == FAILS


def test_the_opposite_of_a_difference_is_called_reversed(config):
    words = {claim: verdict(claim, config, made_up_worlds.the_opposite()) for claim in ALL}
    assert {claim for claim, word in words.items() if word == REVERSED} == set(ALL) - OF_NO_EFFECT - {
        "C07",
        "C08",
        "C09",
        "C11",
        "C12",
    }


@pytest.mark.parametrize("claim", ALL)
def test_is_not_decided_where_networks_are_trained_too_little(claim, config):
    found = made_up_worlds.measurements(config, made_up_worlds.as_the_paper_says())
    for _, key in list(found.values):
        model = key if isinstance(key, str) else next(part for part in key if "_" in part)
        found.reasons[model] = f"{model} reached 60.0 % accuracy, a verdict wants 90 %"
    open_one = Verdict(CLAIMS[claim](found))
    assert open_one.word == UNDECIDED
    assert "60.0 % accuracy" in reason_of(open_one)


@pytest.mark.parametrize("claim", ALL)
def test_is_not_decided_without_stores(claim, config, tmp_path):
    open_one = Verdict(CLAIMS[claim](measure(tmp_path, config)))
    assert open_one.word == UNDECIDED
    assert reason_of(open_one).startswith("not run: ")


@pytest.mark.parametrize("claim", ALL)
def test_a_spread_as_wide_as_the_effect_decides_nothing(claim, config):
    """Runs that scatter widely: all is within chance; but two values of the same network scatter together here."""
    world = dataclasses.replace(made_up_worlds.as_the_paper_says(), jitter=8.0)
    if claim not in TOGETHER:
        assert verdict(claim, config, world) == UNDECIDED


def test_the_papers_own_printed_numbers_are_judged_by_the_same_rules(root, config):
    printed = judge(printed_measurements(root / "workflow" / "reference", config["claims"]))
    words = {claim: printed_verdict(each) for claim, each in printed.items()}
    told = {claim: word for claim, word in words.items() if word}
    assert {claim for claim, word in told.items() if word.startswith("holds (")} == {
        "C01", "C02", "C03", "C04", "C05", "C21", "C27", "C28", "C29",
    }  # fmt: skip
    assert told["C05"] == "holds (4 of 4, test accuracy alone)"
    # "no significant effect" of the loss on NCG: with tanh the table has 0.81 points, many standard deviations.
    assert told["C06"] == "holds in part (3 of 4, test accuracy alone)"


def test_table_3_contradicts_what_the_paper_says_of_the_sobolev_gradient(root, config):
    """As the reference says beside C17: more susceptible for all four combinations."""
    clauses = judge(printed_measurements(root / "workflow" / "reference", config["claims"]))["C28"].clauses
    assert [each.agrees for each in clauses[2].comparisons] == [True] * 4
    (row,) = [row for row in read_csv(root / "workflow/reference/claims.csv") if row["id"] == "C17"]
    assert "Sobolev NCG models are more susceptible than NCG models for all four combinations" in row["against_itself"]


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        (lambda lines: [line for line in lines if not line.startswith("C13")], "found none for C13"),
        (lambda lines: [*lines, "C99,a,b,c,1,w,all,d,"], "found C99, which no module"),
        (lambda lines: [*lines, lines[5]], "more than once"),
        (lambda lines: [line.replace(",570,", ",,") for line in lines], "C13: wanted its line, found nothing"),
    ],
)
def test_a_criterion_without_its_line_in_the_reference_is_a_message(change, problem, root, tmp_path):
    lines = (root / "workflow" / "reference" / "claims.csv").read_text().splitlines()
    (tmp_path / "claims.csv").write_text("\n".join(change(lines)) + "\n")
    with pytest.raises(UserError, match=problem):
        read_claims(tmp_path / "claims.csv", CLAIMS)


# --- with stores ------------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def measured(results, whole_config):
    return measure(results, whole_config)


def test_all_claims_hold_on_stores_of_a_world_as_the_paper_says(measured):
    assert {claim: each.word for claim, each in judge(measured).items()} == dict.fromkeys(ALL, HOLDS)


@pytest.mark.parametrize("quantity", ["accuracy", "noise_area", "growth", "largest_error"])
def test_stores_are_measured_as_they_were_made(measured, config, quantity):
    expected = made_up_worlds.measurements(config, made_up_worlds.as_the_paper_says())
    found = measured.get(quantity, "ncg_l2_tanh")
    # Of 200 images, an accuracy is known to half a point.
    close = {"abs": 0.25} if quantity in ("accuracy", "noise_area") else {"rel": 1e-6}
    assert found.runs == pytest.approx(expected.get(quantity, "ncg_l2_tanh").runs, **close)


def test_attacks_are_measured_as_they_were_made(measured):
    # 24 images; the made-up attack changes 60 % of them within norm 0.5, on a grid of radii 0.25 apart.
    key = ("sensitivity", "sgd_ce_relu")
    assert measured.get("success_at_norm", key).mean == pytest.approx(100 * 14 / 24, abs=100 / 24)
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
    assert judge(measure(folder, few_models))["C01"].word == HOLDS
    stores.manifest_path(folder / "solvers" / "ncg-ode45_l2_tanh" / "run1.zarr").unlink()
    verdicts = judge(measure(folder, few_models))
    assert verdicts["C01"].word == verdicts["C02"].word == UNDECIDED
    assert "not run: solvers/ncg-ode45_l2_tanh/run1.zarr" in reason_of(verdicts["C01"])


def test_files_say_verdict_statistic_margin_and_reason(measured, config, root, tmp_path, monkeypatch):
    monkeypatch.setattr(judge_claims, "measure", lambda folder, config, printed: measured)
    options = SimpleNamespace(
        settings=exhibit.claims_settings(config),
        results=None,
        reference=root / "workflow" / "reference",
        csv=tmp_path / "claims.csv",
        markdown=tmp_path / "claims.md",
        detail=tmp_path / "claims_in_detail.csv",
        levels=tmp_path / "levels.csv",
    )
    judge_claims.main(options)
    rows = read_csv(options.csv)
    assert [row["id"] for row in apart(rows)[0]] == ALL
    first = rows[0]
    assert first["verdict"] == HOLDS
    assert first["statistic"].startswith("test accuracy: Euler over ODE45: 1 points")
    assert float(first["margin"]) == pytest.approx(1, abs=1e-3)
    assert (first["agreeing"], first["clearly"], first["as_worded"]) == ("1 of 1", "1", "yes")
    assert first["rule"] == RUNS
    assert first["on_printed_numbers"] == "holds (1 of 1)"
    assert first["verdict_before"] == FAILS
    assert (first["clearly_for"], first["clearly_against"], first["not_run"]) == ("1", "0", "0")
    text = options.markdown.read_text()
    assert f"**{len(ALL)}** holds, **0** holds in part, **0** reversed, **0** does not hold, **0** not decided" in text
    assert "smoke preset: 6 layers" in text
    assert RULES[RUNS] in text
    assert WRITTEN in text
    detail = read_csv(options.detail)
    assert len(detail) > 100
    assert {row["rule"] for row in detail} == {RUNS}
    # What C17 says is true in general, not for all settings; 24 images leave some attacks within chance.
    assert "disagrees" not in {row["verdict"] for row in detail if row["id"] != "C17"}
    assert [row["verdict"] for row in detail].count("agrees") > 0.9 * len(detail)
    assert [row["level"] for row in read_csv(options.levels) if row["table"] == "Table 2"].count("not run") == 0


def test_a_claim_that_holds_with_one_activation_alone_says_so(config):
    """ReLU as the paper says, tanh the other way round."""
    paper, other = (made_up_worlds.measurements(config, world()) for world in WORLDS)
    for (quantity, key), value in other.values.items():
        if "tanh" in str(key):
            paper.values[quantity, key] = value
    verdicts = judge(paper)
    assert (verdicts["C16"].word, verdicts["C16"].worded) == (PARTLY, "no")
    assert verdicts["C16"].where == "ReLU 16 of 16, tanh 0 of 16 (reversed)"


WORLDS = (made_up_worlds.as_the_paper_says, made_up_worlds.the_opposite)
